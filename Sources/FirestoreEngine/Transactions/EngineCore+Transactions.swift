import FirestoreCore
import FirestoreStorage

extension EngineCore {
    func beginTransaction(_ mode: TransactionMode, owner: Int) async throws(FirestoreError) -> TransactionID {
        if case .readOnly(let time?) = mode {
            // Fails now if the moment cannot be read.
            if try mustWait(for: .past(time), seesSubmitted: false) { await committer.pendingCommits() }
            _ = try await read(DocumentRead(keys: []), at: .past(time))
        }
        return try withTransactions { table, now throws(FirestoreError) in
            try table.begin(mode, owner: owner, now: now)
        }
    }

    /// The moment a transaction reads at; nil before its first read.
    func snapshot(of id: TransactionID) throws(FirestoreError) -> DocumentVersion? {
        try withTransactions { table, now throws(FirestoreError) in try table.snapshot(of: id, now: now) }
    }

    /// Reads in a transaction: all from the moment of its first read (TX-3), and remembered until its commit.
    func read<Operation: ReadOperation>(
        _ operation: Operation, in id: TransactionID
    ) async throws(FirestoreError) -> Timed<Operation.Answer> {
        var (answer, time) = (Operation.Answer?.none, DocumentVersion.none)
        if let snapshot = try snapshot(of: id) {
            time = snapshot
        } else {
            let first = try await operation.latest(in: store)
            // Another moment if another read was faster.
            time = try withTransactions { table, now throws(FirestoreError) in
                try table.pin(id, to: first.time, now: now)
            }
            if time == first.time { answer = first.answer }
        }
        let found: Operation.Answer
        if let answer { found = answer } else { found = try await self.answer(of: operation, at: time) }
        try withTransactions { table, now throws(FirestoreError) in
            try table.add(operation.dependency(of: found), to: id, now: now)
        }
        return Timed(answer: found, time: time)
    }

    /// Ends a transaction for its commit (TX-9) and returns what is to be checked there.
    func takeReads(of id: TransactionID) throws(FirestoreError) -> TransactionReads {
        try withTransactions { table, now throws(FirestoreError) in try table.commit(id, now: now) }
    }

    func rollback(_ id: TransactionID) throws(FirestoreError) {
        try withTransactions { table, now throws(FirestoreError) in try table.rollback(id, now: now) }
    }

    private func withTransactions<Result: Sendable>(
        _ body: (inout TransactionTable, _ now: Int64) throws(FirestoreError) -> Result
    ) throws(FirestoreError) -> Result {
        let now = clock.now()
        return try transactions.withLock { table throws(FirestoreError) in try body(&table, now) }
    }
}
