// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

/// Stores the outcomes of commits that clients may send again, in the facts of the database and in the transaction of the commits
/// (decision 28). Used by the committer's thread.
///
/// A sequence is one fact, its owner, and one more for each outcome that the client has not confirmed. The last outcome is retained
/// whatever the client confirms: its key contains the number of outcomes. An ordinary commit costs nothing here; a recorded one inserts
/// one row and removes those that are confirmed.
final class SequenceRecorder: Sendable {
    /// An outcome that was stored; `hold` takes it over when its commit is stored as well.
    struct Kept {
        fileprivate let id: String
        fileprivate let owner: SequenceOwner
        fileprivate let number: Int64
        fileprivate let size: Int
        fileprivate let dropped: Range<Int64>?
        fileprivate let now: Int64
    }

    private struct State {
        /// The sequences in the database; nil if they have to be read.
        var table: SequenceTable?
        var nextSearch: Int64 = 0
    }

    private let limits: SequenceLimits
    /// Whether other processes answer the same sequences. Then the database decides, and the table only counts quotas (DN-6.2).
    private let isShared: Bool
    private let state = Mutex(State())

    init(limits: SequenceLimits, isShared: Bool = false) {
        self.limits = limits
        self.isShared = isShared
    }

    // MARK: Beginning and resuming

    func open(_ place: SequencePlace, _ record: SequenceRecord, now: Int64, in transaction: any StoreTransaction) throws(FirestoreError) {
        let id = place.sequence.streamID
        try refresh(id, in: transaction)
        if case .resume = record.step {
            if let rejection = try load(transaction).rejection(id, record.owner, resumingAfter: place.number, now: now) { throw rejection }
            return
        }
        let value = SequenceHead(owner: record.owner, begun: now).bytes
        try load(transaction)
        try transaction.savepoint { () throws(FirestoreError) in try transaction.setFact(SequenceKey.head(id), value) }
        change { $0.begin(id, record.owner, size: SequenceKey.head(id).utf8.count + value.count, now: now) }
        try removeSurplus(of: record.owner, keeping: id, in: transaction)
    }

    // MARK: Outcomes

    /// The outcome that a commit had when it came for the first time; nil if it is to be applied now.
    func outcome(
        of place: SequencePlace, _ owner: SequenceOwner, digest: UInt64, now: Int64, in transaction: any StoreTransaction
    ) throws(FirestoreError) -> Result<CommitResponse, FirestoreError>? {
        let id = place.sequence.streamID
        try refresh(id, in: transaction)
        switch try load(transaction).decision(id, owner, number: place.number, now: now) {
        case .apply: return nil
        case .reject(let error): throw error
        case .answerAgain: break
        }
        guard let bytes = try transaction.fact(SequenceKey.outcome(id, place.number)), let outcome = SequenceOutcome(bytes) else {
            throw .sequenceLost("the answer to a batch cannot be read")
        }
        guard outcome.digest == digest else {
            throw .sequenceLost("another batch was sent in the place of this one; batches are sent again in the same order")
        }
        return outcome.result
    }

    /// Stores an outcome beside its commit, in the same savepoint.
    func store(
        _ result: Result<CommitResponse, FirestoreError>, of place: SequencePlace?, now: Int64, in transaction: any StoreTransaction
    ) throws(FirestoreError) -> Kept? {
        guard let place, let record = place.record, case .commit(let digest, let confirmed) = record.step else { return nil }
        let id = place.sequence.streamID
        let key = SequenceKey.outcome(id, place.number)
        let value = SequenceOutcome(digest: digest, storedAt: now, result: result).bytes
        let size = key.utf8.count + value.count
        try transaction.setFact(key, value)
        let dropped = try load(transaction).superseded(id, confirmed: confirmed, adding: size)
        if let dropped { try transaction.removeFacts(in: SequenceKey.outcomes(id, dropped)) }
        return Kept(id: id, owner: record.owner, number: place.number, size: size, dropped: dropped, now: now)
    }

    /// Adds the result of `store` to the table, once its savepoint is released.
    func hold(_ kept: Kept?, in transaction: any StoreTransaction) throws(FirestoreError) {
        guard let kept else { return }
        change { table in
            table.add(kept.id, number: kept.number, size: kept.size, now: kept.now)
            if let dropped = kept.dropped { table.drop(kept.id, dropped) }
        }
        try removeSurplus(of: kept.owner, keeping: kept.id, in: transaction)
    }

    // MARK: Removal

    /// Removes expired sequences, a few at a time.
    func prune(now: Int64, in transaction: any StoreTransaction) throws(FirestoreError) {
        guard now >= state.withLock({ $0.nextSearch }) else { return }
        let expired = try load(transaction).expired(now: now)
        for id in expired { try remove(id, in: transaction) }
        // The next commit continues if there may be more.
        state.withLock { $0.nextSearch = expired.count < limits.removedAtOnce ? now + limits.pause : now }
    }

