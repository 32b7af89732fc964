// SPDX-License-Identifier: Apache-2.0
#if Remote
    import FirebaseCore
    import FirestoreCore
    import Foundation
    import ModeSupport
    import Testing

    @testable import FirebaseFirestore

    /// Whether a database on a server is cached, and where (SY-152, SY-158, T141, T142).
    @Suite struct CacheChoiceTests {
        private static let database = DatabaseID(projectID: "p")
        private static let key = URL(fileURLWithPath: "/tmp/key.json")
        private static let folder = URL(fileURLWithPath: "/caches")

        /// Where the server's address comes from.
        enum Origin: CaseIterable {
            case settings, environment, tls, regional, cloud
        }

        static let credentials: [(FirestoreSettings.Credentials, isAdministrator: Bool, isClosure: Bool)] = [
            (.automatic, false, false), (.none, false, false), (.emulatorOwner, true, false), (.applicationDefault, true, false),
            (.metadataServer, true, false), (.serviceAccount(key), true, false), (.authorizedUser(key), true, false),
            (.token { FirestoreSettings.AccessToken("t", expires: .distantFuture) }, false, true),
        ]

        private static func place(_ origin: Origin, _ settings: inout SettingsValues) throws -> DatabasePlace {
            var environment: [String: String] = [:]
            switch origin {
            case .settings: (settings.host, settings.isSSLEnabled) = ("db:8080", false)
            case .tls: settings.host = "db"
            case .regional: settings.host = "firestore.us-east1.rep.googleapis.com"
            case .environment: environment["FIRESTORE_EMULATOR_HOST"] = "db:8080"
            case .cloud: environment["GOOGLE_APPLICATION_CREDENTIALS"] = "/tmp/key.json"
            }
            return try DatabasePlace.find(settings: settings, databaseID: database, environment: environment)
        }

        private static func find(_ place: DatabasePlace, _ settings: SettingsValues, hasUsers: Bool = false) throws -> CacheChoice {
            try CacheChoice.find(place, settings: settings, databaseID: database, app: "app", hasUsers: hasUsers)
        }

        @Test(arguments: Origin.allCases, [false, true])
        func `without settings the credentials decide, and for an app where the address comes from`(
            origin: Origin, hasUsers: Bool
        ) throws {
            for (credentials, isAdministrator, isClosure) in Self.credentials {
                var settings = SettingsValues()
                settings.cacheDirectory = Self.folder
                settings.credentials = credentials
                let place = try Self.place(origin, &settings)
                // Without Google's credentials the environment's do not select Google's service.
                if case .embedded = place { continue }
                let choice = try Self.find(place, settings, hasUsers: hasUsers)
                let isGoogles = credentials == .automatic && (origin == .cloud || origin == .regional && !hasUsers)
                if isClosure {
                    #expect(choice == CacheChoice(kind: .off, reason: .tokens))
                } else if isAdministrator || isGoogles {
                    #expect(choice == CacheChoice(kind: .off, reason: .administrator), "\(origin) \(credentials)")
                } else if origin == .environment {
                    #expect(choice == CacheChoice(kind: .memory(.standard), reason: .environment), "\(credentials)")
                } else {
                    let file = try CacheFile(place, settings: settings, databaseID: Self.database, app: "app")
                    #expect(
                        choice == CacheChoice(kind: .persistent(file, sizeBytes: 104_857_600), reason: .app), "\(origin) \(credentials)")
                }
            }
        }

        @Test(arguments: Origin.allCases, [false, true])
        func `cache settings take precedence over the default of every kind of credentials`(origin: Origin, hasUsers: Bool) throws {
            for (credentials, _, _) in Self.credentials {
                let table: [(change: (FirestoreSettings) -> Void, size: Int64?, kind: CacheChoice.Kind?)] = [
                    ({ $0.cacheSettings = NoCacheSettings() }, nil, .off),
                    ({ $0.cacheSettings = MemoryCacheSettings() }, nil, .memory(.leastRecentlyUsed(sizeBytes: 104_857_600))),
                    ({ $0.cacheSettings = MemoryCacheSettings(garbageCollectorSettings: MemoryEagerGCSetting()) }, nil, .memory(.eager)),
                    ({ $0.cacheSettings = MemoryCacheSettings(garbageCollectorSettings: MemoryLRUGCSettings(sizeBytes: 5)) }, nil,
                        .memory(.leastRecentlyUsed(sizeBytes: 5))),
                    ({ $0.isPersistenceEnabled = false }, nil, .memory(.leastRecentlyUsed(sizeBytes: 104_857_600))),
                    ({ ($0.isPersistenceEnabled, $0.cacheSizeBytes) = (false, 2_000_000) }, nil,
                        .memory(.leastRecentlyUsed(sizeBytes: 2_000_000))),
                    ({ $0.cacheSettings = PersistentCacheSettings() }, 104_857_600, nil),
                    ({ $0.cacheSettings = PersistentCacheSettings(sizeBytes: -1) }, -1, nil),
                    ({ $0.cacheSizeBytes = 2_000_000 }, 2_000_000, nil),
                ]
                for row in table {
                    let settings = FirestoreSettings()
                    settings.cacheDirectory = Self.folder
                    settings.credentials = credentials
                    row.change(settings)
                    var values = settings.values
                    let place = try Self.place(origin, &values)
                    if case .embedded = place { continue }
                    let choice = try Self.find(place, values, hasUsers: hasUsers)
                    let file = try CacheFile(place, settings: values, databaseID: Self.database, app: "app")
                    #expect(choice.kind == row.kind ?? .persistent(file, sizeBytes: row.size ?? 0) && choice.reason == .settings)
                }
            }
        }

        @Test func `the log says which cache, and why`() throws {
            var settings = SettingsValues()
            settings.cacheDirectory = Self.folder
            let place = try Self.place(.settings, &settings)
            #expect(
                try Self.find(place, settings).description
                    == "cache in /caches/app/db_8080/p/_default.sqlite, because the calls are a user's or have no credentials")
            settings.credentials = .emulatorOwner
            #expect(
                try Self.find(try Self.place(.settings, &settings), settings).description
                    == "no cache, because the calls are an administrator's")
            settings.cache = .memory(.eager)
            #expect(try Self.find(place, settings).description == "cache in memory, as the settings say")
        }

        private static func path(
            _ address: String, tls: Bool = true, app: String = "app", project: String = "p", database: String = "d", perUser: Bool = false,
            user: String? = nil
        ) throws -> String {
            var settings = SettingsValues()
            settings.cacheDirectory = folder
            settings.cacheIsPerUser = perUser
            return try CacheFile(
                .server(address: address, usesTLS: tls, credentials: .none), settings: settings,
                databaseID: DatabaseID(projectID: project, databaseID: database), app: app
            ).path(of: user)
        }

        @Test func `a file belongs to one app, server, project and database`() throws {
            #expect(try Self.path("DB.example.com") == "/caches/app/db.example.com_443/p/d.sqlite")
            #expect(try Self.path("[::1]:8080", tls: false) == "/caches/app/%3A%3A1_8080/p/d.sqlite")
            #expect(try Self.path("db:1", app: "../x", project: "..", database: "a/b") == "/caches/%2E.%2Fx/db_1/%2E./a%2Fb.sqlite")
            #expect(try Self.path("db:1", user: "u") == "/caches/app/db_1/p/d.sqlite")
            let cloud = try CacheFile(
                .cloud(.none), settings: SettingsValues(), databaseID: DatabaseID(projectID: "p", databaseID: "d"), app: "app")
            #expect(cloud.path(of: nil).hasSuffix("/hearth/cache/app/cloud/p/d.sqlite"))
        }

        @Test func `with a cache per user every user has a file, also where case is ignored`() throws {
            let paths = try [nil, "anna", "ANNA", "a/../b", "signed-out"].map { try Self.path("db:1", perUser: true, user: $0) }
            #expect(
                paths.map { $0.dropFirst("/caches/app/db_1/p/d.users/".count) } == [
                    "signed-out.sqlite", "user-anna.sqlite", "user-^A^N^N^A.sqlite", "user-a%2^F..%2^Fb.sqlite", "user-signed-out.sqlite",
                ])
        }

        private struct Folder: ~Copyable {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-cache-\(UUID().uuidString)")
            deinit { try? FileManager.default.removeItem(at: url) }
        }

        @Test(arguments: [false, true])
        func `directories are for this user of the machine only, and clearing removes the files of all users`(perUser: Bool) throws {
            let scratch = Folder()
            var settings = SettingsValues()
            settings.cacheDirectory = scratch.url
            settings.cacheIsPerUser = perUser
            let place = DatabasePlace.server(address: "db:1", usesTLS: false, credentials: .none)
            let file = try CacheFile(place, settings: settings, databaseID: Self.database, app: "app")
            // Nothing is there yet.
            try file.delete()
            try file.prepare()
            // Something else has opened a directory of the cache to others.
            #expect(chmod(scratch.url.appendingPathComponent("app").path, 0o755) == 0)
            try file.prepare()
            var path = URL(fileURLWithPath: file.path(of: nil)).deletingLastPathComponent()
            while path.path != scratch.url.deletingLastPathComponent().path {
                let mode = try FileManager.default.attributesOfItem(atPath: path.path)[.posixPermissions] as? NSNumber
                #expect(mode?.intValue == 0o700, "\(path.path)")
                path = path.deletingLastPathComponent()
            }
            let names = perUser ? [file.path(of: nil), file.path(of: "a"), file.path(of: "b")] : [file.path(of: nil)]
            for name in names {
                for suffix in ["", "-wal", "-shm"] { #expect(FileManager.default.createFile(atPath: name + suffix, contents: Data())) }
            }
            // In use: nothing is removed.
            do {
                let lock = try LockedFile(exclusive: names[names.count - 1] + ".lock")
                let error = #expect(throws: FirestoreError.self) { try file.delete() }
                #expect(error?.code == .failedPrecondition)
                #expect(names.allSatisfy { FileManager.default.fileExists(atPath: $0) })
                withExtendedLifetime(lock) {}
            }
            try file.delete()
            for name in names {
                #expect(["", "-wal", "-shm"].allSatisfy { !FileManager.default.fileExists(atPath: name + $0) })
            }
        }

        @Test func `clearPersistence removes the cache of a server's database that is not in use`() async throws {
            let scratch = Folder()
            func database(_ app: FirebaseApp) -> Firestore {
                let db = Firestore.firestore(app: app)
                let settings = db.settings
                (settings.host, settings.isSSLEnabled, settings.cacheDirectory) = ("127.0.0.1:1", false, scratch.url)
                db.settings = settings
                return db
            }
            let (app, other) = (Scratch.app(), Scratch.app())
            let files = try [app, other].map { app in
                let db = database(app)
                return try CacheFile(
                    .server(address: "127.0.0.1:1", usesTLS: false, credentials: .automatic), settings: db.settingsValues,
                    databaseID: db.databaseID, app: app.name)
            }
            for file in files {
                try file.prepare()
                #expect(FileManager.default.createFile(atPath: file.path(of: nil), contents: Data()))
            }
            try await database(app).clearPersistence()
            #expect(files.map { FileManager.default.fileExists(atPath: $0.path(of: nil)) } == [false, true])
            // T142: while it runs, and by another instance's lock.
            let lock = try LockedFile(exclusive: files[1].path(of: nil) + ".lock")
            #expect(isFailure(await failure { try await database(other).clearPersistence() }, .failedPrecondition))
            withExtendedLifetime(lock) {}
        }
    }
#endif
