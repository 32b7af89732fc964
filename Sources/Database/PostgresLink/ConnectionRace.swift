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

    /// Connects to the first of several hosts that accepts: a machine that is gone without a word delays nothing.
    ///
    /// libpq tries one host after the other, and waits for each until the timeout. Here the next one begins as soon as one fails, or has
    /// not answered for a moment; and one that has refused is asked again while another is silent: it may be the standby that takes over.
    struct ConnectionRace: ~Copyable {
        private struct Attempt {
            let host: Int
            let handle: OpaquePointer
            var next: PostgresPollingStatusType = PGRES_POLLING_WRITING
        }

        private static let headStart = Duration.milliseconds(300)

        private let hosts: [[String: String]]
        /// The hosts without an attempt, the next one first.
        private var waiting: [Int]
        private var attempts: [Attempt] = []
        /// By host.
        private var errors: [Int: String] = [:]

        init(_ hosts: [[String: String]]) {
            self.hosts = hosts
            waiting = Array(hosts.indices)
        }

        deinit { attempts.forEach { PQfinish($0.handle) } }

        /// A connection of libpq in pipeline mode.
        consuming func run(for timeout: Duration) throws(PostgresError) -> OpaquePointer {
            let end = ContinuousClock.now + timeout
            var nextStart = ContinuousClock.now
            while ContinuousClock.now < end {
                if attempts.isEmpty, errors.count == hosts.count { break }
                if !waiting.isEmpty, attempts.isEmpty || ContinuousClock.now >= nextStart {
                    try begin(waiting.removeFirst())
                    nextStart = ContinuousClock.now + Self.headStart
                }
                wait(until: waiting.isEmpty ? end : min(nextStart, end))
                if let index = try advance() {
                    let handle = attempts.remove(at: index).handle
                    guard PQenterPipelineMode(handle) == 1 else {
                        PQfinish(handle)
                        throw .noMemory
                    }
                    return handle
                }
            }
            for attempt in attempts { errors[attempt.host] = "a server has not answered within \(timeout.components.seconds) s" }
            let texts = errors.sorted { $0.key < $1.key }.map(\.value)
            throw PostgresError(connecting: texts.joined(separator: "\n"), needsPassword: false)
        }

        private mutating func begin(_ host: Int) throws(PostgresError) {
            let handle = PQParameters.with(hosts[host]) { PQconnectStartParams($0, $1, 0) }
            guard let handle else { throw .noMemory }
            _ = PQsetNoticeReceiver(handle, { _, _ in }, nil)
            _ = PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
            attempts.append(Attempt(host: host, handle: handle))
        }

        /// Waits until a socket is ready.
        private func wait(until end: ContinuousClock.Instant) {
            var descriptors = attempts.map { attempt in
                pollfd(
                    fd: PQsocket(attempt.handle), events: Int16(attempt.next == PGRES_POLLING_READING ? POLLIN : POLLOUT), revents: 0)
            }
            let (seconds, attoseconds) = (end - ContinuousClock.now).components
            let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
            _ = poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: max(1, milliseconds)))
        }

        /// Continues the attempts whose sockets are ready. Returns the place of one that has a connection.
        private mutating func advance() throws(PostgresError) -> Int? {
            for index in attempts.indices.reversed() {
                let attempt = attempts[index]
                guard isReady(attempt) else { continue }
                attempts[index].next = PQconnectPoll(attempt.handle)
                switch attempts[index].next {
                case PGRES_POLLING_OK:
                    _ = PQsetErrorVerbosity(attempt.handle, PQERRORS_DEFAULT)
                    return index
                case PGRES_POLLING_FAILED:
                    let text = String(cString: PQerrorMessage(attempt.handle))
                    // Another host would say the same to a wrong password.
                    if PQconnectionNeedsPassword(attempt.handle) == 1 { throw PostgresError(connecting: text, needsPassword: true) }
                    errors[attempt.host] = text
                    waiting.append(attempt.host)
                    PQfinish(attempts.remove(at: index).handle)
                default: break
                }
            }
            return nil
        }

        /// Whether the socket of an attempt has what it waits for, or has failed.
        private func isReady(_ attempt: Attempt) -> Bool {
            let socket = PQsocket(attempt.handle)
            guard socket >= 0 else { return true }
            var descriptor = pollfd(fd: socket, events: Int16(attempt.next == PGRES_POLLING_READING ? POLLIN : POLLOUT), revents: 0)
            return poll(&descriptor, 1, 0) > 0
        }
    }
#endif
