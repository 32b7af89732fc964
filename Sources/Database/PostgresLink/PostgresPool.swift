// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import Dispatch
    import Foundation

    package struct PostgresPoolLimits: Sendable {
        /// How many connections are open at a time, and how many threads the pool has.
        package var connections: Int
        /// How long a caller waits for a connection.
        package var patience: Duration
        /// How many callers, and how many jobs, wait at a time.
        package var line: Int

        package init(connections: Int = 16, patience: Duration = .seconds(2), line: Int = 1_024) {
            (self.connections, self.patience, self.line) = (max(1, connections), patience, line)
        }
    }

    /// A bounded number of connections, which are made on demand and lent out one after the other.
    ///
    /// Callers that may block their thread borrow a connection. Others start a job, which gets one on a thread of the pool. Both wait in
    /// order of arrival.
    package final class PostgresPool: Sendable {
        typealias Job = @Sendable (Result<PostgresConnection, PostgresError>) -> Void
        typealias WaitingJob = (run: Job, deadline: DispatchTime)

        private let settings: PostgresSettings
        let limits: PostgresPoolLimits
        private let prepare: (@Sendable (PostgresConnection) throws(PostgresError) -> Void)?
        let state: Guarded<State>

        struct State {
            /// The connection that was used last is used next: it is the one whose memory is in the caches.
            var idle: [PostgresConnection] = []
            /// Connections that are idle, lent out, or being made.
            var open = 0
            var waiting: [Waiter] = []
            var isClosed = false

            var jobs: [WaitingJob] = []
            var threads = 0
            /// Threads without a job.
            var sleeping: [DispatchSemaphore] = []
            /// The number of jobs that run.
            var running = 0
            /// A look at the deadlines of jobs is scheduled.
            var isExpiring = false
            var closing: [DispatchSemaphore] = []
        }

        /// A caller that waits for a connection.
        final class Waiter {
            let wakeUp = DispatchSemaphore(value: 0)
            var grant: Grant?
        }

        enum Grant {
            case connection(PostgresConnection)
            /// Make one.
            case room
            case refused(PostgresError)
        }

        /// Makes no connection. `prepare` is called with every new one before it is lent out.
        package init(
            _ settings: PostgresSettings, limits: PostgresPoolLimits = PostgresPoolLimits(),
            prepare: (@Sendable (PostgresConnection) throws(PostgresError) -> Void)? = nil
        ) {
            (self.settings, self.limits, self.prepare) = (settings, limits, prepare)
            state = Guarded(State())
        }

        /// The number of connections that are open or being made.
        package var openConnections: Int { state.withLock { $0.open } }

        // MARK: Borrowing

        /// Lends a connection, on the caller's thread, which waits for as long as the patience of the pool: never call this on the
        /// cooperative thread pool. `failure` turns an error of the pool into one of the caller.
        package func withConnection<R, E: Error>(
            failure: (PostgresError) -> E, _ body: (PostgresConnection) throws(E) -> R
        ) throws(E) -> R {
            let connection: PostgresConnection
            do { connection = try borrow() } catch { throw failure(error) }
            defer { giveBack(connection) }
            return try body(connection)
        }

        package func withConnection<R>(_ body: (PostgresConnection) throws(PostgresError) -> R) throws(PostgresError) -> R {
            try withConnection(failure: { $0 }, body)
        }

        /// Blocks the thread until there is a connection. Give it back on any thread when you no longer use it.
        ///
        /// While the server cannot be reached, this tries again until the patience is over, and then throws an error of the kind
        /// `unavailable`. If more callers wait than the line has places, the error is `exhausted`.
        package func borrow() throws(PostgresError) -> PostgresConnection { try borrow(until: limits.deadline) }

        func borrow(until deadline: DispatchTime) throws(PostgresError) -> PostgresConnection {
            let (grant, waiter) = state.withLock { $0.enter(limits) }
            switch grant ?? wait(waiter, until: deadline) {
            case .refused(let error): throw error
            case .room: return try connect(until: deadline)
            case .connection(let connection):
                connection.checkWhileIdle()
                if !connection.isBroken { return connection }
                connection.close()
                return try connect(until: deadline)
            }
        }

        /// Takes a connection back. One that is lost, or in a transaction, is closed, with which the server takes back the transaction.
        package func giveBack(_ connection: PostgresConnection) {
            if connection.isBroken { closeIdle() }
            let isUsable = !connection.isBroken && !connection.isInTransaction
            let isKept = isUsable && state.withLock { $0.keep(connection) }
            if isKept { return }
            connection.close()
            state.withLock { $0.releaseRoom() }
        }

        /// When one connection is lost, others may be without knowing it: a machine that is gone without a word answers none of them, and
        /// each would be waited for.
        private func closeIdle() {
            let idle = state.withLock { state in
                state.open -= state.idle.count
                defer { state.idle = [] }
                return state.idle
            }
            idle.forEach { $0.close() }
        }

        private func wait(_ waiter: Waiter, until deadline: DispatchTime) -> Grant {
            _ = waiter.wakeUp.wait(timeout: deadline)
            return state.withLock { state in
                if let grant = waiter.grant { return grant }
                state.waiting.removeAll { $0 === waiter }
                return .refused(PostgresError(.unavailable, "every connection to PostgreSQL is in use"))
            }
        }

        /// Makes a connection, for which there is room.
        private func connect(until deadline: DispatchTime) throws(PostgresError) -> PostgresConnection {
            while true {
                do {
                    let connection = try PostgresConnection(settings)
                    try prepare?(connection)
                    return connection
                } catch {
                    let pause = DispatchTimeInterval.milliseconds(50)
                    let mayTryAgain = error.kind == .unavailable && .now() + pause < deadline && !state.withLock { $0.isClosed }
                    guard mayTryAgain else {
                        state.withLock { $0.releaseRoom() }
                        throw error
                    }
                    Thread.sleep(forTimeInterval: 0.05)
                }
            }
        }

        // MARK: Closing

        /// Waits for the jobs that run, and closes every connection; one that is lent out is closed when it is given back. Callers and jobs
        /// that wait, and all later ones, fail with an error of the kind `unavailable`. Do not call this in a job.
        package func close() {
            let last = DispatchSemaphore(value: 0)
            let (idle, jobs, isLast) = state.withLock { state in
                state.isClosed = true
                for waiter in state.waiting { state.grant(.refused(Self.closedError), to: waiter) }
                state.sleeping.forEach { $0.signal() }
                state.open -= state.idle.count
                defer { (state.idle, state.jobs, state.waiting, state.sleeping) = ([], [], [], []) }
                if state.running > 0 { state.closing.append(last) }
                return (state.idle, state.jobs, state.running == 0)
            }
            idle.forEach { $0.close() }
            for job in jobs { job.run(.failure(Self.closedError)) }
            if !isLast { last.wait() }
        }

        static var closedError: PostgresError { PostgresError(.unavailable, "the connections to PostgreSQL are closed") }
    }

    extension PostgresPoolLimits {
        /// When the patience of a caller that arrives now is over.
        var deadline: DispatchTime {
            let (seconds, attoseconds) = patience.components
            return .now() + .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
        }
    }

    extension PostgresPool.State {
        /// What a caller gets immediately; otherwise it waits.
        mutating func enter(_ limits: PostgresPoolLimits) -> (PostgresPool.Grant?, PostgresPool.Waiter) {
            let waiter = PostgresPool.Waiter()
            if isClosed { return (.refused(PostgresPool.closedError), waiter) }
            if waiting.isEmpty, let connection = idle.popLast() { return (.connection(connection), waiter) }
            if waiting.isEmpty, open < limits.connections {
                open += 1
                return (.room, waiter)
            }
            if waiting.count >= limits.line {
                return (.refused(PostgresError(.exhausted, "too many callers wait for a connection to PostgreSQL")), waiter)
            }
            waiting.append(waiter)
            return (nil, waiter)
        }

        /// Hands a connection to the first caller that waits, or keeps it. Returns false if the pool is closed.
        mutating func keep(_ connection: PostgresConnection) -> Bool {
            if isClosed { return false }
            if waiting.isEmpty { idle.append(connection) } else { grant(.connection(connection), to: waiting.removeFirst()) }
            return true
        }

        /// A connection is closed, or could not be made: the first caller that waits may make one.
        mutating func releaseRoom() {
            if waiting.isEmpty { open -= 1 } else { grant(.room, to: waiting.removeFirst()) }
        }

        func grant(_ grant: PostgresPool.Grant, to waiter: PostgresPool.Waiter) {
            waiter.grant = grant
            waiter.wakeUp.signal()
        }
    }
#endif
