// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import PostgresLink
    import PostgresServer
    import TestSupport
    import Testing

    /// Calls that are sent together, and what they leave behind.
    @Suite(.needsPostgres, .waitingForProcesses)
    struct PipelineTests {
        @Test func `several calls are one round trip, the preparation of their statements included`() throws {
            // DN-2.1, DN-9.7
            let connection = try Link.connect()
            #expect(connection.roundTrips == 0)
            let results = try connection.query([PostgresCall("SELECT $1::int8", .int8(1)), PostgresCall("SELECT 2::int8"), PostgresCall("SELECT $1::int8", .int8(3))])
            #expect(results.map { $0.integer(0, 0) } == [1, 2, 3])
            #expect(connection.roundTrips == 1)
            #expect(try connection.query([]).isEmpty && connection.roundTrips == 1)
        }

        @Test func `a pipeline that is larger than the buffers of both sides comes through`() throws {
            let connection = try Link.connect()
            let bytes = [UInt8](repeating: 7, count: 100_000)
            let results = try connection.query((0..<200).map { _ in PostgresCall("SELECT $1::bytea", .bytes(bytes)) })
            #expect(results.count == 200)
            for result in results { withExtendedLifetime(result) { #expect(result.bytes(0, 0)?.count == bytes.count) } }
        }

        @Test func `a statement is prepared once`() throws {
            // DN-2.7
            let connection = try Link.connect()
            let call = PostgresCall("SELECT $1::int8 + 1", .int8(1))
            for _ in 0..<3 { #expect(try connection.query([call, call]).map { $0.integer(0, 0) } == [2, 2]) }
            let count = try connection.integer("SELECT count(*) FROM pg_prepared_statements WHERE statement = $1", .text(call.statement.text))
            #expect(count == 1)
        }

        @Test func `the first error skips the calls behind it, and the connection can still be used`() throws {
            let connection = try Link.connect()
            try connection.execute("CREATE TEMPORARY TABLE numbers (n int8)")
            let insert = PostgresStatement("INSERT INTO numbers VALUES ($1)")
            let error = try postgresError {
                _ = try connection.query([
                    PostgresCall(insert, .int8(1)), PostgresCall("SELECT 1 / $1::int8", .int8(0)), PostgresCall("SELECT 5"), PostgresCall(insert, .int8(2)),
                ])
            }
            #expect(error.sqlState == "22012" && error.kind == .other && !error.isConnectionLost)
            // Without a transaction block the calls are one transaction.
            #expect(!connection.isInTransaction && !connection.isBroken)
            #expect(try connection.integer("SELECT count(*) FROM numbers") == 0)
            // Statements that were skipped are prepared at their next use.
            #expect(try connection.integer("SELECT 5") == 5)
            #expect(try connection.query(PostgresCall(insert, .int8(2))).affected == 1)
        }

        @Test func `a statement that cannot be prepared is an error of the call, and is tried again`() throws {
            let connection = try Link.connect()
            let call = PostgresCall("SELECT n FROM later")
            #expect(try postgresError { _ = try connection.query([PostgresCall("SELECT 1"), call]) }.sqlState == "42P01")
            try connection.execute("CREATE TEMPORARY TABLE later (n int8)")
            #expect(try connection.query(call).count == 0)
        }

        @Test func `a statement whose plan no longer fits is prepared again`() throws {
            let connection = try Link.connect()
            let call = PostgresCall("SELECT * FROM changing")
            try connection.execute("CREATE TEMPORARY TABLE changing (n int8); INSERT INTO changing VALUES (1)")
            #expect(try connection.query(call).count == 1)
            try connection.execute("ALTER TABLE changing ADD COLUMN m int8")
            #expect(try postgresError { _ = try connection.query(call) }.sqlState == "0A000")
            #expect(try connection.query(call).count == 1)
        }

        // MARK: Transactions

        @Test func `a connection knows whether it is in a transaction`() throws {
            let connection = try Link.connect()
            try connection.execute("CREATE TEMPORARY TABLE numbers (n int8)")
            #expect(!connection.isInTransaction)
            _ = try connection.query([PostgresCall("BEGIN"), PostgresCall("INSERT INTO numbers VALUES (1)")])
            #expect(connection.isInTransaction)
            _ = try postgresError { _ = try connection.query(PostgresCall("SELECT 1 / 0")) }
            #expect(connection.isInTransaction)
            #expect(try postgresError { _ = try connection.query(PostgresCall("SELECT 1")) }.sqlState == "25P02")
            _ = try connection.query(PostgresCall("ROLLBACK"))
            #expect(!connection.isInTransaction)
            #expect(try connection.integer("SELECT count(*) FROM numbers") == 0)
        }

        @Test func `the commit of a failed transaction says that it was taken back`() throws {
            let connection = try Link.connect()
            _ = try connection.query(PostgresCall("BEGIN"))
            _ = try postgresError { _ = try connection.query(PostgresCall("SELECT 1 / 0")) }
            #expect(try connection.query(PostgresCall("COMMIT")).command == "ROLLBACK")
        }

        @Test func `a whole transaction is one round trip`() throws {
            let connection = try Link.connect()
            try connection.execute("CREATE TEMPORARY TABLE numbers (n int8)")
            let before = connection.roundTrips
            _ = try connection.query([PostgresCall("BEGIN"), PostgresCall("INSERT INTO numbers VALUES ($1)", .int8(4)), PostgresCall("COMMIT")])
            #expect(connection.roundTrips == before + 1 && !connection.isInTransaction)
            #expect(try connection.integer("SELECT n FROM numbers") == 4)
        }

        // MARK: Without waiting

        @Test func `a call without waiting costs no round trip`() throws {
            let connection = try Link.connect()
            _ = try connection.query([PostgresCall("BEGIN READ ONLY"), PostgresCall("SELECT 1")])
            connection.sendWithoutWaiting(PostgresCall("COMMIT"))
            #expect(!connection.isInTransaction && connection.roundTrips == 1)
            #expect(try connection.query([PostgresCall("BEGIN"), PostgresCall("SELECT 7::int8")])[1].integer(0, 0) == 7)
            #expect(connection.roundTrips == 2 && connection.isInTransaction && connection.unreadError == nil)
            connection.sendWithoutWaiting(PostgresCall("SELECT 1"))
            #expect(connection.isInTransaction)
            connection.sendWithoutWaiting(PostgresCall("ROLLBACK"))
            try connection.execute("SELECT 1")
            #expect(!connection.isInTransaction)
        }

        @Test func `the error of a call without waiting does not fail the next one`() throws {
            let connection = try Link.connect()
            connection.sendWithoutWaiting(PostgresCall("SELECT 1 / 0"))
            #expect(connection.unreadError == nil)
            #expect(try connection.integer("SELECT 3") == 3)
            #expect(connection.unreadError?.sqlState == "22012")
            connection.sendWithoutWaiting(PostgresCall("SELECT n FROM missing"))
            #expect(try connection.integer("SELECT 4") == 4)
            #expect(connection.unreadError?.sqlState == "42P01")
        }

        // MARK: Scripts

        @Test func `a script runs as a whole or not at all`() throws {
            let connection = try Link.connect()
            try connection.execute("CREATE TEMPORARY TABLE a (n int8); CREATE TEMPORARY TABLE b (n int8)")
            let error = try postgresError { try connection.execute("INSERT INTO a VALUES (1); INSERT INTO missing VALUES (2)") }
            #expect(error.sqlState == "42P01")
            #expect(try connection.integer("SELECT count(*) FROM a") == 0)
        }

        @Test func `a connection begins with its timeouts, which the URL can override`() throws {
            // DN-2.8
            func setting(_ name: String, _ connection: PostgresConnection) throws -> String? {
                try connection.query(PostgresCall("SELECT current_setting($1)", .text(name))).text(0, 0)
            }
            let connection = try Link.connect()
            #expect(try setting("idle_in_transaction_session_timeout", connection) == "2s")
            #expect(try setting("lock_timeout", connection) == "10s")
            #expect(try setting("statement_timeout", connection) == "30s")
            #expect(try setting("client_encoding", connection) == "UTF8")
            #expect(try setting("application_name", connection) == "hearth")
            #expect(connection.serverVersion >= 150_000)
            let other = try Link.connect(query: "?options=-c%20lock_timeout%3D77ms&application_name=other")
            #expect(try setting("lock_timeout", other) == "77ms")
            #expect(try setting("application_name", other) == "other")
        }
    }
#endif
