// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import Foundation
    import PostgresLink
    import PostgresServer
    import TestSupport
    import Testing

    /// What an error says, and what it keeps to itself (DN-2.7).
    @Suite(.needsPostgres, .waitingForProcesses)
    struct ErrorTests {
        @Test func `an error has the SQLSTATE, and no values`() throws {
            let connection = try Link.connect()
            try connection.execute("CREATE TEMPORARY TABLE keys (id int8 PRIMARY KEY, word text CHECK (word <> 'secret'))")
            let insert = PostgresStatement("INSERT INTO keys VALUES ($1, $2)")
            _ = try connection.query(PostgresCall(insert, .int8(4711), .text("a")))
            let calls: [(PostgresCall, String)] = [
                (PostgresCall(insert, .int8(4711), .text("b")), "23505"),
                (PostgresCall(insert, .int8(4712), .text("secret")), "23514"),
                (PostgresCall("SELECT $1::text::int8", .text("secret4711")), "22P02"),
                (PostgresCall("SELECT 4711 / $1::int8", .int8(0)), "22012"),
                (PostgresCall("SELECT word FROM missing WHERE id = $1", .int8(4711)), "42P01"),
            ]
            for (call, state) in calls {
                let error = try postgresError { _ = try connection.query(call) }
                #expect(error.sqlState == state && error.kind == .other && !error.isConnectionLost)
                #expect(!error.message.contains("4711") && !error.message.contains("secret") && !error.message.isEmpty, "\(error)")
            }
            let error = try postgresError { try connection.execute("DO $$ BEGIN RAISE 'secret'; END $$") }
            #expect(error.sqlState == "P0001" && !error.message.contains("secret"))
        }

        @Test func `transactions that contradict each other are to be run again`() throws {
            let (one, two) = (try Link.connect(), try Link.connect())
            let table = "conflict_\(UUID().uuidString.replacing("-", with: ""))"
            try one.execute("CREATE TABLE \(table) (n int8); INSERT INTO \(table) VALUES (1)")
            defer { _ = try? PostgresServer.shared.run("DROP TABLE \(table)") }
            for connection in [one, two] {
                _ = try connection.query([PostgresCall("BEGIN ISOLATION LEVEL REPEATABLE READ"), PostgresCall("SELECT n FROM \(table)")])
            }
            let update = PostgresCall("UPDATE \(table) SET n = n + 1")
            _ = try one.query([update, PostgresCall("COMMIT")])
            let error = try postgresError { _ = try two.query(update) }
            #expect(error.sqlState == "40001" && error.kind == .retry)
            #expect(two.isInTransaction)
        }

        @Test func `a lock that is not granted in time is unavailable`() throws {
            let (one, two) = (try Link.connect(), try Link.connect(query: "?options=-c%20lock_timeout%3D50ms"))
            _ = try one.query([PostgresCall("BEGIN"), PostgresCall("SELECT pg_advisory_xact_lock(1)")])
            let error = try postgresError { _ = try two.query(PostgresCall("SELECT pg_advisory_xact_lock(1)")) }
            #expect(error.sqlState == "55P03" && error.kind == .unavailable && !error.isConnectionLost)
        }

        @Test func `writing in a session that may only read is unavailable`() throws {
            // DN-2.7: it was the primary.
            let connection = try Link.connect()
            try connection.execute("CREATE TEMPORARY TABLE here (n int8); SET default_transaction_read_only = on")
            let error = try postgresError { _ = try connection.query(PostgresCall("CREATE TABLE elsewhere (n int8)")) }
            #expect(error.sqlState == "25006" && error.kind == .unavailable && !error.isConnectionLost)
        }

        @Test func `a server that may only be read is not connected to, unless that is asked for`() throws {
            // DN-2.9
            let readOnly = "?options=-c%20default_transaction_read_only%3Don"
            #expect(try postgresError { _ = try Link.connect(query: readOnly) }.kind == .unavailable)
            #expect(try Link.connect(query: readOnly + "&target_session_attrs=any").integer("SELECT 1") == 1)
        }

        @Test func `wrong passwords, missing databases, roles and rights are refused`() throws {
            let server = try PostgresServer.shared
            try server.run("CREATE ROLE \(PostgresServer.guardedUser) LOGIN PASSWORD 'right'; REVOKE CREATE ON DATABASE postgres FROM PUBLIC")
            func attempt(user: String, database: String = "postgres") throws -> PostgresConnection {
                try PostgresConnection(PostgresSettings(url: server.url(database: database, user: user)))
            }
            let wrong = try postgresError { _ = try attempt(user: "guarded:wrong") }
            #expect(wrong.sqlState == "28P01" && wrong.kind == .refused && !wrong.message.contains("wrong"), "\(wrong)")
            #expect(try postgresError { _ = try attempt(user: "guarded") }.kind == .refused)
            #expect(try postgresError { _ = try attempt(user: "stranger") }.sqlState == "28000")
            let missing = try postgresError { _ = try attempt(user: "hearth", database: "missing") }
            #expect(missing.sqlState == "3D000" && missing.kind == .refused)
            let connection = try attempt(user: "guarded:right")
            #expect(try connection.integer("SELECT 1") == 1)
            let right = try postgresError { try connection.execute("CREATE SCHEMA forbidden") }
            #expect(right.sqlState == "42501" && right.kind == .refused)
        }

        @Test func `a server that does not exist is unavailable`() throws {
            let error = try postgresError { _ = try PostgresConnection(PostgresSettings(url: "postgresql://hearth:secret@127.0.0.1:1/postgres")) }
            #expect(error.kind == .unavailable && error.sqlState == nil && !error.message.contains("secret"), "\(error)")
        }

        @Test func `the next host is tried`() throws {
            // DN-2.9
            let port = try PostgresServer.shared.port
            let settings = try PostgresSettings(url: "postgresql://hearth@127.0.0.1:1,127.0.0.1:\(port)/postgres")
            #expect(try PostgresConnection(settings).integer("SELECT 1") == 1)
        }

        @Test func `a host that accepts connections and says nothing delays the next one for a moment only`() throws {
            let silent = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { Glibc.close(silent) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            try withUnsafeMutableBytes(of: &address) { bytes in
                let pointer = try #require(bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self))
                #expect(bind(silent, pointer, length) == 0 && listen(silent, 4) == 0 && getsockname(silent, pointer, &length) == 0)
            }
            let hosts = "127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
            let server = "127.0.0.1:\(try PostgresServer.shared.port)"
            for order in [[hosts, server], [server, hosts]] {
                // Without the race this ends when the timeout does.
                let settings = try PostgresSettings(
                    url: "postgresql://hearth@\(order.joined(separator: ","))/postgres?connect_timeout=3600")
                #expect(try PostgresConnection(settings).integer("SELECT 1") == 1)
            }
            let settings = try PostgresSettings(url: "postgresql://hearth:secret@\(hosts),127.0.0.1:1/postgres?connect_timeout=1")
            let error = try postgresError { _ = try PostgresConnection(settings) }
            #expect(error.kind == .unavailable && error.message.contains("has not answered") && !error.message.contains("secret"), "\(error)")
            let refused = try PostgresSettings(url: "postgresql://hearth@\(server),127.0.0.1:1/nowhere")
            #expect(try postgresError { _ = try PostgresConnection(refused) }.kind == .refused)
        }

        @Test func `a statement can be cancelled from another thread`() throws {
            let connection = try Link.connect()
            let cancel = connection.cancelHandle
            let isFinished = Box<Bool>()
            // The request is repeated, because one that comes before the statement has no effect.
            Thread.run { while isFinished.all.isEmpty { cancel.cancel(); Thread.sleep(forTimeInterval: 0.02) } }
            let error = try postgresError { _ = try connection.query(PostgresCall("SELECT pg_sleep(20)")) }
            isFinished.append(true)
            #expect(error.sqlState == "57014" && error.kind == .cancelled && !connection.isBroken)
        }

        // MARK: Lost connections

        @Test func `a connection that an administrator ends is lost, and its outcome unknown`() throws {
            // DN-8.2
            let connection = try Link.connect()
            try Link.terminate(connection)
            let error = try postgresError { _ = try connection.query(PostgresCall("SELECT 1")) }
            #expect(error.kind == .unavailable && error.isConnectionLost && connection.isBroken && !connection.isInTransaction)
            // Later calls do not reach the server: their outcome is known.
            let later = try postgresError { _ = try connection.query(PostgresCall("SELECT 1")) }
            #expect(later.kind == .unavailable && !later.isConnectionLost)
            connection.sendWithoutWaiting(PostgresCall("SELECT 1"))
            #expect(try postgresError { try connection.execute("SELECT 1") }.kind == .unavailable)
        }

        @Test func `a connection that is ended during a statement is lost`() throws {
            let connection = try Link.connect()
            let process = try Link.identifier(of: connection)
            let settings = try Link.settings()
            Thread.run {
                Thread.sleep(forTimeInterval: 0.1)
                _ = try? PostgresConnection(settings).query(PostgresCall("SELECT pg_terminate_backend($1)", .int4(Int32(process))))
            }
            let error = try postgresError { _ = try connection.query([PostgresCall("SELECT 1"), PostgresCall("SELECT pg_sleep(20)"), PostgresCall("SELECT 2")]) }
            #expect(error.kind == .unavailable && error.sqlState == "57P01" && error.isConnectionLost && connection.isBroken)
        }

        @Test func `a transaction in which nothing happens is ended by the server`() throws {
            // DN-8.1
            var settings = try Link.settings()
            settings.idleTransactionTimeout = 50
            let connection = try PostgresConnection(settings)
            _ = try connection.query(PostgresCall("BEGIN"))
            Thread.sleep(forTimeInterval: 0.5)
            let error = try postgresError { _ = try connection.query(PostgresCall("COMMIT")) }
            #expect(error.kind == .unavailable && error.isConnectionLost && connection.isBroken)
        }

        @Test func `a crash of the server loses the connection, and the pool connects again when the server is back`() throws {
            // DN-9.4
            let server = try PostgresServer(syncsToDisk: true)
            try server.start()
            let settings = try PostgresSettings(url: server.url())
            let connection = try PostgresConnection(settings)
            let pool = PostgresPool(settings, limits: PostgresPoolLimits(connections: 2))
            defer { pool.close() }
            try pool.withConnection { connection throws(PostgresError) in try connection.execute("CREATE TABLE kept (n int8)") }
            server.stop(immediately: true)
            let error = try postgresError { _ = try connection.query(PostgresCall("SELECT 1")) }
            #expect(error.kind == .unavailable && error.isConnectionLost)
            let start = ContinuousClock.now
            #expect(try postgresError { _ = try pool.borrow() }.kind == .unavailable)
            #expect(ContinuousClock.now - start > .seconds(1))
            try server.start()
            #expect(try pool.withConnection { connection throws(PostgresError) in try connection.integer("SELECT count(*) FROM kept") } == 0)
        }

        @Test func `a stop of the server ends a statement in flight`() throws {
            let server = try PostgresServer()
            try server.start()
            let connection = try PostgresConnection(PostgresSettings(url: server.url()))
            Thread.run {
                Thread.sleep(forTimeInterval: 0.1)
                server.stop(immediately: true)
            }
            let error = try postgresError { _ = try connection.query(PostgresCall("SELECT pg_sleep(20)")) }
            #expect(error.kind == .unavailable && error.isConnectionLost && connection.isBroken)
        }
    }
#endif
