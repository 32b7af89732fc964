// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

extension EngineCore {
    func beginTransaction(
        _ mode: TransactionMode, owner: Int, caller: RequestContext.Caller
    ) async throws(FirestoreError) -> TransactionID {
        if case .readOnly(let time?) = mode {
            // Fails now if the moment cannot be read.
            if try mustWait(for: .past(time), seesSubmitted: false) { await committer.pendingCommits() }
            _ = try await read(DocumentRead(keys: []), at: .past(time))
        }
        let id = try withTransactions { table, now throws(FirestoreError) in
            try table.begin(mode, owner: owner, caller: SequenceOwner(caller), now: now)
        }
        if case .readWrite(let earlier?) = mode { await retries.begin(id, retrying: earlier, of: SequenceOwner(caller)) }
        return id
    }

    /// The moment at which a transaction reads; nil before its first read.
    func snapshot(of id: TransactionID) throws(FirestoreError) -> DocumentVersion? {
        try withTransactions { table, now throws(FirestoreError) in try table.snapshot(of: id, now: now) }
    }

    /// Reads in a transaction: all as of one moment (TX-3), and recorded until its commit. The moment is that of the first read, or a
    /// later one at which that has not changed: a transaction that had to wait for its turn would otherwise be aborted in it.
    func read<Operation: ReadOperation>(
        _ operation: Operation, in id: TransactionID, meter: CallMeter?
    ) async throws(FirestoreError) -> Timed<Operation.Answer> {
        _ = try snapshot(of: id)
        // A caller that reads nothing asks for the moment, and relies on it.
        if operation.places.isEmpty { transactions.withLock { $0.fix(id) } }
        let turn = await takeTurn(id, at: operation.places, meter)
        var (answer, time) = (Operation.Answer?.none, DocumentVersion.none)
        if let snapshot = try snapshot(of: id) {
            time = turn == .begun ? try await laterMoment(of: id) ?? snapshot : snapshot
        } else {
            // Commits that had passed the check of turns before this read would otherwise be committed after it.
            if turn != .none { await committer.pendingCommits() }
            let first = try await operation.latest(in: store)
            // Another moment if another read was faster.
            time = try withTransactions { table, now throws(FirestoreError) in
                try table.pin(id, to: first.time, now: now)
            }
            if time == first.time { answer = first.answer }
        }
        do throws(FirestoreError) {
            while true {
                let found: Operation.Answer
                if let answer { found = answer } else { found = try await self.answer(of: operation, at: time) }
                let moment = try withTransactions { table, now throws(FirestoreError) in
                    try table.add(operation.dependency(of: found), at: time, to: id, now: now)
                }
                // Another read has moved it meanwhile.
                if moment == time { return Timed(answer: found, time: time) }
                (answer, time) = (nil, moment)
            }
        } catch {
            retries.end(id)
            throw error
        }
    }

    /// Waits while other transactions are before this one.
    private func takeTurn(_ id: TransactionID, at places: [DocumentKey], _ meter: CallMeter?) async -> RetryGate.Turn {
        guard !retries.isEmpty else { return .none }
        guard transactions.withLock({ $0.mayWait(id) }) else {
            retries.use(id)
            return .none
        }
        let start = ContinuousClock.now
        defer { meter?.locked(since: start) }
        return await retries.read(id, at: places)
    }

    /// Moves a transaction to the present, if nothing that it has read has changed. Returns its moment; nil if it has not moved.
    ///
    /// The check takes its place among the commits, so that it sees those that were checked before the turn began.
    private func laterMoment(of id: TransactionID) async throws(FirestoreError) -> DocumentVersion? {
        guard let reads = transactions.withLock({ $0.reads(of: id) }) else { return nil }
        let moment = MomentOfCheck()
        let result = await withCheckedContinuation { continuation in
            _ = committer.submit(
                PendingCommit(
                    writes: [], conditions: [reads, moment], deadline: nil, rejection: nil,
                    completion: { continuation.resume(returning: $0) }))
        }
        guard case .success = result, let time = moment.time else { return nil }
        return try withTransactions { table, now throws(FirestoreError) in
            try table.move(id, of: reads, to: time, now: now)
        }
    }

    /// Keeps the writes of a pipeline for the commit of its transaction.
    func stage(_ writes: [Write], bytes: Int, in id: TransactionID) throws(FirestoreError) {
        do throws(FirestoreError) {
            try withTransactions { table, now throws(FirestoreError) in try table.stage(writes, bytes: bytes, in: id, now: now) }
        } catch {
            retries.end(id)
            throw error
        }
    }

    /// What `end` returns about a transaction.
    struct TransactionEnd {
        /// To be checked in its commit.
        let conditions: [any CommitCondition]
        /// The writes to apply before those of the commit.
        let staged: [Write]
        let reads: TransactionReads
        let caller: SequenceOwner
    }

    /// Ends a transaction for its commit (TX-9). `committed` must be called with the result of the commit, also when this throws.
    func end(_ id: TransactionID, for writes: [Write]) throws(FirestoreError) -> TransactionEnd {
        let (reads, staged, caller) = try withTransactions { table, now throws(FirestoreError) in
            try table.commit(id, isWriting: !writes.isEmpty, now: now)
        }
        guard reads.snapshot != nil else {
            return TransactionEnd(conditions: [reads], staged: staged, reads: reads, caller: caller)
        }
        retries.use(id)
        let turns = TurnCondition(id: id, places: reads.places, gate: retries)
        return TransactionEnd(conditions: [reads, turns], staged: staged, reads: reads, caller: caller)
    }

    /// A commit of a transaction is finished: the next transaction in line may continue, and an aborted one is remembered.
    func committed(_ id: TransactionID, _ end: TransactionEnd?, _ result: Result<CommitResponse, FirestoreError>) {
        if case .failure(let error) = result, error.code == .aborted, let place = error.location, let end {
            retries.end(id, of: end.caller, abortedAt: end.reads.places(at: place))
        } else {
            retries.end(id)
        }
        if case .failure(let error) = result, error.code == .aborted { conflicts.withLock { $0 += 1 } }
    }

    func rollback(_ id: TransactionID) throws(FirestoreError) {
        defer { retries.end(id) }
        try withTransactions { table, now throws(FirestoreError) in try table.rollback(id, now: now) }
    }

    /// The number of transactions that are open and have not expired.
    var openTransactions: Int {
        let now = clock.now()
        return transactions.withLock { $0.aliveCount(now: now) }
    }

    private func withTransactions<Result: Sendable>(
        _ body: (inout TransactionTable, _ now: Int64) throws(FirestoreError) -> Result
    ) throws(FirestoreError) -> Result {
        let now = clock.now()
        return try transactions.withLock { table throws(FirestoreError) in try body(&table, now) }
    }
}
