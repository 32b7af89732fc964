// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import FirestoreCore
    import FirestoreStorage
    import PostgresLink

    extension PostgresTransaction {
        package func logFloor() throws(FirestoreError) -> DocumentVersion { floor }

        /// The stored entries are older than those of this transaction, so they come first.
        package func states(
            at time: DocumentVersion, in scope: QueryScope, _ body: (EarlierState) throws(FirestoreError) -> ScanStep
        ) throws(FirestoreError) {
            let filter = LogScope(scope: scope)
            var seen: Set<DocumentKey> = []
            var isStopped = false
            func visit(_ key: DocumentKey, _ row: RowKey, _ previous: Document?, _ existsNow: Bool) throws(FirestoreError) -> ScanStep {
                guard filter.includes(key.collection), seen.insert(key).inserted else { return .next }
                let exists = buffer.documents[key].map { $0 != nil } ?? existsNow
                let step = try body(EarlierState(key: key, document: previous, current: exists ? handles.handle(row) : nil))
                isStopped = step == .stop
                return step
            }
            // Nothing was committed behind the last commit.
            if time < lastCommitTime {
                noteMissedRead()
                try ChangeLog(session: session).visit(after: time, in: scope, skips: true) { entry throws(FirestoreError) in
                    try visit(entry.key, entry.row, entry.previous, entry.existsNow)
                }
            }
            for change in buffer.changes where !isStopped && change.time > time.microseconds {
                // An intermediate state of the document.
                if let previous = change.previous, previous.updateTime > time { continue }
                if try visit(change.key, change.row, change.previous, false) == .stop { return }
            }
        }

        package func pruneLog(before horizon: DocumentVersion, limit: Int) throws(FirestoreError) -> Int {
            let changes = session.tables.changes
            // If all of them are removed, the log is complete after the last one: after an idle time that is long before the horizon, and
            // watches that stopped then can still resume.
            let results = try execute([
                session.call("SELECT max(commit_time) FROM \(changes) WHERE db = $1 AND commit_time < $2", .int8(horizon.microseconds)),
                session.call(
                    """
                    DELETE FROM \(changes) WHERE db = $1 AND (commit_time, ord) IN (
                    SELECT commit_time, ord FROM \(changes) WHERE db = $1 AND commit_time < $2 ORDER BY commit_time, ord LIMIT $3)
                    """, .int8(horizon.microseconds), .int8(Int64(limit))),
            ])
            let removed = results[1].affected
            guard removed > 0, results[0].count > 0, !results[0].isNull(0, 0) else { return 0 }
            // The log is complete from the oldest commit of which every change is still stored.
            let floor = try execute([
                session.call(
                    """
                    UPDATE \(session.tables.meta) SET log_floor = greatest(log_floor, CASE WHEN $3 THEN $2
                    ELSE coalesce((SELECT min(commit_time) FROM \(changes) WHERE db = $1), $2) END + 1) WHERE db = $1 RETURNING log_floor
                    """, .int8(results[0].integer(0, 0)), .bool(removed < limit))
            ])
            if floor[0].count > 0 { self.floor = floor[0].version(0, 0) }
            return removed
        }
    }
#endif
