// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The known sequences and their retained outcomes. Decides only; `SequenceRecorder` stores.
struct SequenceTable {
    /// The way to handle a commit.
    enum Decision {
        case apply
        /// Answer with the outcome it had.
        case answerAgain
        case reject(FirestoreError)
    }

    private struct Entry {
        let owner: SequenceOwner
        let headSize: Int
        /// The number of the last commit with an outcome; 0 before the first.
        var last: Int64 = 0
        /// The sizes of the retained outcomes, of which the last has the number `last`.
        var sizes: [Int] = []
        /// When the last outcome was stored, or the sequence began, in microseconds since 1970.
        var lastUse: Int64

        /// The number of the first retained outcome.
        var first: Int64 { last - Int64(sizes.count) + 1 }
        var bytes: Int { sizes.reduce(headSize, +) }
    }

    let limits: SequenceLimits
    private var entries: [String: Entry] = [:]
    private var total = SequenceLimits.Share(sequences: 0, bytes: 0)
    private var shares: [SequenceOwner: SequenceLimits.Share] = [:]

    init(limits: SequenceLimits) { self.limits = limits }

    var count: Int { entries.count }
    var bytes: Int { total.bytes }

    // MARK: Decisions

    /// The decision about a commit with a number.
    func decision(_ id: String, _ owner: SequenceOwner, number: Int64, now: Int64) -> Decision {
        let entry: Entry
        switch self.entry(id, owner, now: now) {
        case .success(let known): entry = known
        case .failure(let error): return .reject(error)
        }
        if number == entry.last + 1 { return .apply }
        // One before it was not applied, and ended its stream.
        if number > entry.last { return .reject(FirestoreError(.aborted, "an earlier batch of the write stream was not applied")) }
        guard number >= entry.first, number > 0 else { return .reject(.confirmedOutcome) }
        return .answerAgain
    }

    /// Why a client that has the outcomes up to a number cannot continue; nil if it can.
    func rejection(_ id: String, _ owner: SequenceOwner, resumingAfter number: Int64, now: Int64) -> FirestoreError? {
        let entry: Entry
        switch self.entry(id, owner, now: now) {
        case .success(let known): entry = known
        case .failure(let error): return error
        }
        guard number <= entry.last else {
            return .sequenceLost(
                "the database lacks answers that the client has received; it was restored from a copy, or lost power")
        }
        return number >= entry.first - 1 ? nil : .confirmedOutcome
    }

    /// The outcomes that go once the commit with the next number is stored, with an outcome of so many bytes; nil for none.
    func superseded(_ id: String, confirmed: Int64, adding size: Int) -> Range<Int64>? {
        guard let entry = entries[id], !entry.sizes.isEmpty else { return nil }
        let mostOf = entry.last + 1 - Int64(limits.outcomes)
        var end = max(entry.first, min(max(confirmed, mostOf), entry.last) + 1)
        var bytes = size + entry.sizes.dropFirst(Int(end - entry.first)).reduce(0, +)
        while bytes > limits.outcomeBytes, end <= entry.last {
            bytes -= entry.sizes[Int(end - entry.first)]
            end += 1
        }
        return end > entry.first ? entry.first..<end : nil
    }

    private func entry(_ id: String, _ owner: SequenceOwner, now: Int64) -> Result<Entry, FirestoreError> {
        guard let entry = entries[id], !isExpired(entry, now) else { return .failure(.unknownSequence) }
        return entry.owner == owner ? .success(entry) : .failure(.sequenceOfAnother)
    }

    private func isExpired(_ entry: Entry, _ now: Int64) -> Bool { entry.lastUse < now - limits.retention }

    // MARK: Changes, after they are stored

    mutating func begin(_ id: String, _ owner: SequenceOwner, size: Int, now: Int64) {
        remove(id)
        entries[id] = Entry(owner: owner, headSize: size, lastUse: now)
        count(owner, sequences: 1, bytes: size)
    }

    /// Adds an outcome. Usually it has the next number; outcomes read from the database begin anywhere. Before a gap nothing can be
    /// answered again.
    mutating func add(_ id: String, number: Int64, size: Int, now: Int64) {
        guard let index = entries.index(forKey: id), number > entries.values[index].last else { return }
        let entry = entries.values[index]
        if number != entry.last + 1 { drop(id, entry.first..<entry.last + 1) }
        entries.values[index].last = number
        entries.values[index].sizes.append(size)
        entries.values[index].lastUse = max(entry.lastUse, now)
        count(entry.owner, sequences: 0, bytes: size)
    }

    mutating func drop(_ id: String, _ numbers: Range<Int64>) {
        guard let index = entries.index(forKey: id), numbers.lowerBound == entries.values[index].first else { return }
        let sizes = entries.values[index].sizes.prefix(numbers.count)
        entries.values[index].sizes.removeFirst(sizes.count)
        count(entries.values[index].owner, sequences: 0, bytes: -sizes.reduce(0, +))
    }

    mutating func remove(_ id: String) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        count(entry.owner, sequences: -1, bytes: -entry.bytes)
    }

    private mutating func count(_ owner: SequenceOwner, sequences: Int, bytes: Int) {
        total.sequences += sequences
        total.bytes += bytes
        var share = shares[owner] ?? SequenceLimits.Share(sequences: 0, bytes: 0)
        share.sequences += sequences
        share.bytes += bytes
        shares[owner] = share.sequences == 0 ? nil : share
    }

    // MARK: What has to go

    /// The sequences that have expired, no more than are removed in one step.
    func expired(now: Int64) -> [String] {
        Array(entries.lazy.filter { isExpired($0.value, now) }.map(\.key).prefix(limits.removedAtOnce))
    }

    /// The sequence to remove so that an owner and all together keep to their limits; nil if they do. Never the one in use. If all
    /// together have too much, one of the owner with the most goes. Looks at all sequences, and only when a limit is exceeded.
    func surplus(of owner: SequenceOwner, keeping id: String) -> String? {
        let limit = owner.isOneUser ? limits.user : limits.shared
        if let share = shares[owner], share.exceeds(limit), let oldest = oldest(of: owner, except: id) { return oldest }
        guard total.exceeds(limits.total) else { return nil }
        let isByBytes = total.bytes > limits.total.bytes
        let largest = shares.filter { $0.value.sequences > 1 || entries[id]?.owner != $0.key }.max { left, right in
            let (l, r) = (left.value, right.value)
            return (isByBytes ? l.bytes : l.sequences, left.key.name) < (isByBytes ? r.bytes : r.sequences, right.key.name)
        }
        return largest.flatMap { oldest(of: $0.key, except: id) }
    }

    /// The one unused for longest; those without a commit before others, because an open connection is enough to begin one.
    private func oldest(of owner: SequenceOwner, except id: String) -> String? {
        entries.lazy.filter { $0.key != id && $0.value.owner == owner }.min { left, right in
            let (l, r) = (left.value, right.value)
            return (l.last == 0 ? 0 : 1, l.lastUse, left.key) < (r.last == 0 ? 0 : 1, r.lastUse, right.key)
        }?.key
    }
}

extension SequenceLimits.Share {
    fileprivate func exceeds(_ limit: SequenceLimits.Share) -> Bool { sequences > limit.sequences || bytes > limit.bytes }
}

extension FirestoreError {
    static let unknownSequence = sequenceLost(
        "it is not known here; it began in another database, was not used for a week, or gave way to others")
    static let confirmedOutcome = sequenceLost(
        "the answer to a batch is no longer kept, because the client has confirmed it or has left too many unconfirmed")
}
