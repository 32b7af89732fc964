// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import Dispatch
    package import FirestoreCore
    package import FirestoreStorage
    import Foundation
    import PostgresLink

    /// One database on a PostgreSQL server, which other processes read and write too.
    package final class PostgresStore: InspectableStore {
        let place: StorePlace
        let pool: PostgresPool
        let caches = StoreCaches()
        let record: HistoryRecord
        let gate: StoreGate
        let cluster: PostgresCluster
        /// One transaction of this process at a time: the others would wait for the row, each with a connection.
        let writing = DispatchSemaphore(value: 1)
        let followers = FollowerList()
        private let lookups = LookupLine()
        private let lastTrips = Mutex(0)

        init(_ place: StorePlace, _ cluster: PostgresCluster, history: DatabaseHistory, seen: Int64) {
            self.place = place
            self.cluster = cluster
            pool = cluster.pool
            gate = StoreGate(cluster.membership)
            record = HistoryRecord(history, seen: seen)
        }

        package var traits: StoreTraits { StoreTraits(hasSeveralReaders: true, hasClock: cluster.options.usesServerClock) }
        package var history: DatabaseHistory? { record.history }
        package var commitLog: (any CommitLog)? { PostgresCommitLog(self) }

        /// How often the last operation has waited for the server.
        package var lastRoundTrips: Int { lastTrips.withLock { $0 } }

        func noteTrips(_ count: Int) { lastTrips.withLock { $0 = count } }

        // MARK: Reads

        package func lookupNow(_ keys: [DocumentKey]) throws(FirestoreError) -> DocumentLookup? { nil }

        package func readNow<R>(_ body: (any StoreSnapshot) throws(FirestoreError) -> R?) throws(FirestoreError) -> R? { nil }

        package func lookup(_ keys: [DocumentKey]) async throws(FirestoreError) -> DocumentLookup {
            let result: Result<DocumentLookup, FirestoreError> = await withCheckedContinuation { continuation in
                lookups.lookup(keys, of: self) { continuation.resume(returning: $0) }
            }
            return try result.get()
        }

        /// One statement, without a transaction (DN-6.3.6).
        func lookup(_ keys: [DocumentKey], on connection: PostgresConnection) throws(FirestoreError) -> DocumentLookup {
            let session = StoreSession(connection, place)
            let result = try session.query(DocumentRows.lookup(keys, place, caches.directory))
            guard result.count > 0 else { throw endDeleted() }
            let lastCommit = result.integer(0, 5)
            noteTrips(session.roundTrips)
            if !record.saw(lastCommit, in: result.integer(0, 6)) {
                try learn(session, lastCommit: lastCommit)
            }
            let documents = try DocumentRows.documents(keys, result, place.errors, caches.directory)
            return DocumentLookup(readTime: DocumentVersion(microseconds: lastCommit), documents: documents)
        }

        package func read<R>(_ body: (any StoreSnapshot) throws(FirestoreError) -> R) throws(FirestoreError) -> R {
            let entry = try gate.enter()
            defer { gate.leave() }
            let result = try pool.withConnection(failure: place.errors.translate) { (connection) throws(FirestoreError) in
                try snapshot(on: connection, body)
            }
            try gate.confirm(entry)
            return result
        }

        package func startRead<R: Sendable>(
            _ body: @escaping @Sendable (any StoreSnapshot) throws(FirestoreError) -> R,
            completion: @escaping @Sendable (Result<R, FirestoreError>) -> Void
        ) {
            start({ (connection) throws(FirestoreError) in try self.snapshot(on: connection, body) }, completion: completion)
        }

        private func snapshot<R>(
            on connection: PostgresConnection, _ body: (any StoreSnapshot) throws(FirestoreError) -> R
        ) throws(FirestoreError) -> R {
            let session = StoreSession(connection, place)
            defer {
                session.end(session.failure == nil ? "COMMIT" : "ROLLBACK")
                noteTrips(session.roundTrips)
            }
            // The first statement travels with the beginning of the transaction (DN-6.3.6).
            let results = try session.query([PostgresCall(.beginReading), MetaRow.call(session)])
            guard let meta = MetaRow(results[1]) else { throw endDeleted() }
            if !record.saw(meta.lastCommit, in: meta.history) { try learn(session, lastCommit: meta.lastCommit) }
            return try body(PostgresSnapshot(session, meta, caches: caches))
        }

        // MARK: Threads

        /// Runs a job with a connection on a thread of the pool.
        func start<R: Sendable>(
            _ job: @escaping @Sendable (PostgresConnection) throws(FirestoreError) -> R,
            completion: @escaping @Sendable (Result<R, FirestoreError>) -> Void
        ) {
            let entry: Int
            do { entry = try gate.enter() } catch { return completion(.failure(error)) }
            pool.start { [self] access in
                let result: Result<R, FirestoreError>
                switch access {
                case .failure(let error): result = .failure(place.errors.translate(error))
                case .success(let connection):
                    do throws(FirestoreError) {
                        let found = try job(connection)
                        try gate.confirm(entry)
                        result = .success(found)
                    } catch {
                        result = .failure(error)
                    }
                }
                gate.leave()
                completion(result)
            }
        }

        func onThread<R: Sendable>(
            _ job: @escaping @Sendable (PostgresConnection) throws(FirestoreError) -> R
        ) async throws(FirestoreError) -> R {
            let result: Result<R, FirestoreError> = await withCheckedContinuation { continuation in
                start(job) { continuation.resume(returning: $0) }
            }
            return try result.get()
        }

        // MARK: History

        /// Reads the histories of the database, and ends this store if it has seen commits that are not part of the present one.
        func learn(_ session: StoreSession, lastCommit: Int64) throws(FirestoreError) {
            let results = try session.query([
                EpochList.call(session),
                session.call("SELECT 1 FROM \(session.tables.meta) WHERE db = $1 AND NOT (\(session.tables.isPresent))"),
            ])
            let isOther = results[1].count > 0
            try learn(isOther ? try openEpoch() : EpochList(results[0]), lastCommit: lastCommit)
        }

        func learn(_ epochs: EpochList, lastCommit: Int64) throws(FirestoreError) {
            guard record.learn(epochs, lastCommit: lastCommit) else {
                let error = FirestoreError.historyEnded(at: place.errors.server)
                end(error)
                throw error
            }
        }

        /// Begins another history if another server has taken over since the last commit: readers do not wait for one. On a connection of
        /// its own, because the caller's may be in a transaction.
        func followServer() throws(FirestoreError) { try learn(try openEpoch(), lastCommit: 0) }

        private func openEpoch() throws(FirestoreError) -> EpochList {
            let connection: PostgresConnection
            do { connection = try PostgresConnection(cluster.settings) } catch { throw place.errors.translate(error) }
            defer { connection.close() }
            let session = StoreSession(connection, place)
            _ = try session.query(PostgresCall(.begin))
            return try openEpoch(session)
        }

        func endDeleted() -> FirestoreError {
            let error = FirestoreError.isDeleted(at: place.errors.server)
            end(error)
            return error
        }

        /// Nothing that was read before may be used any more: collection numbers, catalogs and views of lost commits must not survive.
        func end(_ error: FirestoreError) {
            if gate.endHistory(error) { followers.end(error) }
        }

        /// Returns when no later commit can get a time at or before this one (DN-4.11): a commit that holds the row is waited for, and
        /// later ones take the server's clock.
        package func settle(_ time: DocumentVersion) async throws(FirestoreError) {
            try await onThread { (connection) throws(FirestoreError) in
                let session = StoreSession(connection, self.place)
                let tables = self.place.tables
                let results = try session.query([
                    PostgresCall(.begin),
                    session.call("SELECT \(MetaRow.columns(tables)) FROM \(tables.meta) WHERE db = $1 FOR SHARE"),
                    PostgresCall(PostgresStatement("SELECT \(tables.dialect.clock)")), PostgresCall(.commit),
                ])
                guard let meta = MetaRow(results[1]) else { throw self.endDeleted() }
                if !self.record.saw(meta.lastCommit, in: meta.history) { try self.learn(session, lastCommit: meta.lastCommit) }
                guard !self.traits.hasClock || time.microseconds <= max(results[2].integer(0, 0) - 1, meta.lastCommit) else {
                    throw .invalidArgument("the read time lies in the future; take one within the retention window")
                }
            }
        }

        package func close() throws(FirestoreError) {
            gate.close()
            cluster.poller.remove(self)
        }
    }
#endif
