// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import FirestorePostgres
    import Foundation
    import PostgresLink

    /// What a program does that has the same tables and no Hearth: SQL by hand over libpq, binary and prepared.
    struct RawTables: Sendable {
        static let commitsInFlight = 64
        private let settings: PostgresSettings
        private let schema: String

        init(_ cluster: BenchCluster) throws {
            settings = cluster.settings
            schema = cluster.options.schema + "_raw"
            let connection = try cluster.connection()
            defer { connection.close() }
            try connection.execute(
                """
                CREATE SCHEMA \(schema);
                CREATE TABLE \(schema).meta(db int PRIMARY KEY, last_commit bigint NOT NULL);
                INSERT INTO \(schema).meta VALUES(1, 0);
                CREATE TABLE \(schema).documents(collection bigint, id bytea, number bigint, written bigint, fields bytea,
                    PRIMARY KEY(collection, id));
                CREATE TABLE \(schema).changes(commit_time bigint PRIMARY KEY, id bytea, previous bytea);
                """)
        }

        /// One SQL transaction for each commit: the row first, then the document and the log, in one message.
        func commit(_ operations: Int) async throws {
            let text = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000)
            try await onThreads(Self.commitsInFlight) { connection, thread in
                for number in stride(from: thread, to: operations, by: Self.commitsInFlight) {
                    let id = PostgresValue.bytes(Array("note\(number % 10_000)".utf8))
                    _ = try connection.query([
                        PostgresCall(PostgresStatement("BEGIN")),
                        PostgresCall(
                            PostgresStatement(
                                """
                                UPDATE \(schema).meta SET last_commit = greatest(last_commit + 1,
                                (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) WHERE db = 1
                                """)),
                        PostgresCall(
                            PostgresStatement(
                                """
                                INSERT INTO \(schema).changes SELECT last_commit, $1,
                                (SELECT fields FROM \(schema).documents WHERE collection = 1 AND id = $1) FROM \(schema).meta
                                """), id),
                        PostgresCall(
                            PostgresStatement(
                                """
                                INSERT INTO \(schema).documents SELECT 1, $1, $2, last_commit, $3 FROM \(schema).meta
                                ON CONFLICT (collection, id) DO UPDATE SET number = excluded.number, written = excluded.written,
                                fields = excluded.fields
                                """), id, .int8(Int64(number)), .bytes(text)),
                        PostgresCall(PostgresStatement("COMMIT")),
                    ])
                }
            }
        }

        /// Documents as the store has them, for reading.
        func fill(_ count: Int, indexed: Bool) throws {
            let connection = try PostgresConnection(settings)
            defer { connection.close() }
            // The load may take longer than a statement of a request may.
            try connection.execute("SET statement_timeout = 0")
            try connection.execute(
                """
                INSERT INTO \(schema).documents SELECT 1, convert_to('note' || n, 'UTF8'), n, n, decode(repeat('78', 1000), 'hex')
                FROM generate_series(0, \(count - 1)) AS n;
                """ + (indexed ? "CREATE INDEX ON \(schema).documents(collection, number);" : "") + "ANALYZE \(schema).documents")
        }

        /// Point reads by key, as many in one message as are in flight.
        func get(_ operations: Int, pipelined: Int, of count: Int) async throws {
            try await onThreads(1) { connection, _ in
                let statement = PostgresStatement("SELECT written, fields FROM \(schema).documents WHERE collection = 1 AND id = $1")
                for start in stride(from: 0, to: operations, by: pipelined) {
                    let calls = (start..<min(start + pipelined, operations)).map { number in
                        PostgresCall(statement, .bytes(Array("note\(number * 7 % count)".utf8)))
                    }
                    for result in try connection.query(calls) { blackHole(result.integer(0, 0)) }
                }
            }
        }

        func firstByNumber(_ operations: Int, limit: Int, of count: Int) async throws {
            try await onThreads(1) { connection, _ in
                let statement = PostgresStatement(
                    """
                    SELECT id, written, fields FROM \(schema).documents
                    WHERE collection = 1 AND number >= $1 ORDER BY number LIMIT \(limit)
                    """)
                for number in 0..<operations {
                    let call = PostgresCall(statement, .int8(Int64(number * 7_919 % (count - limit))))
                    let result = try connection.query(call)
                    guard result.count == limit else { throw UsageError("\(result.count) rows") }
                    for row in 0..<result.count { blackHole(result.bytes(row, 2)?.count) }
                }
            }
        }

        private func onThreads(
            _ count: Int, _ body: @escaping @Sendable (PostgresConnection, Int) throws -> Void
        ) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    group.addTask {
                        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                            Thread.detachNewThread {
                                continuation.resume(
                                    with: Result {
                                        let connection = try PostgresConnection(settings)
                                        defer { connection.close() }
                                        try body(connection, number)
                                    })
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
#endif
