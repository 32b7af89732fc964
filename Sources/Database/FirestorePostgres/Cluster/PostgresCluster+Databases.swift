// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import FirestoreCore
    package import FirestoreStorage
    import PostgresLink

    extension PostgresCluster {
        package func open(_ database: DatabaseID, creating: Bool) throws(FirestoreError) -> (any InspectableStore)? {
            try openStore(database, creating: creating)
        }

        package func openStore(_ database: DatabaseID, creating: Bool) throws(FirestoreError) -> PostgresStore? {
            if let store = try find(database) { return store }
            guard creating else { return nil }
            try create(database)
            return try find(database)
        }

        private func find(_ database: DatabaseID) throws(FirestoreError) -> PostgresStore? {
            let (row, epochs) = try withConnection { (connection) throws(PostgresError) in
                let results = try connection.query([
                    PostgresCall(
                        PostgresStatement(
                            """
                            SELECT d.db, d.format, d.min_writer, m.last_commit,
                            \(tables.isPresent) AND \(tables.isSameRun(db: "d.db", key: "$3"))
                            FROM \(tables.databases) d
                            JOIN \(tables.meta) m ON m.db = d.db WHERE d.project = $1 AND d.name = $2
                            """), .text(database.projectID), .text(database.databaseID), .bytes(PostgresTables.serverStartFact)),
                    PostgresCall(
                        PostgresStatement(
                            """
                            SELECT e.history, e.after FROM \(tables.databases) d JOIN \(tables.epochs) e ON e.db = d.db
                            WHERE d.project = $1 AND d.name = $2 ORDER BY e.ord
                            """), .text(database.projectID), .text(database.databaseID)),
                ])
                return (results[0], EpochList(results[1]))
            }
            guard row.count > 0 else { return nil }
            guard row.integer(0, 1) <= Int64(PostgresTables.contentFormat), row.integer(0, 2) <= Int64(PostgresTables.writer) else {
                throw FirestoreError(
                    .failedPrecondition, "database \(database.databaseID) needs a newer Hearth; update this node", at: errors.server)
            }
            let place = StorePlace(
                id: database, database: Int32(row.integer(0, 0)), tables: tables, errors: errors, firstChunk: options.firstChunk)
            // A statement of before may have seen more than the list of histories says, never less.
            let store = PostgresStore(place, self, history: epochs.history, seen: row.integer(0, 3))
            if row.integer(0, 4) == 0 { try store.followServer() }
            return store
        }

        /// A number is never used twice, so that a node that does not know of a deletion cannot write into another database. The log
        /// begins now: tokens of a deleted database with this name are too old (DN-8.3).
        private func create(_ database: DatabaseID) throws(FirestoreError) {
            let history = Int64(bitPattern: DatabaseHistory.randomNumber())
            let name: [PostgresValue] = [.text(database.projectID), .text(database.databaseID)]
            let new = "(SELECT db FROM \(tables.databases) WHERE project = $1 AND name = $2)"
            let isNew = "NOT EXISTS (SELECT 1 FROM \(tables.meta) m WHERE m.db = n.db)"
            let dialect = tables.dialect
            let now = options.usesServerClock ? dialect.clock : "0::bigint"
            try withConnection { (connection) throws(PostgresError) in
                _ = try connection.query([
                    PostgresCall(.begin),
                    PostgresCall(PostgresStatement("UPDATE \(tables.cluster) SET next_database = next_database + 1")),
                    PostgresCall(
                        PostgresStatement(
                            """
                            INSERT INTO \(tables.databases) SELECT next_database - 1, $1, $2, \(PostgresTables.contentFormat),
                            \(PostgresTables.writer)
                            FROM \(tables.cluster) ON CONFLICT (project, name) DO NOTHING
                            """), values: name),
                    PostgresCall(
                        PostgresStatement(
                            """
                            INSERT INTO \(tables.epochs) SELECT n.db, 0, $3, 0, \(tables.timeline) FROM \(new) n WHERE \(isNew)
                            """), values: name + [.int8(history)]),
                    PostgresCall(
                        PostgresStatement(
                            """
                            INSERT INTO \(tables.meta) SELECT n.db, n.now, 0, n.now + 1, 0, 1, $3, \(tables.timeline)
                            FROM (SELECT db, \(now) AS now FROM \(new) x OFFSET 0) n WHERE \(isNew)
                            """), values: name + [.int8(history)]),
                    PostgresCall(
                        PostgresStatement(
                            """
                            INSERT INTO \(tables.facts)(db, key, value) SELECT n.db, $3, \(tables.serverStart) FROM \(new) n
                            ON CONFLICT (db, key) DO NOTHING
                            """), values: name + [.bytes(PostgresTables.serverStartFact)]),
                    PostgresCall(.commit),
                ])
            }
        }

        package func exists(_ database: DatabaseID) throws(FirestoreError) -> Bool {
            let found = try withConnection { (connection) throws(PostgresError) in
                try connection.query(
                    PostgresCall(
                        PostgresStatement("SELECT 1 FROM \(tables.databases) WHERE project = $1 AND name = $2"), .text(database.projectID),
                        .text(database.databaseID)))
            }
            return found.count > 0
        }

        package func databases() throws(FirestoreError) -> [DatabaseID] { try databases("") }

        package func databases(with fact: String) throws(FirestoreError) -> [DatabaseID] {
            let key = PostgresValue.bytes(Array(fact.utf8))
            return try databases("WHERE EXISTS (SELECT 1 FROM \(tables.facts) f WHERE f.db = d.db AND f.key = $1)", [key])
        }

        private func databases(_ condition: String, _ values: [PostgresValue] = []) throws(FirestoreError) -> [DatabaseID] {
            let statement = PostgresStatement("SELECT project, name FROM \(tables.databases) d \(condition)")
            let result = try withConnection { (connection) throws(PostgresError) in
                try connection.query(PostgresCall(statement, values: values))
            }
            return (0..<result.count)
                .map { DatabaseID(projectID: result.text($0, 0) ?? "", databaseID: result.text($0, 1) ?? "") }
                .sorted { $0.documentsPrefix.utf8.lexicographicallyPrecedes($1.documentsPrefix.utf8) }
        }

        /// Other nodes no longer find the database when the first of the transactions ends. The rest removes the rows, in steps; what a
        /// failure leaves is removed with the next deletion.
        package func delete(_ database: DatabaseID) throws(FirestoreError) {
            let name: [PostgresValue] = [.text(database.projectID), .text(database.databaseID)]
            let number = "(SELECT db FROM \(tables.databases) WHERE project = $1 AND name = $2)"
            let deleted = try withConnection { (connection) throws(PostgresError) in
                let results = try connection.query([
                    PostgresCall(.begin),
                    // Waits for the commit in progress.
                    PostgresCall(PostgresStatement("SELECT db FROM \(tables.meta) WHERE db IN \(number) FOR UPDATE"), values: name),
                    PostgresCall(
                        PostgresStatement("INSERT INTO \(tables.deleted) SELECT db FROM \(number) n ON CONFLICT DO NOTHING"), values: name),
                    PostgresCall(PostgresStatement("DELETE FROM \(tables.meta) WHERE db IN \(number)"), values: name),
                    PostgresCall(PostgresStatement("DELETE FROM \(tables.databases) WHERE project = $1 AND name = $2"), values: name),
                    PostgresCall(PostgresStatement("SELECT db FROM \(tables.deleted)")), PostgresCall(.commit),
                ])
                return (0..<results[5].count).map { results[5].integer($0, 0) }
            }
            for number in deleted { try removeRows(of: Int32(number)) }
        }

        private func removeRows(of number: Int32) throws(FirestoreError) {
            try withConnection { (connection) throws(PostgresError) in
                for table in tables.ofDatabases {
                    let text = "DELETE FROM \(table) WHERE ctid = ANY(ARRAY(SELECT ctid FROM \(table) WHERE db = $1 LIMIT 10000))"
                    while try connection.query(PostgresCall(PostgresStatement(text), .int4(number))).affected > 0 {}
                }
                _ = try connection.query(PostgresCall(PostgresStatement("DELETE FROM \(tables.deleted) WHERE db = $1"), .int4(number)))
            }
        }
    }
#endif
