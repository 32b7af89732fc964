// SPDX-License-Identifier: Apache-2.0
#if Remote
    public import FirebaseFirestore
    package import FirestoreCore
    import FirestoreEnforcement
    import FirestoreRPC
    package import FirestoreRemote
    import FirestoreRules
    import FirestoreServer
    import FirestoreSync
    import Foundation
    import Logging

    /// A network for one test, with a server at its other end: what does the app show in the underground?
    ///
    /// The server is the one of `hearth serve`, in this process and in memory. Nothing waits: being offline, a connection that
    /// breaks and an answer that is lost take no time, and a latency takes only as long as it says.
    ///
    /// ```swift
    /// let network = TestNetwork()
    /// let notes = Notebook(network.firestore())
    /// network.goOffline()
    /// try await notes.add(Note(text: "Buy milk"))      // saved, and visible
    /// #expect(try await network.server.collection("notes").getDocuments().isEmpty)
    /// network.goOnline()
    /// ```
    /// ``firestore(cache:)`` opens the database of one device, with a cache, as an app has it. ``server`` is the view of other users. It is
    /// not affected by the network, so that a test can also write to it what other users wrote in the meantime.
    ///
    /// Any number of networks can be in use at the same time: each has a separate server and database.
    ///
    /// Beyond the Apple SDK.
    public final class TestNetwork: Sendable {
        /// The database on the server, without the network: what all users together have written.
        public let server: Firestore
        /// The clock of the server, which stands still until it is moved.
        public let clock: TestClock
        package let databaseID: DatabaseID
        private let conditions: NetworkConditions
        let callbackQueue: DispatchQueue
        private let databases: DatabaseRegistry
        private let methods: FirestoreService

        /// Starts a server with an empty database, and a network to it that is online.
        ///
        /// - Parameters:
        ///   - projectID: The project of the database, as in stored references.
        ///   - start: The initial time of the server's clock; by default the beginning of 2025 in UTC.
        ///   - callbackQueue: The queue of completion handlers and listeners, `settings.dispatchQueue`.
        public convenience init(
            projectID: String = "demo-test", startingAt start: Date = Date(timeIntervalSince1970: 1_735_689_600),
            callbackQueue: DispatchQueue = .main
        ) {
            self.init(projectID: projectID, startingAt: start, callbackQueue: callbackQueue, NetworkConditions())
        }

        /// The conditions know how to wait for a latency.
        init(projectID: String, startingAt start: Date, callbackQueue: DispatchQueue, _ conditions: NetworkConditions) {
            self.conditions = conditions
            self.callbackQueue = callbackQueue
            clock = TestClock(startingAt: start)
            databaseID = DatabaseID(projectID: projectID)
            var log = Logger(label: "hearth.testing")
            log.logLevel = .critical
            // As a server in development mode does.
            var enforcing = RuleEnforcement.Settings()
            enforcing.explainsToCallers = true
            databases = DatabaseRegistry(
                DatabaseOpening(storage: .memory, clock: clock.source), rules: RulesRegistry(settings: enforcing), log: log)
            methods = FirestoreService(databases: databases)
            server = Firestore(over: RemoteService(RPCLoopback(methods), database: databaseID), databaseID: databaseID)
            let settings = server.settings
            settings.storage = .memory
            settings.dispatchQueue = callbackQueue
            server.settings = settings
        }

        /// A connection of one client, which is subject to the conditions of the network.
        ///
        /// Its own retries wait for milliseconds.
        package func connect() -> RemoteService {
            let backoff = Backoff(first: .milliseconds(1), longest: .milliseconds(50))
            return RemoteService(
                ConditionedChannel(RPCLoopback(methods), conditions), database: databaseID, backoff: backoff,
                retries: RetryPolicy(backoff: backoff))
        }

        /// Ends the server and releases its memory now, instead of when the object is released. Terminate the clients
        /// first.
        public nonisolated(nonsending) func close() async throws {
            try await server.terminate()
            await databases.close()
        }

        // MARK: Conditions

        /// Whether the server can be reached.
        public var isOnline: Bool { conditions.reach == .online }

        /// Disconnects: connections end, and new ones fail immediately, as in airplane mode.
        ///
        /// Requests that were sent and not yet answered may have been applied.
        public func goOffline() { conditions.set(.offline) }

        /// Connects again, after ``goOffline()`` or ``goSilent()``. Clients notice when they try to connect again.
        public func goOnline() { conditions.set(.online) }

        /// From now on nothing arrives, in either direction, and nothing fails, as in a tunnel or behind a captive portal. Clients
        /// notice by waiting in vain: they are considered offline after `settings.offlineAfter`, ten seconds unless set, so set a short
        /// time in such tests. The connections of that time end when the network is online again.
        public func goSilent() { conditions.set(.silent) }

        /// Ends all connections once. Clients can connect again immediately.
        public func interrupt() { conditions.interrupt() }

        /// How long a message is in flight, in each direction; initially zero.
        ///
        /// Messages do not wait for each other: a round trip takes twice this time, however many messages are in flight.
        public var latency: Duration {
            get { conditions.latency }
            set { conditions.latency = newValue }
        }

        /// Makes the answers to the next commits disappear together with their connection: the server has applied the writes, and the
        /// client does not know.
        ///
        /// - Parameter count: The number of commits; `.max` for all.
        public func loseNextAnswers(_ count: Int = 1) { conditions.loseAnswers(count) }

        /// Makes the server reject the next commits. A rejected commit has no effect.
        ///
        /// ```swift
        /// network.failNextWrites(with: .permissionDenied)
        /// ```
        /// - Parameters:
        ///   - count: The number of commits that are rejected; `.max` for all.
        ///   - code: The code of the error.
        public func failNextWrites(count: Int = 1, with code: FirestoreErrorCode.Code) {
            guard count > 0, let code = FirestoreError.Code(rawValue: code.rawValue), code != .ok else { return }
            conditions.reject(RPCStatus(code, "failed because the test asked for it"), count: count)
        }

        /// Cancels the failures and losses that are still pending.
        public func stopFailing() { conditions.stopFailing() }
    }
#endif
