// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import Dispatch
    package import FirestoreCore
    package import FirestoreStorage
    import Foundation
    import PostgresLink

    extension PostgresStore {
        package func write<R>(
            _ needs: StoreNeeds, _ body: (any StoreTransaction) throws(FirestoreError) -> R
        ) throws(FirestoreError) -> Written<R> {
            try gate.enter()
            defer { gate.leave() }
            writing.wait()
            defer { writing.signal() }
            let number = cluster.nextWriteNumber()
            let deadline = DispatchTime.now() + cluster.options.patience
            var attempts = 0
            while true {
                attempts += 1
                switch try attempt(needs, number, body) {
                case .done(let written): return written
                case .again(let error):
                    guard attempts < 10, .now() < deadline else { throw place.errors.translate(error) }
                    if attempts > 1 { Thread.sleep(forTimeInterval: 0.002 * Double(attempts)) }
                case .unknown(let written, let error):
                    if try settle(number, until: deadline, error) { return written }
                }
            }
        }

        private enum Attempt<R> {
            case done(Written<R>)
            /// Nothing was applied, and another attempt may succeed.
            case again(PostgresError)
            /// The connection was lost behind the last message.
            case unknown(Written<R>, PostgresError)
        }

        private func attempt<R>(
            _ needs: StoreNeeds, _ number: Int64, _ body: (any StoreTransaction) throws(FirestoreError) -> R
        ) throws(FirestoreError) -> Attempt<R> {
            try pool.withConnection(failure: place.errors.translate) { (connection) throws(FirestoreError) in
                let session = StoreSession(connection, place)
                defer { noteTrips(session.roundTrips) }
                do throws(FirestoreError) {
                    guard let transaction = try begin(session, needs) else {
                        return .again(PostgresError(.retry, "the history has changed"))
                    }
                    let result = try body(transaction)
                    if let loss = transaction.loss { throw loss }
                    let written = Written(result: result, previous: transaction.lastCommitTime)
                    guard transaction.hasChanges else {
                        session.end("COMMIT")
                        return .done(written)
                    }
                    return try finish(transaction, number, written)
                } catch {
                    session.end("ROLLBACK")
                    // Before its last message nothing of a transaction is stored.
                    if let failure = session.failure, failure.kind == .retry || failure.isConnectionLost { return .again(failure) }
                    throw error
                }
            }
        }

        /// Takes the row and reads what is needed, in one message: statements of their own behind the lock, because one statement has one
        /// snapshot, from before it waited (DN-4.5). Returns nil if the transaction has to begin again.
        private func begin(_ session: StoreSession, _ needs: StoreNeeds) throws(FirestoreError) -> PostgresTransaction? {
            let dialect = place.tables.dialect
            let keys = Array(needs.documents)
            let ranges = needs.facts.map { FactRange($0) }
            var calls = [
                PostgresCall(PostgresStatement("BEGIN ISOLATION LEVEL \(dialect.isolation)")),
                session.call(
                    """
                    SELECT \(MetaRow.columns(place.tables)) FROM \(place.tables.meta)
                    WHERE db = $1 AND \(place.tables.isPresent) \(DeliberateDefect.timesWithoutRow.isOn ? "" : "FOR UPDATE")
                    """),
                PostgresCall(PostgresStatement("SELECT \(dialect.clock)")),
            ]
            if !keys.isEmpty { calls.append(DocumentRows.call(keys, session, caches.directory)) }
            calls += ranges.map { FetchedFacts.call($0, session) }
            let fence = cluster.membership.fence
            if let fence { calls.append(fence) }
            let results = try session.query(calls)
            if fence != nil, results.last?.count == 0 { throw cluster.membership.lost }
            guard let meta = MetaRow(results[1]) else {
                try learn(try openEpoch(session), lastCommit: 0)
                return nil
            }
            if !record.saw(meta.lastCommit, in: meta.history) {
                try learn(session, lastCommit: meta.lastCommit)
                // The keys may have been looked for by numbers of lost collections.
                session.end("ROLLBACK")
                return nil
            }
            let transaction = PostgresTransaction(
                session, caches, meta, clock: cluster.options.usesServerClock ? results[2].integer(0, 0) : nil)
            var next = 3
            if !keys.isEmpty {
                transaction.remember(try DocumentRows.documents(keys, results[3], session, caches.directory), of: keys)
                next = 4
            }
            for (range, result) in zip(ranges, results[next...]) { transaction.fetchedFacts.add(range, result) }
            return transaction
        }

        /// Sends everything with the end of the transaction.
        private func finish<R>(
            _ transaction: PostgresTransaction, _ number: Int64, _ written: Written<R>
        ) throws(FirestoreError) -> Attempt<R> {
            let session = transaction.session
            let calls = transaction.statements(node: cluster.node, number: number) + [PostgresCall(.commit)]
            cluster.options.beforeCommit?(session.connection)
            do {
                _ = try session.connection.query(calls)
            } catch {
                if error.isConnectionLost { return .unknown(written, error) }
                session.end("ROLLBACK")
                if error.kind == .retry { return .again(error) }
                throw place.errors.translate(error)
            }
            if cluster.options.losesAnswer?() == true {
                session.connection.close()
                return .unknown(written, PostgresError(.unavailable, "lost for a test", isConnectionLost: true))
            }
            for (path, number) in transaction.buffer.collections { caches.directory.remember(path, number: number) }
            if let catalog = transaction.buffer.catalog { caches.catalogs.remember(catalog) }
            if let time = transaction.buffer.commitTime { _ = record.saw(time, in: transaction.meta.history) }
            return .done(written)
        }

        // MARK: Unknown outcomes

        /// Finds out whether a transaction was applied: takes the row, which waits until the old connection is done, and reads the number
        /// of the last transaction of this node (DN-8.2).
        private func settle(_ number: Int64, until deadline: DispatchTime, _ cause: PostgresError) throws(FirestoreError) -> Bool {
            while true {
                do {
                    return try pool.withConnection { (connection) throws(PostgresError) in
                        let results = try connection.query([
                            PostgresCall(.begin),
                            PostgresCall(
                                PostgresStatement("SELECT db FROM \(place.tables.meta) WHERE db = $1 FOR UPDATE"), .int4(place.database)),
                            PostgresCall(
                                PostgresStatement("SELECT number FROM \(place.tables.writers) WHERE db = $1 AND node = $2"),
                                .int4(place.database), .bytes(cluster.node)),
                            PostgresCall(.commit),
                        ])
                        return results[2].count > 0 && results[2].integer(0, 0) == number
                    }
                } catch {
                    guard .now() < deadline else {
                        throw FirestoreError(
                            .unavailable,
                            "the database server was lost during a commit; whether the write was applied is not known (\(cause))",
                            at: place.errors.server, cause: error)
                    }
                    Thread.sleep(forTimeInterval: 0.02)
                }
            }
        }

        // MARK: Epochs

        /// Ends a transaction in which the row was not there: the database is deleted, or another server has taken over. The first process
        /// that notices the latter begins another history, under the row (DN-8.3).
        func openEpoch(_ session: StoreSession) throws(FirestoreError) -> EpochList {
            let tables = place.tables
            let results = try session.query([
                session.call(
                    """
                    SELECT \(MetaRow.columns(tables)), \(tables.isPresent) AND \(tables.isSameRun(db: "$1", key: "$2")),
                    \(tables.timeline) FROM \(tables.meta) WHERE db = $1 FOR UPDATE
                    """, .bytes(PostgresTables.serverStartFact)),
                EpochList.call(session), PostgresCall(PostgresStatement("SELECT \(tables.dialect.clock)")),
            ])
            guard let meta = MetaRow(results[0]) else {
                session.end("ROLLBACK")
                throw endDeleted()
            }
            var epochs = EpochList(results[1])
            if results[0].integer(0, 5) == 0 {
                let time = max(meta.lastCommit, results[2].integer(0, 0), record.seen)
                epochs = try begin(after: meta.lastCommit, at: time, epochs, results[0].text(0, 6) ?? "", session)
            } else {
                session.end("COMMIT")
            }
            return epochs
        }

        /// Stores a new history that begins behind the last commit, and ends the transaction.
        private func begin(
            after last: Int64, at time: Int64, _ epochs: EpochList, _ timeline: String, _ session: StoreSession
        ) throws(FirestoreError) -> EpochList {
            let number = DatabaseHistory.randomNumber()
            _ = try session.query([
                session.call(
                    "INSERT INTO \(place.tables.epochs)(db, ord, history, after, timeline) VALUES($1, $2, $3, $4, $5)",
                    .int4(Int32(epochs.numbers.count)), .int8(Int64(bitPattern: number)), .int8(last), .text(timeline)),
                // Versions of the catalog that were lost are not used again: other processes may have them in memory.
                session.call(
                    """
                    UPDATE \(place.tables.meta) SET history = $2, timeline = $3, previous_commit = last_commit, last_commit = $4,
                    catalog = catalog + 1048576 WHERE db = $1
                    """, .int8(Int64(bitPattern: number)), .text(timeline), .int8(time)),
                session.call(
                    """
                    INSERT INTO \(place.tables.facts)(db, key, value) VALUES($1, $2, \(place.tables.serverStart))
                    ON CONFLICT (db, key) DO UPDATE SET value = excluded.value
                    """, .bytes(PostgresTables.serverStartFact)),
                PostgresCall(.commit),
            ])
            return epochs.appending(number, after: last)
        }
    }
#endif
