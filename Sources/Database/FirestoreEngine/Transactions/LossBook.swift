// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The aborted transactions that a line remembers, and which attempt of each is running.
///
/// A loss is *open* until an attempt has taken it: the one that names it, or one that names nothing useful and takes the oldest open
/// loss of its caller. Bounded in number and in time.
struct LossBook {
    struct Loss {
        /// The number of the first attempt.
        let first: UInt64
        let owner: SequenceOwner
        var places: [DocumentKey]
        var time: Int64
        /// The attempt that was aborted last.
        var last: UInt64
        /// The attempt that has taken it.
        var attempt: UInt64?
    }

    private let limits: RetryLine.Limits
    /// By first attempt.
    private var losses: [UInt64: Loss] = [:]
    /// The first attempts of attempts: clients name the first one or the last one.
    private var firsts: [UInt64: UInt64] = [:]
    /// The open ones, the oldest first.
    private var open: [SequenceOwner: [UInt64]] = [:]

    init(limits: RetryLine.Limits) { self.limits = limits }

    var count: Int { losses.count }

    func loss(of id: UInt64, now: Int64) -> Loss? {
        losses[firsts[id] ?? id].flatMap { now - $0.time < limits.memory ? $0 : nil }
    }

    /// What an attempt retries: the loss that it names, if it is open. Otherwise an open one of the same caller, as a guess; and if
    /// there is none, the one that it names, which another attempt has.
    mutating func take(_ id: UInt64, naming earlier: UInt64, of owner: SequenceOwner, now: Int64) -> (loss: Loss, isGuess: Bool)? {
        let named = loss(of: earlier, now: now)
        if let named, named.attempt == nil { return (take(named, by: id, now), false) }
        if let oldest = oldestOpen(of: owner, now) { return (take(oldest, by: id, now), true) }
        return named.map { ($0, false) }
    }

    /// The attempt was not one of this loss.
    mutating func giveBack(_ id: UInt64) {
        guard let first = firsts.removeValue(forKey: id), losses[first]?.attempt == id else { return }
        losses[first]?.attempt = nil
        insert(first)
    }

    /// An attempt was aborted at places.
    mutating func abort(_ id: UInt64, of owner: SequenceOwner, at places: [DocumentKey], now: Int64) {
        var loss = loss(of: id, now: now) ?? Loss(first: id, owner: owner, places: [], time: now, last: id)
        if losses[loss.first] == nil { makeRoom(now) }
        for place in places where loss.places.count < limits.places && !loss.places.contains(place) { loss.places.append(place) }
        if loss.last != loss.first, loss.last != id { firsts[loss.last] = nil }
        (loss.last, loss.time) = (id, now)
        firsts[id] = id == loss.first ? nil : loss.first
        let isTaken = loss.attempt != nil && loss.attempt != id
        if !isTaken { loss.attempt = nil }
        losses[loss.first] = loss
        if !isTaken { insert(loss.first) }
    }

    /// The transaction has ended otherwise.
    mutating func end(_ id: UInt64) {
        let first = firsts[id] ?? id
        if losses[first] != nil { remove(first) } else { firsts[id] = nil }
    }

    private mutating func take(_ loss: Loss, by id: UInt64, _ now: Int64) -> Loss {
        withdraw(loss.first)
        losses[loss.first]?.attempt = id
        losses[loss.first]?.time = now
        firsts[id] = loss.first
        return loss
    }

    /// Clients try again immediately: an older loss is one that is not retried.
    private mutating func oldestOpen(of owner: SequenceOwner, _ now: Int64) -> Loss? {
        while let first = open[owner]?.first {
            if let loss = losses[first], now - loss.time < limits.contest { return loss }
            // It is still found by its name.
            withdraw(first)
        }
        return nil
    }

    // MARK: The open ones

    private mutating func insert(_ first: UInt64) {
        guard let owner = losses[first]?.owner else { return }
        var list = open.removeValue(forKey: owner) ?? []
        let index = Self.index(of: first, in: list)
        if index == list.endIndex || list[index] != first { list.insert(first, at: index) }
        open[owner] = list
    }

    private mutating func withdraw(_ first: UInt64) {
        guard let owner = losses[first]?.owner, var list = open.removeValue(forKey: owner) else { return }
        let index = Self.index(of: first, in: list)
        if index < list.endIndex, list[index] == first { list.remove(at: index) }
        if !list.isEmpty { open[owner] = list }
    }

    private static func index(of first: UInt64, in list: [UInt64]) -> Int {
        var (low, high) = (list.startIndex, list.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if list[middle] < first { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: Bounds

    private mutating func remove(_ first: UInt64) {
        withdraw(first)
        guard let loss = losses.removeValue(forKey: first) else { return }
        firsts[loss.last] = nil
        if let attempt = loss.attempt { firsts[attempt] = nil }
    }

    private mutating func makeRoom(_ now: Int64) {
        guard losses.count >= limits.remembered else { return }
        for loss in losses.values where now - loss.time >= limits.memory { remove(loss.first) }
        // A sixteenth together, so that the search for the oldest is rare.
        guard losses.count >= limits.remembered else { return }
        let times = losses.values.sorted { ($0.time, $0.first) < ($1.time, $1.first) }
        for loss in times.prefix(max(1, limits.remembered / 16)) { remove(loss.first) }
    }
}
