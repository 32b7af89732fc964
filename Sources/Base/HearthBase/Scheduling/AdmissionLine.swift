// SPDX-License-Identifier: Apache-2.0

/// The queue in front of a worker: which elements may enter, which callers wait for room, and which wait for everything
/// that entered before. Decides only; its owner holds the elements, blocks threads and calls back.
///
/// An entering element gets a ticket, a number from 1. It takes room until `leave` and is pending until `finish`. An owner
/// whose worker takes elements in groups returns the room when a group is taken; an owner that retains elements until they are
/// answered returns it with the answer.
///
/// Uses only numbers, so that calls across modules stay cheap: nothing here is generic, allocates, or depends on the number
/// of elements, unless a caller has to wait or elements finish out of order.
package struct AdmissionLine: Sendable {
    package typealias Wake = @Sendable () -> Void

    package enum Admission: Sendable, Equatable {
        case accepted(ticket: UInt64)
        /// The line is full: call `block`, wait, and try again.
        case full
        case closed
    }

    private let mostElements: Int
    private let mostWeight: Int
    /// The number of elements that take room now.
    package private(set) var count = 0
    package private(set) var weight = 0
    private var isClosed = false
    /// The ticket issued last.
    package private(set) var accepted: UInt64 = 0
    /// Every element up to this ticket is finished.
    private var finished: UInt64 = 0
    /// Elements after `finished` that are already finished.
    private var finishedEarly: Set<UInt64> = []
    /// By ticket.
    private var barriers: [(after: UInt64, wake: Wake)] = []
    private var blocked: [Wake] = []

    /// `weight` is the approximate memory that elements hold.
    package init(mostElements: Int, mostWeight: Int) {
        self.mostElements = mostElements
        self.mostWeight = mostWeight
    }

    // MARK: Room

    /// `mayWait` is false on threads that make the room themselves: they may enter a full line.
    package mutating func admit(weight: Int, mayWait: Bool) -> Admission {
        if isClosed { return .closed }
        if mayWait, isFull(for: weight) { return .full }
        count += 1
        self.weight += weight
        accepted += 1
        return .accepted(ticket: accepted)
    }

    /// An element may always enter an empty line, whatever its weight.
    private func isFull(for weight: Int) -> Bool {
        count > 0 && (count >= mostElements || self.weight + weight > mostWeight)
    }

    /// `wake` is returned by `leave` once there is room, or by `close`.
    package mutating func block(_ wake: @escaping Wake) { blocked.append(wake) }

    /// Elements return their room. Returns the callers that may try again.
    package mutating func leave(_ count: Int = 1, weight: Int) -> [Wake] {
        self.count -= count
        self.weight -= weight
        if blocked.isEmpty || isFull(for: 0) { return [] }
        defer { blocked = [] }
        return blocked
    }

    /// Rejects every later element. Returns the callers that wait for room.
    package mutating func close() -> [Wake] {
        isClosed = true
        defer { blocked = [] }
        return blocked
    }

    // MARK: Order

    /// Nothing is pending.
    package var isIdle: Bool { accepted == finished }

    /// The next elements in order are finished. Returns the callers that waited for them.
    package mutating func finishNext(_ count: Int) -> [Wake] {
        finished += UInt64(count)
        return dueBarriers()
    }

    /// Finishes one element, in any order. Returns the callers that waited for it and all before.
    package mutating func finish(_ ticket: UInt64) -> [Wake] {
        guard ticket == finished + 1 else {
            finishedEarly.insert(ticket)
            return []
        }
        finished = ticket
        while !finishedEarly.isEmpty, finishedEarly.remove(finished + 1) != nil { finished += 1 }
        return dueBarriers()
    }

    private mutating func dueBarriers() -> [Wake] {
        guard let first = barriers.first, first.after <= finished else { return [] }
        let due = barriers.prefix { $0.after <= finished }
        barriers.removeFirst(due.count)
        return due.map(\.wake)
    }

    /// `wake` is returned once every element that has entered by now is finished, or every element up to `ticket`. Returns false
    /// if they already are; `wake` is not stored then.
    package mutating func wait(for ticket: UInt64? = nil, _ wake: @escaping Wake) -> Bool {
        let last = ticket ?? accepted
        guard last > finished else { return false }
        let place = barriers.lastIndex { $0.after <= last }.map { $0 + 1 } ?? 0
        barriers.insert((last, wake), at: place)
        return true
    }
}
