// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import CPostgres
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    extension PostgresConnection {
        /// A connection of libpq in pipeline mode.
        static func connect(_ settings: PostgresSettings) throws(PostgresError) -> OpaquePointer {
            let hosts = settings.ofHosts
            guard hosts.count == 1 else { return try ConnectionRace(hosts).run(for: .seconds(settings.connectTimeout)) }
            let start = ContinuousClock.now
            guard let handle = PQParameters.with(settings.parameters, { PQconnectdbParams($0, $1, 0) }) else { throw .noMemory }
            _ = PQsetNoticeReceiver(handle, { _, _ in }, nil)
            if PQstatus(handle) != CONNECTION_OK, ContinuousClock.now - start < .milliseconds(500) {
                // The second attempt is for the SQLSTATE, which libpq only reports in verbose messages, and this setting needs a
                // connection. One that has failed slowly has not reached a server.
                _ = PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
                PQreset(handle)
                _ = PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
            }
            guard PQstatus(handle) == CONNECTION_OK, PQenterPipelineMode(handle) == 1 else {
                defer { PQfinish(handle) }
                throw PostgresError(
                    connecting: String(cString: PQerrorMessage(handle)), needsPassword: PQconnectionNeedsPassword(handle) == 1)
            }
            return handle
        }
    }

    enum PQParameters {
        /// Passes parameters as libpq takes them.
        static func with<R>(
            _ parameters: [String: String], _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> R
        ) -> R {
            let names = parameters.map { strdup($0.key) }
            let texts = parameters.map { strdup($0.value) }
            defer { (names + texts).forEach { free($0) } }
            return body(names.map { UnsafePointer<CChar>($0) } + [nil], texts.map { UnsafePointer<CChar>($0) } + [nil])
        }
    }

    extension PostgresError {
        static var noMemory: PostgresError { PostgresError(.exhausted, "no memory for a connection") }
    }

    enum SocketInput {
        /// Whether there is something to read, be it the end of the stream. Does not wait.
        static func isWaiting(_ socket: Int32) -> Bool {
            var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            return poll(&descriptor, 1, 0) > 0
        }
    }

    /// Cancels the statement that a connection runs.
    ///
    /// `@unchecked Sendable`: the pointer is a constant, libpq documents that `PQcancel` may be called from any thread, because it only
    /// reads what it points to, and the memory is freed when no reference is left.
    package final class PostgresCancel: @unchecked Sendable {
        private let handle: OpaquePointer?

        init(_ connection: OpaquePointer) { handle = PQgetCancel(connection) }

        deinit { PQfreeCancel(handle) }

        /// Asks the server, over a separate connection, and waits until it has the request. The statement fails with an error of the
        /// kind `cancelled`, unless it has finished; a later statement of the connection may be hit instead.
        package func cancel() {
            guard let handle else { return }
            var message = [CChar](repeating: 0, count: 256)
            _ = PQcancel(handle, &message, Int32(message.count))
        }
    }
#endif
