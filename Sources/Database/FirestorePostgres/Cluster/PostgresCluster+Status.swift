// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import FirestoreCore
    package import FirestoreStorage
    import PostgresLink

    /// What `hearth store status` shows.
    package struct PostgresClusterStatus: Sendable {
        package struct Database: Sendable {
            package let id: DatabaseID
            package let lastCommit: DocumentVersion
            /// How many histories the database has had: more than one after a fail-over (DN-8.3).
            package let histories: Int
            /// An estimate of the server's planner.
            package let documents: Int
        }

        /// Such as 150018 for 15.18.
        package let serverVersion: Int
        package let format: Int
        package let databases: [Database]
        package let nodes: [ClusterNode]
    }

    extension PostgresCluster {
        package func status() throws(FirestoreError) -> PostgresClusterStatus {
            let nodes = try membership.all()
            return try withConnection { (connection) throws(PostgresError) in
                let results = try connection.query([
                    PostgresCall(PostgresStatement("SELECT format FROM \(tables.cluster)")),
                    PostgresCall(
                        PostgresStatement(
                            """
                            SELECT d.project, d.name, m.last_commit, m.db, (SELECT count(*) FROM \(tables.epochs) e WHERE e.db = d.db)
                            FROM \(tables.databases) d JOIN \(tables.meta) m ON m.db = d.db ORDER BY d.project, d.name
                            """)),
                ])
                let databases = try (0..<results[1].count).map { (row) throws(PostgresError) in
                    PostgresClusterStatus.Database(
                        id: DatabaseID(projectID: results[1].text(row, 0) ?? "", databaseID: results[1].text(row, 1) ?? ""),
                        lastCommit: results[1].version(row, 2), histories: Int(results[1].integer(row, 4)),
                        documents: try estimate(results[1].integer(row, 3), connection))
                }
                return PostgresClusterStatus(
                    serverVersion: connection.serverVersion, format: Int(results[0].integer(0, 0)), databases: databases, nodes: nodes)
            }
        }

        /// The planner's number of rows: counting would read them all.
        private func estimate(_ database: Int64, _ connection: PostgresConnection) throws(PostgresError) -> Int {
            let text = "EXPLAIN (FORMAT JSON) SELECT 1 FROM \(tables.documents) WHERE db = \(database)"
            let plan = try connection.query(PostgresCall(PostgresStatement(text))).text(0, 0) ?? ""
            guard let label = plan.firstRange(of: "\"Plan Rows\": ") else { return 0 }
            return Int(plan[label.upperBound...].prefix { $0.isNumber }) ?? 0
        }
    }
#endif
