// SPDX-License-Identifier: Apache-2.0
#if Remote
    import FirestoreCore
    import FirestoreRemote
    import Foundation

    /// Whether and where a database on a server is cached. The only place where this is decided.
    struct CacheChoice: Equatable, CustomStringConvertible {
        enum Kind: Equatable {
            case off
            case memory(SettingsValues.MemoryCollection)
            /// `sizeBytes`: -1 for no limit.
            case persistent(CacheFile, sizeBytes: Int64)
        }

        enum Reason: Equatable {
            case settings
            /// The calls are an administrator's, who sees what users must not find in a cache.
            case administrator
            /// The tokens come from a closure: whose they are is not known.
            case tokens
            /// Only the environment names the server: a test run leaves nothing behind.
            case environment
            /// The calls are a user's or have no credentials, as an app's.
            case app
        }

        let kind: Kind
        let reason: Reason

        /// Settings decide; otherwise the credentials, and for an app where the address comes from:
        ///
        /// | Calls | Cache |
        /// |---|---|
        /// | of an administrator: `.emulatorOwner`, service accounts, application default credentials, authorized users | none |
        /// | with tokens from a closure | none |
        /// | of a user or without credentials, the server named by `FIRESTORE_EMULATOR_HOST` alone | in memory |
        /// | of a user or without credentials | persistent |
        static func find(
            _ place: DatabasePlace, settings: SettingsValues, databaseID: DatabaseID, app: String, hasUsers: Bool
        ) throws(FirestoreError) -> CacheChoice {
            func persistent(_ sizeBytes: Int64) throws(FirestoreError) -> Kind {
                .persistent(
                    try CacheFile(place, settings: settings, databaseID: databaseID, app: app), sizeBytes: sizeBytes)
            }
            switch settings.requestedCache {
            case .off: return CacheChoice(kind: .off, reason: .settings)
            case .memory(let collection): return CacheChoice(kind: .memory(collection), reason: .settings)
            case .disk(let sizeBytes): return CacheChoice(kind: try persistent(sizeBytes), reason: .settings)
            case nil: break
            }
            switch try place.caller(hasUsers: hasUsers) {
            case .administrator: return CacheChoice(kind: .off, reason: .administrator)
            case .tokens: return CacheChoice(kind: .off, reason: .tokens)
            case .anonymous, .user: break
            }
            if case .server = place, settings.host.utf8.elementsEqual(FirestoreSettings.defaultHost.utf8) {
                return CacheChoice(kind: .memory(.standard), reason: .environment)
            }
            return CacheChoice(kind: try persistent(SettingsValues.defaultCacheSizeBytes), reason: .app)
        }

        /// A line for the log.
        var description: String {
            let cause =
                switch reason {
                case .settings: "as the settings say"
                case .administrator: "because the calls are an administrator's"
                case .tokens: "because the tokens come from a closure"
                case .environment: "because only FIRESTORE_EMULATOR_HOST names the server"
                case .app: "because the calls are a user's or have no credentials"
                }
            switch kind {
            case .off: return "no cache, \(cause)"
            case .memory: return "cache in memory, \(cause)"
            case .persistent(let file, _):
                return "cache in \(file.path(of: nil))\(file.isPerUser ? " and beside it for each user" : ""), \(cause)"
            }
        }
    }

    extension DatabasePlace {
        /// The identity that makes the calls.
        enum Caller: Equatable {
            /// Calls without credentials.
            case anonymous
            /// The signed-in user of the app. While no user is signed in, calls are anonymous.
            case user
            /// The account that the tokens of a closure belong to.
            case tokens
            case administrator
        }

        /// `hasUsers`: FirebaseAuth is part of the app, and its users come before what the place would call for.
        func caller(hasUsers: Bool) throws(FirestoreError) -> Caller {
            let credentials: FirestoreSettings.Credentials
            switch self {
            case .embedded: return .administrator
            case .cloud(let own): credentials = own
            case .server(_, _, let own): credentials = own
            }
            switch credentials.kind {
            case .none: return .anonymous
            case .signedInUser: return hasUsers ? .user : .anonymous
            case .emulatorOwner, .applicationDefault, .metadataServer, .serviceAccount, .authorizedUser: return .administrator
            case .token: return .tokens
            case .automatic: break
            }
            if hasUsers { return .user }
            guard case .server(let address, let usesTLS, _) = self else { return .administrator }
            return try RemoteEndpoint(address: address, usesTLS: usesTLS).credentials == .none ? .anonymous : .administrator
        }
    }
#endif
