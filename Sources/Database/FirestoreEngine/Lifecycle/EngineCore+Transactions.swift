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
        if case .readWrite(let earlier?) = mode { await retries.begin(id, retrying: earlier) }
        return id
    }

    /// The moment at which a transaction reads; nil before its first read.
    func snapshot(of id: TransactionID) throws(FirestoreError) -> DocumentVersion? {
        try withTransactions { table, now throws(FirestoreError) in try table.snapshot(of: id, now: now) }
    }

    /// Reads in a transaction: all as of the moment of its first read (TX-3), and recorded until its commit.
    func read<Operation: ReadOperation>(
        _ operation: Operation, in id: TransactionID, meter: CallMeter?
    ) async throws(FirestoreError) -> Timed<Operation.Answer> {
        var (answer, time) = (Operation.Answer?.none, DocumentVersion.none)
        if let snapshot = try snapshot(of: id) {
            retries.use(id)
            time = snapshot
        } else {
            // Before there is a snapshot, which must be current when the turn comes.
            if transactions.withLock({ $0.isReadWrite(id) }), await takeTurn(id, at: operation.places, meter) {
                // Commits that had passed the check of turns before this read would otherwise be committed after it.
                await committer.pendingCommits()
            }
            let first = try await operation.latest(in: store)
            // Another moment if another read was faster.
            time = try withTransactions { table, now throws(FirestoreError) in
                try table.pin(id, to: first.time, now: now)
            }
            if time == first.time { answer = first.answer }
        }
        let found: Operation.Answer
        if let answer { found = answer } else { found = try await self.answer(of: operation, at: time) }
        do throws(FirestoreError) {
            try withTransactions { table, now throws(FirestoreError) in
                try table.add(operation.dependency(of: found), to: id, now: now)
            }
        } catch {
            retries.end(id)
            throw error
        }
        return Timed(answer: found, time: time)
    }

    /// Waits while other transactions are before this one; returns whether it had to.
    private func takeTurn(_ id: TransactionID, at places: [DocumentKey], _ meter: CallMeter?) async -> Bool {
        guard let meter else { return await retries.read(id, at: places) }
        let start = ContinuousClock.now
        defer { meter.locked(since: start) }
        return await retries.read(id, at: places)
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

    /// Ends a transaction for its commit (TX-9) and returns the conditions to check there, and the writes to apply before those of the
    /// commit. `committed` must be called with the result of the commit, also when this throws.
    func end(
        _ id: TransactionID, for writes: [Write]
    ) throws(FirestoreError) -> (conditions: [any CommitCondition], staged: [Write]) {
        let (reads, staged) = try withTransactions { table, now throws(FirestoreError) in
            try table.commit(id, isWriting: !writes.isEmpty, now: now)
        }
        guard reads.snapshot != nil else { return ([reads], staged) }
        retries.use(id)
        return ([reads, TurnCondition(id: id, places: reads.places, gate: retries)], staged)
    }

    /// A commit of a transaction is finished: the next transaction in line may continue, and an aborted one is remembered.
    func committed(_ id: TransactionID, _ result: Result<CommitResponse, FirestoreError>) {
        if case .failure(let error) = result, error.code == .aborted, let place = error.location {
            retries.end(id, abortedAt: place)
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
