// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import FirestoreStorage
    import PostgresLink

    /// Documents by key, in one statement.
    enum DocumentRows {
        /// Rows: position of the key, number of the collection, create time, update time, fields; the last three are null for a missing
        /// document.
        static func call(
            _ keys: [DocumentKey], _ session: StoreSession, _ directory: CollectionDirectory, numbers: [CollectionPath: Int64] = [:]
        ) -> PostgresCall {
            let ids = PostgresValue.byteses(keys.map(\.encodedID.array))
            let known = numbersOf(keys) { numbers[$0] ?? directory[$0] }
            if let known { return session.call("SELECT k.place, k.c, d.* \(source(session.tables, byNumber: true))", .int8s(known), ids) }
            let paths = PostgresValue.byteses(keys.map { [UInt8]($0.collection.path.utf8) })
            return session.call("SELECT k.place, c.number, d.* \(source(session.tables, byNumber: false))", paths, ids)
        }

        /// Those rows with the time of the last commit, outside of a transaction: a single statement is one.
        static func lookup(
            _ keys: [DocumentKey], _ place: StorePlace, _ directory: CollectionDirectory
        ) -> PostgresCall {
            let ids = PostgresValue.byteses(keys.map(\.encodedID.array))
            let known = numbersOf(keys) { directory[$0] }
            let text = """
                SELECT f.*, m.last_commit, \(place.tables.presentHistory) FROM \(place.tables.meta) m LEFT JOIN (
                SELECT k.place, \(known == nil ? "c.number" : "k.c"), d.* \(source(place.tables, byNumber: known != nil))) f ON true
                WHERE m.db = $1
                """
            let collections = known.map { .int8s($0) } ?? PostgresValue.byteses(keys.map { [UInt8]($0.collection.path.utf8) })
            return PostgresCall(PostgresStatement(text), .int4(place.database), collections, ids)
        }

        private static func numbersOf(_ keys: [DocumentKey], _ number: (CollectionPath) -> Int64?) -> [Int64]? {
            var numbers: [Int64] = []
            for key in keys {
                guard let known = number(key.collection) else { return nil }
                numbers.append(known)
            }
            return numbers
        }

        /// The lateral subquery cannot be moved out of its place: each key is one descent in the tree of the table.
        private static func source(_ tables: PostgresTables, byNumber: Bool) -> String {
            let type = byNumber ? "bigint" : "bytea"
            let hash = tables.dialect.hash("k.c")
            let join = byNumber ? "" : "JOIN \(tables.collections) c ON c.db = $1 AND c.path_hash = \(hash)"
            return """
                FROM unnest($2::\(type)[], $3::bytea[]) WITH ORDINALITY AS k(c, i, place) \(join)
                LEFT JOIN LATERAL (SELECT create_time, update_time, fields FROM \(tables.documents) d
                WHERE d.db = $1 AND d.collection = \(byNumber ? "k.c" : "c.number") AND d.id = k.i OFFSET 0) d ON true
                """
        }

        /// The documents in the order of the keys. Remembers the numbers of committed collections.
        static func documents(
            _ keys: [DocumentKey], _ result: PostgresResult, _ session: StoreSession, _ directory: CollectionDirectory
        ) throws(FirestoreError) -> [Document?] {
            try documents(keys, result, session.errors, directory)
        }

        static func documents(
            _ keys: [DocumentKey], _ result: PostgresResult, _ errors: ServerErrors, _ directory: CollectionDirectory
        ) throws(FirestoreError) -> [Document?] {
            var documents = [Document?](repeating: nil, count: keys.count)
            for row in 0..<result.count where !result.isNull(row, 0) {
                let key = keys[Int(result.integer(row, 0)) - 1]
                directory.remember(key.collection, number: result.integer(row, 1))
                if result.isNull(row, 2) { continue }
                documents[Int(result.integer(row, 0)) - 1] = try document(key, result, row, startingAt: 2, errors)
            }
            return documents
        }

        /// Reads three columns: create time, update time, fields.
        static func document(
            _ key: DocumentKey, _ result: PostgresResult, _ row: Int, startingAt column: Int, _ errors: ServerErrors,
            what: String = "document"
        ) throws(FirestoreError) -> Document {
            guard let fields = result.slice(row, column + 2), fields.withUnsafeBytes({ FieldsView.isWellFormed($0) }) else {
                throw errors.damaged("\(what) \(key.path)")
            }
            return Document(
                key: key, createTime: result.version(row, column), updateTime: result.version(row, column + 1),
                fields: FieldBytes(canonical: fields))
        }
    }
#endif
