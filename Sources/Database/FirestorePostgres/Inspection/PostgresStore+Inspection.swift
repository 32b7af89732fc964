// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import FirestoreCore
    package import FirestoreStorage
    import PostgresLink

    extension PostgresStore {
        package func inspect<R>(_ body: (any InspectableSnapshot) throws(FirestoreError) -> R) throws(FirestoreError) -> R {
            try read { (snapshot: any StoreSnapshot) throws(FirestoreError) in
                guard let snapshot = snapshot as? PostgresSnapshot else { throw FirestoreError(.internal, "a snapshot of another store") }
                return try body(snapshot)
            }
        }

        /// While nodes serve the database: everything is read in one snapshot. The server itself checks pages and trees.
        package func inspectConsistency() throws(FirestoreError) -> ConsistencyReport {
            try read { (snapshot: any StoreSnapshot) throws(FirestoreError) in
                guard let snapshot = snapshot as? PostgresSnapshot else { throw FirestoreError(.internal, "a snapshot of another store") }
                var check = StoreCheck(snapshot)
                return try check.run()
            }
        }
    }

    /// Compares rows with each other: collections, documents, change log.
    private struct StoreCheck {
        private let snapshot: PostgresSnapshot
        private var session: StoreSession { snapshot.session }
        private var tables: PostgresTables { session.tables }
        private var report = ConsistencyReport()
        private static let chunk: Int64 = 500

        init(_ snapshot: PostgresSnapshot) { self.snapshot = snapshot }

        mutating func run() throws(FirestoreError) -> ConsistencyReport {
            var after: Int64 = -1
            while let collection = try next(after) {
                report.collections += 1
                if let path = collection.path { try checkDocuments(of: collection.number, path) }
                after = collection.number
            }
            try checkHomeless()
            try checkLog()
            return report
        }

        private mutating func next(_ after: Int64) throws(FirestoreError) -> (number: Int64, path: CollectionPath?)? {
            let row = try session.query(
                """
                SELECT number, path, id, path_hash = \(tables.dialect.hash("path")) FROM \(tables.collections)
                WHERE db = $1 AND number > $2 ORDER BY number LIMIT 1
                """, .int8(after))
            guard row.count > 0 else { return nil }
            let number = row.integer(0, 0)
            let segments = row.string(0, 1)?.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            guard let path = row.string(0, 1), let segments, segments.count % 2 == 1 else {
                report.add(ConsistencyFinding(.collection, "number \(number)", "it has no valid path"))
                return (number, nil)
            }
            let collection = CollectionPath(trusted: path)
            if row.array(0, 2) != [UInt8](collection.id.utf8) {
                report.add(ConsistencyFinding(.collection, path, "it is listed under another id"))
            }
            if row.integer(0, 3) == 0 { report.add(ConsistencyFinding(.collection, path, "it is listed under another path")) }
            return (number, collection)
        }

        private mutating func checkDocuments(of number: Int64, _ collection: CollectionPath) throws(FirestoreError) {
            var after: [UInt8] = []
            while true {
                let rows = try session.query(
                    """
                    SELECT id, create_time, update_time, fields FROM \(tables.documents)
                    WHERE db = $1 AND collection = $2 AND id > $3 ORDER BY id LIMIT $4
                    """, .int8(number), .bytes(after), .int8(Self.chunk))
                for row in 0..<rows.count {
                    after = rows.array(row, 0) ?? []
                    check(rows, row, after, collection)
                }
                guard rows.count == Int(Self.chunk) else { return }
            }
        }

        private mutating func check(_ rows: PostgresResult, _ row: Int, _ encoded: [UInt8], _ collection: CollectionPath) {
            report.documents += 1
            guard let id = encoded.withUnsafeBytes({ DocumentIDEncoding.decode($0) }) else {
                report.add(ConsistencyFinding(.document, collection.path, "a document has an unreadable id"))
                return
            }
            let key = DocumentKey(collection: collection, id: id)
            func find(_ problem: String) { report.add(ConsistencyFinding(.document, key.path, problem)) }
            let (created, updated) = (rows.version(row, 1), rows.version(row, 2))
            if created > updated { find("it was created after its last change") }
            if updated > snapshot.readTime { find("it was changed after the last commit") }
            switch withExtendedLifetime(rows, { StoredForm(rows.bytes(row, 3), of: key) }) {
            case .canonical: break
            case .rewritable: find("its fields are not in canonical form")
            case .damaged(let reason): find("its fields are damaged: \(reason)")
            }
        }

        private mutating func checkHomeless() throws(FirestoreError) {
            let row = try session.query(
                """
                SELECT count(*) FROM \(tables.documents) d WHERE db = $1 AND NOT EXISTS
                (SELECT 1 FROM \(tables.collections) c WHERE c.db = $1 AND c.number = d.collection)
                """)
            let homeless = row.integer(0, 0)
            if homeless > 0 { report.add(ConsistencyFinding(.document, nil, "\(homeless) belong to no collection")) }
        }

        private mutating func checkLog() throws(FirestoreError) {
            let row = try session.query(
                """
                SELECT count(*), count(*) FILTER (WHERE commit_time > $2), count(*) FILTER (WHERE previous_update >= commit_time)
                FROM \(tables.changes) WHERE db = $1
                """, .int8(snapshot.readTime.microseconds))
            report.changes = Int(row.integer(0, 0))
            if row.integer(0, 1) > 0 { report.add(ConsistencyFinding(.history, nil, "it has changes after the last commit")) }
            if row.integer(0, 2) > 0 { report.add(ConsistencyFinding(.history, nil, "a change is not later than the state before it")) }
        }
    }
#endif
