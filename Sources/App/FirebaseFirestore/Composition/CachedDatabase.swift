// SPDX-License-Identifier: Apache-2.0
#if Remote
    import FirebaseCore
    import FirestoreCore
    import FirestoreSync
    import FirestoreWire
    import Logging

    /// Opens a client with a cache in front of a server.
    func openCached(
        _ choice: CacheChoice, transport: any SyncTransport, service: any DocumentService, settings: SettingsValues,
        databaseID: DatabaseID, userTokens: (any UserTokenProvider)?
    ) throws(FirestoreError) -> SyncClient {
        let logger = FirebaseConfiguration.shared.logger(label: "hearth.sync")
        var engine = SyncEngine.Settings()
        engine.offlineAfter = settings.offlineAfter
        engine.failedWrites = settings.failedWritePolicy.internalForm
        engine.conflictHandler = settings.engineConflictHandler
        engine.collectionThreshold = choice.sizeLimit
        engine.log = { logger.warning("\($0)") }
        let user = SyncUser(uid: userTokens?.userID)
        let client = try SyncClient(
            SyncClient.Parts(
                database: databaseID, user: user, cacheIsPerUser: settings.cacheIsPerUser, transport: transport, service: service,
                settings: engine,
                cache: { user throws(FirestoreError) in try choice.configuration(databaseID, user, settings) }))
        if let userTokens {
            client.keep(
                userTokens.observe { [weak client, weak userTokens] in
                    guard let userTokens else { return }
                    client?.changeCredentials { SyncUser(uid: userTokens.userID) }
                })
            if let observation = userTokens.observeSignIns({ [weak client, weak userTokens] in
                guard let userTokens else { return }
                client?.changeSignIn { userTokens.isSigningIn }
            }) {
                client.keep(observation)
            }
            // The user may have changed before the observation began. A sign-in is looked for first: one that was in progress is
            // reported when it ends.
            client.changeSignIn { userTokens.isSigningIn }
            client.changeUser { SyncUser(uid: userTokens.userID) }
        }
        return client
    }

    extension CacheChoice {
        /// The size from which documents are collected, in bytes; nil for no limit, and where they are collected immediately.
        fileprivate var sizeLimit: Int64? {
            switch kind {
            case .persistent(_, let size), .memory(.leastRecentlyUsed(let size)): size < 0 ? nil : size
            case .memory(.eager), .off: nil
            }
        }

        fileprivate func configuration(
            _ databaseID: DatabaseID, _ user: SyncUser, _ settings: SettingsValues
        ) throws(FirestoreError) -> LocalStore.Configuration {
            let durability: Durability = settings.durability == .full ? .full : .relaxed
            switch kind {
            case .persistent(let file, _):
                try file.prepare()
                return LocalStore.Configuration(
                    location: .file(path: file.path(of: user.uid)), databaseID: databaseID, server: file.server, user: user,
                    durability: durability, indexPolicy: settings.indexPolicy.internalForm)
            case .memory(let collection):
                return LocalStore.Configuration(
                    location: .memory, databaseID: databaseID, server: "memory", user: user,
                    collection: collection == .eager ? .eager : .leastRecentlyUsed, durability: durability)
            case .off:
                throw FirestoreError(.internal, "this database has no cache")
            }
        }
    }
#endif
