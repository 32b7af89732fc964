// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The open transactions, and which operations are valid for an id (TX-6 … TX-10).
///
/// Decides; `EngineCore` reads and commits. Ids are consecutive, so two numbers describe all finished ones: an id that was issued
/// and is not open has ended; any other was never issued.
struct TransactionTable {
    private struct Entry {
        let mode: TransactionMode
        /// The engine handle that opened it.
        let owner: Int
        let caller: SequenceOwner
        let begun: Int64
        var used: Int64
        var reads = TransactionReads()
        /// Something outside relies on the moment of its reads.
        var isFixed = false
        /// The writes of its pipelines, which its commit applies before its own.
        var staged: [Write] = []
        var stagedBytes = 0

        var share: TransactionLimits.Share { TransactionLimits.Share(transactions: 1, bytes: reads.weight + stagedBytes) }
    }

    private let limits: TransactionLimits
    private let first: UInt64
    private var next: UInt64
    private var open: [UInt64: Entry] = [:]
    private var shares: TransactionShares
    private var lastSweep: Int64 = 0

    /// `first` is random, so that ids of an earlier process are unknown and not finished transactions.
    init(limits: TransactionLimits, first: UInt64) {
        self.limits = limits
        self.first = first
        next = first
        shares = TransactionShares(limits: limits)
    }

    var openCount: Int { open.count }

    mutating func begin(
        _ mode: TransactionMode, owner: Int, caller: SequenceOwner, now: Int64
    ) throws(FirestoreError) -> TransactionID {
        if case .readWrite(let retrying?) = mode, !isIssued(retrying) {
            throw .invalidArgument("invalid retry transaction: this database has not begun it")
        }
        // Abandoned transactions are removed together with their reads.
        sweep(every: limits.idle, now)
        var entry = Entry(mode: mode, owner: owner, caller: caller, begun: now, used: now)
        try makeRoom(for: entry.share, of: caller, now)
        shares.add(entry.share, of: caller)
        if case .readOnly(let time) = mode { entry.reads.snapshot = time }
        open[next] = entry
        next += 1
        return TransactionID(next - 1)
    }

    /// Before a read: the moment to read at; nil for the current one, because nothing was read yet.
    mutating func snapshot(of id: TransactionID, now: Int64) throws(FirestoreError) -> DocumentVersion? {
        var entry = try entry(id, now)
        entry.used = now
        open[id.number] = entry
        return entry.reads.snapshot
    }

    /// After a first read: the moment of all reads; a different one if another read was faster.
    mutating func pin(_ id: TransactionID, to time: DocumentVersion, now: Int64) throws(FirestoreError) -> DocumentVersion {
        var entry = try entry(id, now)
        let snapshot = entry.reads.snapshot ?? time
        entry.reads.snapshot = snapshot
        open[id.number] = entry
        return snapshot
    }

    /// From now on the moment of its reads does not change.
    mutating func fix(_ id: TransactionID) { open[id.number]?.isFixed = true }

    /// What it has read, if its moment may change.
    func reads(of id: TransactionID) -> TransactionReads? {
        open[id.number].flatMap { $0.isFixed || $0.reads.snapshot == nil ? nil : $0.reads }
    }

    /// The reads were the same at a later moment. Returns the moment of all reads; another one if it has read more since, or asked.
    mutating func move(
        _ id: TransactionID, of reads: TransactionReads, to time: DocumentVersion, now: Int64
    ) throws(FirestoreError) -> DocumentVersion? {
        let entry = try entry(id, now)
        guard !entry.isFixed, entry.reads.isSame(as: reads), let snapshot = reads.snapshot else { return entry.reads.snapshot }
        open[id.number]?.reads.snapshot = max(snapshot, time)
        return max(snapshot, time)
    }

    /// Records a read at the snapshot, and returns that: the read is recorded only if it was at this moment. Throws if the transaction has
    /// ended. Without room for the read it ends the transaction and throws.
    @discardableResult
    mutating func add(
        _ dependency: @autoclosure () -> ReadDependency, at time: DocumentVersion, to id: TransactionID, now: Int64
    ) throws(FirestoreError) -> DocumentVersion {
        var entry = try entry(id, now)
        let snapshot = entry.reads.snapshot ?? time
        // Documents that a read-only transaction has read may change.
        guard snapshot == time, case .readWrite = entry.mode else { return snapshot }
        remove(id.number)  // so that the reads are not copied
        entry.reads.add(dependency())
        guard entry.reads.weight <= limits.bytes else {
            throw .invalidArgument("the transaction has ended because it has read too much; read fewer documents and queries in one")
        }
        try makeRoom(for: entry.share, of: entry.caller, now)
        shares.add(entry.share, of: entry.caller)
        open[id.number] = entry
        return snapshot
    }

