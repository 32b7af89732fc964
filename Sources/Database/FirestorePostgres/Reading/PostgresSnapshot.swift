// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import FirestoreCore
    package import FirestoreStorage
    import PostgresLink

    /// One consistent snapshot of a database: a transaction that only reads. Valid inside the closure that receives it, on one thread.
    package final class PostgresSnapshot: StoreSnapshot, NameRows {
        package let readTime: DocumentVersion
        let session: StoreSession
        let caches: StoreCaches
        let handles = DocumentHandles()
        let catalogVersion: Int64
        private let floor: DocumentVersion
        private var knownCatalog: IndexCatalog?
        /// Paths that were read ahead for `firstPath`.
        var window: PathWindow?

        /// A snapshot whose transaction has begun with the reading of `meta`.
        init(_ session: StoreSession, _ meta: MetaRow, caches: StoreCaches) {
            self.session = session
            self.caches = caches
            readTime = DocumentVersion(microseconds: meta.lastCommit)
            catalogVersion = meta.catalog
            floor = DocumentVersion(microseconds: meta.logFloor)
        }

        package var roundTrips: Int { session.roundTrips }

        package func documents(_ keys: [DocumentKey]) throws(FirestoreError) -> DocumentLookup {
            let result = try session.query(DocumentRows.call(keys, session, caches.directory))
            return DocumentLookup(readTime: readTime, documents: try DocumentRows.documents(keys, result, session, caches.directory))
        }

        package func document(_ key: DocumentKey) throws(FirestoreError) -> Document? { try documents([key]).documents[0] }

        package func changeTime(of document: Document) -> DocumentVersion { document.updateTime }

        package func logFloor() throws(FirestoreError) -> DocumentVersion { floor }

        package func fact(_ key: String) throws(FirestoreError) -> ByteSlice? {
            let result = try session.query(
                "SELECT value FROM \(session.tables.facts) WHERE db = $1 AND key = $2", .bytes([UInt8](key.utf8)))
            return result.count > 0 ? result.slice(0, 0) : nil
        }

        package func catalog() throws(FirestoreError) -> IndexCatalog {
            if let knownCatalog { return knownCatalog }
            let catalog = try caches.catalogs.catalog(version: catalogVersion) { () throws(FirestoreError) in
                try IndexCatalog.load(session, version: catalogVersion)
            }
            knownCatalog = catalog
            return catalog
        }

        package func damaged(_ what: String) -> FirestoreError { session.damaged(what) }
    }

    /// What transactions share in memory. All of it can be read again from the tables.
    struct StoreCaches: Sendable {
        let directory = CollectionDirectory()
        let catalogs = CatalogCache()
    }

    /// The row of a database that commits lock, as every first statement reads it.
    struct MetaRow {
        let lastCommit: Int64
        let catalog: Int64
        /// 0, which is the number of no history, if the server has another timeline than the row.
        let history: Int64
        let logFloor: Int64
        let nextCollection: Int64

        static func columns(_ tables: PostgresTables) -> String {
            "last_commit, catalog, \(tables.presentHistory), log_floor, next_collection"
        }

        static func call(_ session: StoreSession) -> PostgresCall {
            session.call("SELECT \(columns(session.tables)) FROM \(session.tables.meta) WHERE db = $1")
        }

        /// nil if the database has no row.
        init?(_ result: PostgresResult) {
            guard result.count > 0 else { return nil }
            lastCommit = result.integer(0, 0)
            catalog = result.integer(0, 1)
            history = result.integer(0, 2)
            logFloor = result.integer(0, 3)
            nextCollection = result.integer(0, 4)
        }
    }

    extension FirestoreError {
        static func isDeleted(at server: String) -> FirestoreError {
            FirestoreError(.failedPrecondition, "the database has been deleted; create it again before using it", at: server)
        }

        /// The server lacks commits that this process has seen (DN-8.3).
        static func historyEnded(at server: String) -> FirestoreError {
            FirestoreError(
                .unavailable,
                "another database server has taken over, which lacks the last commits; the database is opened again, try again then",
                at: server)
        }
    }
#endif
