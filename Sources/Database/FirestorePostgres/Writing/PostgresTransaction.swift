// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import FirestoreCore
    package import FirestoreStorage
    import PostgresLink

    /// A transaction under the lock of its database. Reads come from what was fetched with the lock, or take a round trip; changes stay in
    /// memory until its end (DN-4.7, DN-7.1).
    package final class PostgresTransaction: StoreTransaction {
        package let lastCommitTime: DocumentVersion
        package let clock: Int64?
        /// Reads that `StoreNeeds` did not name: each was one more round trip under the lock.
        package private(set) var missedReads = 0
        let session: StoreSession
        let caches: StoreCaches
        let meta: MetaRow
        var buffer: WriteBuffer
        var floor: DocumentVersion
        /// What was read from the tables.
        private var fetched: [DocumentKey: Document?] = [:]
        var fetchedFacts = FetchedFacts()
        private var numbers: [CollectionPath: Int64] = [:]
        private var storedCatalog: IndexCatalog?
        let handles = DocumentHandles()
        private var depth = 0
        /// Statements that have changed rows already, which `savepoint` cannot undo.
        private(set) var executed = 0
        private var lostTo: FirestoreError?

        init(_ session: StoreSession, _ caches: StoreCaches, _ meta: MetaRow, clock: Int64?) {
            (self.session, self.caches, self.meta, self.clock) = (session, caches, meta, clock)
            lastCommitTime = DocumentVersion(microseconds: meta.lastCommit)
            floor = DocumentVersion(microseconds: meta.logFloor)
            buffer = WriteBuffer(nextCollection: meta.nextCollection)
        }

        package var roundTrips: Int { session.roundTrips }

        /// A read that was not fetched with the lock.
        func miss(_ calls: [PostgresCall]) throws(FirestoreError) -> [PostgresResult] {
            missedReads += 1
            return try session.query(calls)
        }

        func noteMissedRead() { missedReads += 1 }

        func miss(_ call: PostgresCall) throws(FirestoreError) -> PostgresResult {
            guard let result = try miss([call]).first else { throw session.damaged("an answer of the server") }
            return result
        }

        /// A statement that changes rows before the end.
        func execute(_ calls: [PostgresCall]) throws(FirestoreError) -> [PostgresResult] {
            executed += 1
            return try session.query(calls)
        }

        // MARK: Documents

        func remember(_ documents: [Document?], of keys: [DocumentKey]) {
            for (key, document) in zip(keys, documents) { fetched[key] = .some(document) }
        }

        package func document(_ key: DocumentKey) throws(FirestoreError) -> Document? {
            if let own = buffer.documents[key] { return own }
            if let known = fetched[key] { return known }
            let result = try miss(DocumentRows.call([key], session, caches.directory))
            let documents = try DocumentRows.documents([key], result, session, caches.directory)
            remember(documents, of: [key])
            return documents[0]
        }

        @discardableResult
        package func store(_ change: CommittedChange, at time: DocumentVersion) throws(FirestoreError) -> DocumentPlace {
            let id = change.key.encodedID
            let place = DocumentPlace(collection: try makeNumber(of: change.key.collection), id: id)
            if change.old == nil, change.new == nil { return place }
            let row = RowKey(collection: place.collection, id: id.array)
            buffer.set(change.new, at: change.key, row)
            buffer.log(change.old, of: change.key, row, at: time.microseconds)
            return place
        }

        func number(of path: CollectionPath) throws(FirestoreError) -> Int64? {
            if let known = buffer.collections[path] ?? numbers[path] ?? caches.directory[path] { return known }
            let hash = session.tables.dialect.hash("$2::bytea")
            let result = try miss(
                session.call(
                    "SELECT number FROM \(session.tables.collections) WHERE db = $1 AND path_hash = \(hash)",
                    .bytes([UInt8](path.path.utf8))))
            guard result.count > 0 else { return nil }
            numbers[path] = result.integer(0, 0)
            return numbers[path]
        }

        /// The number of a collection, which is new if no document was ever stored there. The lock makes the next number this
        /// transaction's.
        func makeNumber(of path: CollectionPath) throws(FirestoreError) -> Int64 {
            if let known = try number(of: path) { return known }
            return buffer.add(path)
        }

        package func setLastCommitTime(_ time: DocumentVersion) throws(FirestoreError) { buffer.setCommitTime(time.microseconds) }

        // MARK: Savepoints

        package func savepoint<R>(_ body: () throws(FirestoreError) -> R) throws(FirestoreError) -> R {
            let (position, executedBefore) = (buffer.position, executed)
            depth += 1
            do {
                let result = try body()
                depth -= 1
                if depth == 0 { buffer.forgetUndo() }
                return result
            } catch {
                depth -= 1
                buffer.goBack(to: position)
                if executed != executedBefore, lostTo == nil { lostTo = error }
                throw error
            }
        }

        package func isLost(after error: FirestoreError) -> Bool {
            if lostTo == nil, session.failure != nil || session.connection.isBroken { lostTo = error }
            return lostTo != nil
        }

        /// The error after which this transaction must not be committed.
        var loss: FirestoreError? { lostTo ?? session.failure.map { session.errors.translate($0) } }

        // MARK: Catalog

        package func catalog() throws(FirestoreError) -> IndexCatalog {
            if let changed = buffer.catalog { return changed }
            if let storedCatalog { return storedCatalog }
            let catalog = try caches.catalogs.catalog(version: meta.catalog) { () throws(FirestoreError) in
                missedReads += 1
                return try IndexCatalog.load(session, version: meta.catalog)
            }
            storedCatalog = catalog
            return catalog
        }
    }
#endif