    private func removeSurplus(
        of owner: SequenceOwner, keeping id: String, in transaction: any StoreTransaction
    ) throws(FirestoreError) {
        for _ in 0..<limits.removedAtOnce {
            guard let surplus = try load(transaction).surplus(of: owner, keeping: id) else { return }
            try remove(surplus, in: transaction)
        }
    }

    /// Throws only if the transaction is lost. Otherwise what cannot be removed now is removed later: the commit before it is stored,
    /// and must not be reported as failed.
    private func remove(_ id: String, in transaction: any StoreTransaction) throws(FirestoreError) {
        do throws(FirestoreError) {
            try transaction.removeFacts(in: SequenceKey.all(of: id))
            change { $0.remove(id) }
        } catch {
            if transaction.isLost(after: error) { throw error }
        }
    }

    // MARK: The table

    /// The transaction was lost: its changes are not in the database.
    func forget() { state.withLock { $0.table = nil } }

    private func change(_ body: (inout SequenceTable) -> Void) {
        state.withLock { state in
            guard var table = state.table.take() else { return }
            body(&table)
            state.table = table
        }
    }

    @discardableResult
    private func load(_ transaction: any StoreTransaction) throws(FirestoreError) -> SequenceTable {
        if let table = state.withLock({ $0.table }) { return table }
        var table = SequenceTable(limits: limits)
        try read(SequenceKey.all, into: &table, transaction)
        state.withLock { $0.table = table }
        return table
    }

    /// A client may have been with another process since: what the database has of the sequence replaces what is known here.
    private func refresh(_ id: String, in transaction: any StoreTransaction) throws(FirestoreError) {
        guard isShared, !DeliberateDefect.sequencesInMemory.isOn else { return }
        var table = try load(transaction)
        table.remove(id)
        try read(SequenceKey.all(of: id), into: &table, transaction)
        state.withLock { $0.table = table }
    }

    private func read(
        _ keys: Range<String>, into table: inout SequenceTable, _ transaction: any StoreTransaction
    ) throws(FirestoreError) {
        var found: [(SequenceKey, size: Int, ByteSlice)] = []
        try transaction.facts(in: keys) { (key, value) throws(FirestoreError) in
            if let part = SequenceKey(key) { found.append((part, key.utf8.count + value.count, ByteSlice(copying: value))) }
        }
        for (part, size, bytes) in found {
            switch part {
            // A head comes before its outcomes. Without one they are unknown. A damaged outcome is included: its commit was applied.
            case .head(let id):
                if let head = SequenceHead(bytes) { table.begin(id, head.owner, size: size, now: head.begun) }
            case .outcome(let id, let number):
                table.add(id, number: number, size: size, now: SequenceOutcome(bytes)?.storedAt ?? 0)
            }
        }
    }
}

/// The stored data of a sequence as a whole.
private struct SequenceHead {
    let owner: SequenceOwner
    let begun: Int64

    init(owner: SequenceOwner, begun: Int64) {
        self.owner = owner
        self.begun = begun
    }

    init?(_ bytes: ByteSlice) {
        guard let fields = try? FieldBytes(canonical: bytes).map, case .string(let owner)? = fields["owner"],
            case .integer(let begun)? = fields["begun"]
        else { return nil }
        self.init(owner: SequenceOwner(name: owner), begun: begun)
    }

    var bytes: ByteSlice { FieldBytes(FieldMap([("owner", .string(owner.name)), ("begun", .integer(begun))])).bytes }
}

/// The keys of the facts, in whose order a sequence is followed by its outcomes.
enum SequenceKey: Equatable {
    case head(id: String)
    case outcome(id: String, number: Int64)

    private static let prefix = "hearth/write-streams/"
    private static let digits = 16

    static let all = prefix..<"hearth/write-streams0"

    static func head(_ id: String) -> String { prefix + id }

    static func outcome(_ id: String, _ number: Int64) -> String {
        let digits = String(number, radix: 16)
        return prefix + id + "/" + String(repeating: "0", count: Self.digits - digits.utf8.count) + digits
    }

    /// The outcomes with some of the numbers.
    static func outcomes(_ id: String, _ numbers: Range<Int64>) -> Range<String> {
        outcome(id, numbers.lowerBound)..<outcome(id, numbers.upperBound)
    }

    /// A sequence and its outcomes. "0" follows "/".
    static func all(of id: String) -> Range<String> { head(id)..<head(id) + "0" }

    init?(_ key: String) {
        guard key.utf8.starts(with: Self.prefix.utf8) else { return nil }
        let parts = key.utf8.dropFirst(Self.prefix.utf8.count).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let id = parts.first, !id.isEmpty else { return nil }
        switch parts.count {
        case 1: self = .head(id: String(Substring(id)))
        case 2:
            guard parts[1].count == Self.digits, let number = Int64(Substring(parts[1]), radix: 16), number > 0 else { return nil }
            self = .outcome(id: String(Substring(id)), number: number)
        default: return nil
        }
    }
}
