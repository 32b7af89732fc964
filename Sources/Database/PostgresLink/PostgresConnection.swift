// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import CPostgres

    /// A connection to the server, used by one thread at a time. Its methods block the thread until the server has answered.
    ///
    /// The connection is always in libpq's pipeline mode: calls that are passed together are sent in one message, and their answers
    /// are read afterwards. Outside of a transaction block, such calls are one transaction.
    package final class PostgresConnection {
        private let handle: OpaquePointer
        /// Cancels the statement in flight, from any thread.
        package let cancelHandle: PostgresCancel
        /// How often the connection has waited for the server, not counting its beginning.
        package private(set) var roundTrips = 0
        /// The names of prepared statements.
        private var prepared: [PostgresStatement: String] = [:]
        private var preparedCount = 0
        /// What was sent and not yet read.
        private var unread: [Step] = []
        /// Whether the connection will be in a transaction after the calls that are not yet read.
        private var willBeInTransaction = false
        private var isLost = false
        private var isClosed = false
        /// The error of the call of `sendWithoutWaiting` that failed last.
        package private(set) var unreadError: PostgresError?

        /// An answer that the server owes.
        private enum Step {
            case preparation(PostgresStatement)
            case call
            /// A call whose result is not returned.
            case unreturnedCall
            case sync

            var isSync: Bool { if case .sync = self { true } else { false } }
        }

        /// Connects. Tries the hosts in turn, each for as long as `connect_timeout` says.
        package init(_ settings: PostgresSettings) throws(PostgresError) {
            handle = try Self.connect(settings)
            cancelHandle = PostgresCancel(handle)
            do {
                try execute(settings.startStatement)
            } catch {
                close()
                throw error
            }
            roundTrips = 0
        }

        deinit { close() }

        package func close() {
            guard !isClosed else { return }
            isClosed = true
            PQfinish(handle)
        }

        // MARK: State

        /// The connection is lost or closed: every later call fails.
        package var isBroken: Bool { isClosed || isLost || PQstatus(handle) == CONNECTION_BAD }

        /// A transaction block is open, be it failed.
        package var isInTransaction: Bool {
            if isBroken { return false }
            if !unread.isEmpty { return willBeInTransaction }
            return ![PQTRANS_IDLE, PQTRANS_UNKNOWN].contains(PQtransactionStatus(handle))
        }

        /// Such as 150018 for 15.18; 0 if the connection is closed.
        package var serverVersion: Int { isClosed ? 0 : Int(PQserverVersion(handle)) }

        /// Notices that the server has closed the connection in the meantime, without a round trip.
        func checkWhileIdle() {
            // A farewell is read before the end of the stream.
            for _ in 0..<8 where !isBroken && hasInput() {
                if PQconsumeInput(handle) == 0 { isLost = true }
            }
        }

        private func hasInput() -> Bool { SocketInput.isWaiting(PQsocket(handle)) }

        // MARK: Calls

        package func query(_ call: PostgresCall) throws(PostgresError) -> PostgresResult {
            guard let result = try query([call]).first else { throw Self.closedError }
            return result
        }

        /// Sends all calls in one message and waits once, also if statements have to be prepared.
        ///
        /// The server skips the calls after the first that fails, whose error is thrown.
        package func query(_ calls: [PostgresCall]) throws(PostgresError) -> [PostgresResult] {
            guard !calls.isEmpty else { return [] }
            guard !isBroken else { throw Self.closedError }
            for call in calls { try send(call, as: .call) }
            try sync()
            roundTrips += 1
            return try readAll()
        }

        /// Sends a call whose result is read at the beginning of the next use, for example the `COMMIT` of a transaction that has only
        /// read. If it fails, `unreadError` is set then.
        package func sendWithoutWaiting(_ call: PostgresCall) {
            guard !isBroken else { return }
            let isInTransaction = isInTransaction
            do {
                try send(call, as: .unreturnedCall)
                try sync()
            } catch {
                unreadError = error
            }
            let word = call.statement.text.prefix { $0 != " " && $0 != ";" }.uppercased()
            willBeInTransaction = word == "BEGIN" || (isInTransaction && !["COMMIT", "ROLLBACK", "END"].contains(word))
        }

        /// Runs statements without parameters, separated by semicolons, such as those of a schema.
        package func execute(_ sql: String) throws(PostgresError) {
            guard !isBroken else { throw Self.closedError }
            if !unread.isEmpty { _ = try readAll() }
            PQexitPipelineMode(handle)
            defer { PQenterPipelineMode(handle) }
            roundTrips += 1
            guard let result = PQexec(handle, sql) else { throw lost() }
            defer { PQclear(result) }
            if let error = error(of: result) { throw error }
        }

        // MARK: Sending

        private func send(_ call: PostgresCall, as step: Step) throws(PostgresError) {
            let name = try prepare(call)
            let isSent = EncodedValues(call.values).withPointers { values, lengths, formats in
                PQsendQueryPrepared(handle, name, Int32(values.count), values, lengths, formats, 1)
            }
            guard isSent == 1 else { throw lost() }
            unread.append(step)
        }

        /// The name of the statement, which is prepared in the same message if this is its first use.
        private func prepare(_ call: PostgresCall) throws(PostgresError) -> String {
            if let name = prepared[call.statement] { return name }
            preparedCount += 1
            let name = "hearth\(preparedCount)"
            let types = call.values.map(\.typeIdentifier)
            guard PQsendPrepare(handle, name, call.statement.text, Int32(types.count), types) == 1 else { throw lost() }
            prepared[call.statement] = name
            unread.append(.preparation(call.statement))
            return name
        }

        /// Ends a group of calls and sends what is not sent.
        private func sync() throws(PostgresError) {
            guard PQpipelineSync(handle) == 1 else { throw lost() }
            unread.append(.sync)
        }
    }

    // MARK: Reading

    extension PostgresConnection {
        /// Reads all answers that the server owes. Throws the first error of calls whose results are returned.
        private func readAll() throws(PostgresError) -> [PostgresResult] {
            var results: [PostgresResult] = []
            var failure: PostgresError?
            var preparationError: PostgresError?
            for step in unread {
                let (result, error) = try read(isSync: step.isSync)
                if case .preparation(let statement) = step, error != nil || result == nil { prepared[statement] = nil }
                switch step {
                case .preparation: preparationError = preparationError ?? error
                case .call:
                    failure = failure ?? preparationError ?? error
                    if let result { results.append(PostgresResult(result)) }
                    continue
                case .unreturnedCall: unreadError = preparationError ?? error ?? unreadError
                case .sync: preparationError = nil
                }
                PQclear(result)
            }
            unread.removeAll(keepingCapacity: true)
            guard let failure else { return results }
            // A plan that no longer fits the tables, or statements that a pooler has dropped: prepare everything again.
            if ["0A000", "26000"].contains(failure.sqlState) { prepared = [:] }
            throw failure
        }

        /// The next answer: a result, an error, or neither if the server has skipped the call.
        private func read(isSync: Bool) throws(PostgresError) -> (result: OpaquePointer?, error: PostgresError?) {
            guard let result = PQgetResult(handle) else { throw lost() }
            let failure = error(of: result)
            if let failure, failure.isConnectionLost {
                PQclear(result)
                throw failure
            }
            // A null pointer separates the answers.
            while !isSync, let surplus = PQgetResult(handle) {
                PQclear(surplus)
                if PQstatus(handle) == CONNECTION_BAD { throw lost() }
            }
            if failure != nil || PQresultStatus(result) == PGRES_PIPELINE_ABORTED {
                PQclear(result)
                return (nil, failure)
            }
            return (result, nil)
        }

        private func error(of result: OpaquePointer) -> PostgresError? {
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_PIPELINE_SYNC, PGRES_PIPELINE_ABORTED, PGRES_EMPTY_QUERY: return nil
            case PGRES_FATAL_ERROR:
                if PQstatus(handle) == CONNECTION_BAD || PostgresError.endsConnection(result) { isLost = true }
                return PostgresError(result: result, isConnectionLost: isLost)
            default:
                // COPY, which this connection does not speak: the answers that follow would be read wrongly.
                isLost = true
                return PostgresError(.other, "PostgreSQL answers in a way that is not supported", isConnectionLost: true)
            }
        }

        /// Marks the connection as lost, and returns the error to throw.
        private func lost() -> PostgresError {
            isLost = true
            let message = PostgresError.line(String(cString: PQerrorMessage(handle)))
            return PostgresError(.unavailable, message.isEmpty ? "the connection to PostgreSQL is lost" : message, isConnectionLost: true)
        }

        private static var closedError: PostgresError { PostgresError(.unavailable, "the connection to PostgreSQL is closed") }
    }
#endif