    /// Keeps writes for the commit of a transaction. Without room for them it ends the transaction and throws.
    mutating func stage(_ writes: [Write], bytes: Int, in id: TransactionID, now: Int64) throws(FirestoreError) {
        var entry = try entry(id, now)
        guard case .readWrite = entry.mode else { throw .readOnlyTransaction }
        remove(id.number)
        entry.staged += writes
        entry.stagedBytes += bytes
        try makeRoom(for: entry.share, of: entry.caller, now)
        shares.add(entry.share, of: entry.caller)
        open[id.number] = entry
    }

    /// Ends a transaction for its commit, whatever the result (TX-9); returns the reads to check, the writes of its pipelines, and its
    /// caller. A read-only transaction may be committed without writes, too (TX-6).
    mutating func commit(
        _ id: TransactionID, isWriting: Bool, now: Int64
    ) throws(FirestoreError) -> (reads: TransactionReads, staged: [Write], caller: SequenceOwner) {
        let entry = try entry(id, now)
        remove(id.number)
        if isWriting, case .readOnly = entry.mode { throw .readOnlyTransaction }
        return (entry.reads, entry.staged, entry.caller)
    }

    /// Whether it may wait for its turn: read-only transactions do not conflict, and one whose moment cannot change gains nothing.
    func mayWait(_ id: TransactionID) -> Bool {
        guard let entry = open[id.number], case .readWrite = entry.mode else { return false }
        return !entry.isFixed || entry.reads.snapshot == nil
    }

    mutating func rollback(_ id: TransactionID, now: Int64) throws(FirestoreError) {
        _ = try entry(id, now)
        remove(id.number)
    }

    /// The handle has shut down. Returns the transactions that end with it.
    mutating func end(owner: Int) -> [TransactionID] {
        let ended = open.filter { $0.value.owner == owner }.keys
        for number in ended { remove(number) }
        return ended.map { TransactionID($0) }
    }

    /// The number of transactions that can still be used.
    mutating func aliveCount(now: Int64) -> Int {
        sweep(every: 0, now)
        return open.count
    }

    private func isIssued(_ id: TransactionID) -> Bool { (first..<next).contains(id.number) }

    private func isAlive(_ entry: Entry, _ now: Int64) -> Bool {
        now - entry.begun < limits.lifetime && now - entry.used < limits.idle
    }

    private mutating func remove(_ number: UInt64) {
        guard let entry = open.removeValue(forKey: number) else { return }
        shares.remove(entry.share, of: entry.caller)
    }

    /// Removes expired transactions if they were not removed within the interval.
    private mutating func sweep(every interval: Int64, _ now: Int64) {
        // The clock may have been set back.
        guard now - lastSweep >= interval || now < lastSweep else { return }
        lastSweep = now
        for (number, entry) in open where !isAlive(entry, now) { remove(number) }
    }

    /// Throws if a caller cannot have more, also after expired transactions have made room. They are looked for now and then: callers
    /// that are rejected again and again must not keep the table busy.
    private mutating func makeRoom(
        for more: TransactionLimits.Share, of caller: SequenceOwner, _ now: Int64
    ) throws(FirestoreError) {
        guard shares.rejection(of: more, for: caller) != nil else { return }
        sweep(every: limits.idle / 64, now)
        if let rejection = shares.rejection(of: more, for: caller) { throw rejection }
    }

    private mutating func entry(_ id: TransactionID, _ now: Int64) throws(FirestoreError) -> Entry {
        guard isIssued(id) else { throw .invalidArgument("invalid transaction: this database has not begun it") }
        if let entry = open[id.number], isAlive(entry, now) { return entry }
        remove(id.number)
        throw FirestoreError(.aborted, "the transaction has expired or is no longer valid; run it again from the start")
    }
}

extension FirestoreError {
    static let readOnlyTransaction = FirestoreError.invalidArgument(
        "Cannot modify entities in a read-only transaction; begin one that may write")
}
