// SPDX-License-Identifier: Apache-2.0
#if Remote
    public import FirebaseFirestore
    import FirestoreCore
    import FirestoreRemote
    import FirestoreSync
    import Foundation

    extension TestNetwork {
        /// The location of a client's cache.
        public enum Cache: Sendable, Hashable {
            /// In memory: it ends with the instance of `Firestore`.
            case memory
            /// In a file, to test what an app shows after a restart: terminate the instance, and open another one with the same file.
            /// The directory must exist.
            case file(URL)
        }

        /// The database of one device, behind the network, with a cache.
        ///
        /// Each call is another device. Two instances with the same file share its cache, as two processes of one app. The cache is opened
        /// by the first operation, which also begins to send the queued writes. `settings` may be changed before; their values for
        /// the location of the database, its cache and its indexes have no effect. Attempts to connect follow each other within
        /// milliseconds.
        ///
        /// ```swift
        /// let network = TestNetwork()
        /// let phone = network.firestore()
        /// network.goOffline()
        /// try await phone.document("notes/milk").setData(["text": "Buy milk"])     // returns: it is in the queue
        /// #expect(try await phone.document("notes/milk").getDocument().metadata.hasPendingWrites)
        /// network.goOnline()
        /// try await phone.waitForPendingWrites()
        /// ```
        /// - Parameter cache: Where the cache is; by default in memory. It is never in the directory of a user.
        public func firestore(cache: Cache = .memory) -> Firestore {
            let firestore = Firestore(
                databaseID: databaseID,
                opening: { [self] settings throws(FirestoreError) in try open(cache, settings) })
            let settings = firestore.settings
            settings.dispatchQueue = callbackQueue
            firestore.settings = settings
            return firestore
        }

        private func open(_ cache: Cache, _ settings: FirestoreSettings) throws(FirestoreError) -> any ClientBackend {
            let location: LocalStore.Configuration.Location
            switch cache {
            case .memory: location = .memory
            case .file(let url):
                guard url.isFileURL else { throw .invalidArgument("the cache of a test must be a file URL", at: "\(url)") }
                location = .file(path: url.path)
            }
            var engine = SyncEngine.Settings()
            engine.offlineAfter = settings.offlineAfter
            engine.failedWrites = settings.failedWritePolicy.internalForm
            engine.conflictHandler = settings.engineConflictHandler
            engine.backoff = Backoff(first: .milliseconds(1), longest: .milliseconds(10))
            let service = connect()
            let (databaseID, durability) = (databaseID, settings.durability == .full ? Durability.full : .relaxed)
            return try SyncClient(
                SyncClient.Parts(
                    database: databaseID, transport: try service.transport, service: service, settings: engine,
                    cache: { user throws(FirestoreError) in
                        LocalStore.Configuration(
                            location: location, databaseID: databaseID, server: "test-network", user: user, durability: durability)
                    }))
        }
    }
#endif
