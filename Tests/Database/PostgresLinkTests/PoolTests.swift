// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import Foundation
    import PostgresLink
    import PostgresServer
    import TestSupport
    import Testing

    @Suite(.needsPostgres, .waitingForProcesses)
    struct PoolTests {
        private func makePool(
            connections: Int = 2, patience: Duration = .seconds(20), line: Int = 100,
            prepare: (@Sendable (PostgresConnection) throws(PostgresError) -> Void)? = nil
        ) throws -> PostgresPool {
            let limits = PostgresPoolLimits(connections: connections, patience: patience, line: line)
            return PostgresPool(try Link.settings(), limits: limits, prepare: prepare)
        }

        @Test func `connections are made on demand, prepared once, and used again`() throws {
            // DN-2.7
            let prepared = Box<Bool>()
            let pool = try makePool { connection throws(PostgresError) in
                prepared.append(true)
                try connection.execute("SET application_name = 'prepared'")
            }
            #expect(pool.openConnections == 0)
            var processes: Set<Int64> = []
            for _ in 0..<5 {
                processes.insert(try pool.withConnection { connection throws(PostgresError) in try connection.integer("SELECT pg_backend_pid()") })
                let name = try pool.withConnection { connection throws(PostgresError) in
                    try connection.query(PostgresCall("SELECT current_setting('application_name')")).text(0, 0)
                }
                #expect(name == "prepared")
            }
            #expect(processes.count == 1 && prepared.all.count == 1 && pool.openConnections == 1)
            pool.close()
            #expect(pool.openConnections == 0)
        }

        @Test func `a connection that cannot be prepared is not lent out and takes no room`() throws {
            let pool = try makePool(connections: 1) { _ throws(PostgresError) in throw PostgresError(.refused, "too old") }
            for _ in 0..<3 { #expect(try postgresError { _ = try pool.borrow() }.message == "too old") }
            #expect(pool.openConnections == 0)
        }

        @Test func `an error of the caller passes through, and one of the pool is turned into it`() throws {
            enum Failure: Error { case own, pool(PostgresError.Kind) }
            let pool = try makePool()
            do throws(Failure) {
                try pool.withConnection(failure: { Failure.pool($0.kind) }, { _ throws(Failure) in throw Failure.own })
                Issue.record("no error")
            } catch {
                guard case .own = error else { throw error }
            }
            pool.close()
            do throws(Failure) {
                try pool.withConnection(failure: { Failure.pool($0.kind) }, { _ throws(Failure) in })
                Issue.record("no error")
            } catch {
                guard case .pool(.unavailable) = error else { throw error }
            }
        }

        // MARK: Bounds

        @Test func `no more connections are open than the limit says, and every caller gets one in turn`() throws {
            let pool = try makePool(connections: 3)
            let counts = Box<Int>()
            for _ in 0..<20 {
                Thread.run {
                    do {
                        let connection = try pool.borrow()
                        _ = try connection.query(PostgresCall("SELECT pg_sleep(0.01)"))
                        counts.append(pool.openConnections)
                        pool.giveBack(connection)
                    } catch {
                        Issue.record(error)
                    }
                }
            }
            #expect(counts.wait(for: 20).allSatisfy { $0 <= 3 })
            #expect(pool.openConnections <= 3)
        }

        @Test func `a caller waits as long as the patience lasts`() throws {
            let pool = try makePool(connections: 1, patience: .milliseconds(200))
            let connection = try pool.borrow()
            let start = ContinuousClock.now
            #expect(try postgresError { _ = try pool.borrow() }.kind == .unavailable)
            #expect(ContinuousClock.now - start >= .milliseconds(190))
            pool.giveBack(connection)
            #expect(try pool.withConnection { connection throws(PostgresError) in try connection.integer("SELECT 2") } == 2)
        }

        @Test func `a connection that is given back goes to a caller that waits`() throws {
            let pool = try makePool(connections: 1)
            let connection = try pool.borrow()
            let answers = Box<Int64?>()
            Thread.run { answers.append(try? pool.withConnection { connection throws(PostgresError) in try connection.integer("SELECT 8") }) }
            Thread.sleep(forTimeInterval: 0.05)
            #expect(answers.all.isEmpty)
            pool.giveBack(connection)
            #expect(answers.wait(for: 1) == [8])
        }

        @Test func `a full line refuses callers and jobs immediately`() throws {
            // DN-8.9
            let pool = try makePool(connections: 1, line: 2)
            let connection = try pool.borrow()
            let kinds = Box<PostgresError.Kind?>()
            for _ in 0..<3 {
                Thread.run {
                    do throws(PostgresError) {
                        pool.giveBack(try pool.borrow())
                        kinds.append(nil)
                    } catch {
                        kinds.append(error.kind)
                    }
                }
            }
            #expect(kinds.wait(for: 1) == [.exhausted])
            pool.giveBack(connection)
            #expect(kinds.wait(for: 3) == [.exhausted, nil, nil])
            let held = try pool.borrow()
            let jobs = Box<PostgresError.Kind?>()
            // One job waits for a connection, on the only thread, and two wait for the thread.
            func start() { pool.start { result in if case .failure(let error) = result { jobs.append(error.kind) } else { jobs.append(nil) } } }
            start()
            Thread.sleep(forTimeInterval: 0.2)
            for _ in 0..<2 { start() }
            #expect(jobs.all.isEmpty)
            start()
            #expect(jobs.all == [.exhausted])
            pool.giveBack(held)
            #expect(jobs.wait(for: 4) == [.exhausted, nil, nil, nil])
        }

        // MARK: Broken connections

        @Test func `connections that are lost while idle are replaced without an error`() throws {
            let pool = try makePool()
            let connections = [try pool.borrow(), try pool.borrow()]
            try Link.terminate(connections[0], connections[1])
            let fresh = try makePool(connections: 1)
            let idle = try fresh.borrow()
            let process = try Link.identifier(of: idle)
            fresh.giveBack(idle)
            try PostgresServer.shared.run("SELECT pg_terminate_backend(\(process), 10000)")
            #expect(try fresh.withConnection { connection throws(PostgresError) in try connection.integer("SELECT 1") } == 1)
            #expect(fresh.openConnections == 1)
            connections.forEach(pool.giveBack)
            #expect(try pool.withConnection { connection throws(PostgresError) in try connection.integer("SELECT 1") } == 1)
            #expect(pool.openConnections <= 2)
        }

        // DN-8.1: behind the one that is found lost, others may be without an answer for as long.
        @Test func `one connection that is lost ends those that are idle`() throws {
            let pool = try makePool(connections: 3)
            let connections = [try pool.borrow(), try pool.borrow(), try pool.borrow()]
            let idle = try Link.identifier(of: connections[1])
            connections[1...].forEach(pool.giveBack)
            try Link.terminate(connections[0])
            _ = try? connections[0].integer("SELECT 1")
            pool.giveBack(connections[0])
            #expect(pool.openConnections == 0)
            #expect(try pool.withConnection { connection throws(PostgresError) in try connection.integer("SELECT pg_backend_pid()") } != idle)
            #expect(pool.openConnections == 1)
        }

        @Test func `a connection that is given back in a transaction is closed`() throws {
            let pool = try makePool(connections: 1)
            let first = try pool.borrow()
            let process = try Link.identifier(of: first)
            _ = try first.query(PostgresCall("BEGIN"))
            pool.giveBack(first)
            #expect(pool.openConnections == 0 && first.isBroken)
            let second = try pool.withConnection { connection throws(PostgresError) in try connection.integer("SELECT pg_backend_pid()") }
            #expect(second != process)
        }

        @Test func `a connection whose transaction was ended without waiting is kept`() throws {
            let pool = try makePool(connections: 1)
            for _ in 0..<3 {
                let connection = try pool.borrow()
                _ = try connection.query([PostgresCall("BEGIN READ ONLY"), PostgresCall("SELECT 1")])
                connection.sendWithoutWaiting(PostgresCall("COMMIT"))
                pool.giveBack(connection)
                #expect(pool.openConnections == 1)
            }
            let connection = try pool.borrow()
            #expect(connection.roundTrips == 3)
        }

        // MARK: Jobs

        @Test func `jobs run on threads of the pool, which are as many as connections`() throws {
            let pool = try makePool(connections: 4)
            let threads = Box<ObjectIdentifier?>()
            for _ in 0..<100 {
                pool.start { result in
                    let answer = try? result.get().integer("SELECT 1")
                    threads.append(answer == 1 ? ObjectIdentifier(Thread.current) : nil)
                }
            }
            let used = Set(threads.wait(for: 100))
            #expect(used.count <= 4 && !used.contains(nil) && !used.contains(ObjectIdentifier(Thread.current)))
            #expect(pool.openConnections <= 4)
            pool.close()
        }

        @Test func `a job that waits longer than the patience fails although every thread is busy`() throws {
            let pool = try makePool(connections: 1, patience: .milliseconds(100))
            let isReleased = Box<Bool>()
            let errors = Box<PostgresError.Kind?>()
            pool.start { _ in _ = isReleased.wait(for: 1) }
            for _ in 0..<3 { pool.start { result in if case .failure(let error) = result { errors.append(error.kind) } else { errors.append(nil) } } }
            #expect(errors.wait(for: 3) == [.unavailable, .unavailable, .unavailable])
            isReleased.append(true)
            pool.close()
        }

        @Test func `closing waits for the jobs that run, and later uses fail`() throws {
            let pool = try makePool(connections: 2)
            let events = Box<String>()
            pool.start { result in
                events.append("begun")
                _ = try? result.get().query(PostgresCall("SELECT pg_sleep(0.3)"))
                events.append("finished")
            }
            _ = events.wait(for: 1)
            let lent = try pool.borrow()
            Thread.run {
                do throws(PostgresError) { _ = try pool.borrow() } catch { events.append("refused \(error.kind)") }
            }
            Thread.sleep(forTimeInterval: 0.05)
            pool.close()
            #expect(events.all.contains("finished"))
            #expect(events.wait(for: 3).contains("refused unavailable"))
            #expect(try postgresError { _ = try pool.borrow() }.kind == .unavailable)
            let kinds = Box<PostgresError.Kind?>()
            pool.start { result in if case .failure(let error) = result { kinds.append(error.kind) } }
            #expect(kinds.all == [.unavailable])
            // One that is lent out works until it is given back.
            #expect(try lent.integer("SELECT 1") == 1)
            pool.giveBack(lent)
            #expect(lent.isBroken && pool.openConnections == 0)
            pool.close()
        }
    }
#endif
