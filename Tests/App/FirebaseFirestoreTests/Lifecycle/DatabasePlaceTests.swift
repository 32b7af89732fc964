// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirebaseFirestore

/// Which of the three locations is selected (docs/decisions/0018).
@Suite struct DatabasePlaceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let environment: [String: String]
        let settings: SettingsValues
        let place: DatabasePlace

        init(
            _ name: String, _ environment: [String: String] = [:], _ place: DatabasePlace,
            _ change: (inout SettingsValues) -> Void = { _ in }
        ) {
            testDescription = name
            self.environment = environment
            var settings = SettingsValues()
            change(&settings)
            self.settings = settings
            self.place = place
        }
    }

    private static let database = ["HEARTH_DATABASE": "/tmp/e.sqlite"]
    private static let emulator = ["FIRESTORE_EMULATOR_HOST": "127.0.0.1:8080"]
    private static let google = ["GOOGLE_APPLICATION_CREDENTIALS": "/tmp/key.json"]
    private static let everything = database.merging(emulator) { $1 }.merging(google) { $1 }.merging(["GOOGLE_CLOUD_PROJECT": "p"]) { $1 }
    private static let key = URL(fileURLWithPath: "/tmp/other.json")
    private static let file = DatabasePlace.embedded(.file(path: "/tmp/e.sqlite"))
    private static let local = DatabasePlace.server(address: "127.0.0.1:8080", usesTLS: false, credentials: .automatic)
    private static let owned = DatabasePlace.server(address: "127.0.0.1:8080", usesTLS: false, credentials: .emulatorOwner)

    static let rows = [
        // The environment, when the settings say nothing.
        Row("HEARTH_DATABASE", database, file),
        Row("an emulator", emulator, local),
        Row("an emulator before a file", database.merging(emulator) { $1 }, local),
        Row("an emulator before credentials", everything, local),
        Row("credentials", google, .cloud(.applicationDefault)),
        Row("credentials before a file", database.merging(google) { $1 }, .cloud(.applicationDefault)),
        Row("a project alone names no place", database.merging(["GOOGLE_CLOUD_PROJECT": "p"]) { $1 }, file),
        Row("what is empty is not set", ["FIRESTORE_EMULATOR_HOST": "", "GOOGLE_APPLICATION_CREDENTIALS": "", "HEARTH_DATABASE": "/tmp/e.sqlite"], file),
        // A location of data.
        Row("memory, whatever the environment", everything, .embedded(.memory)) { $0.storage = .memory },
        Row("a file, whatever the environment", everything, .embedded(.file(path: "/tmp/s"))) { $0.storage = .file(URL(fileURLWithPath: "/tmp/s")) },
        // What kind of cache there is does not select a location, except where the embedded database stores its data.
        Row("no persistence", database, .embedded(.memory)) { $0.isPersistenceEnabled = false },
        Row("no persistence beside an emulator", everything, local) { $0.isPersistenceEnabled = false },
        Row("a cache in memory", database, .embedded(.memory)) { $0.cache = .memory(.eager) },
        Row("a cache in memory of Google's data", database.merging(google) { $1 }, .cloud(.applicationDefault)) { $0.cache = .memory(.eager) },
        // A host.
        Row("a host of one's own", everything, .server(address: "db:443", usesTLS: true, credentials: .automatic)) { $0.host = "db:443" },
        Row("… without TLS", everything, .server(address: "db:80", usesTLS: false, credentials: .automatic)) { ($0.host, $0.isSSLEnabled) = ("db:80", false) },
        Row("… with credentials", everything, .server(address: "db:443", usesTLS: true, credentials: .serviceAccount(key))) { ($0.host, $0.credentials) = ("db:443", .serviceAccount(key)) },
        Row("a host before a place for data", everything, .server(address: "db:443", usesTLS: true, credentials: .automatic)) { ($0.host, $0.storage) = ("db:443", .memory) },
        // Credentials.
        Row("a service account", database, .cloud(.serviceAccount(key))) { $0.credentials = .serviceAccount(key) },
        Row("a user", database, .cloud(.authorizedUser(key))) { $0.credentials = .authorizedUser(key) },
        Row("the metadata server", database, .cloud(.metadataServer)) { $0.credentials = .metadataServer },
        Row("the default, asked for", database, .cloud(.applicationDefault)) { $0.credentials = .applicationDefault },
        Row("settings before the environment", google, .cloud(.serviceAccount(key))) { $0.credentials = .serviceAccount(key) },
        Row("a cache in memory does not select the embedded database", [:], .cloud(.metadataServer)) { ($0.cache, $0.credentials) = (.memory(.eager), .metadataServer) },
        Row("an emulator before credentials of the settings", emulator, owned) { $0.credentials = .serviceAccount(key) },
        Row("no credentials lead to the embedded database", database.merging(google) { $1 }, file) { $0.credentials = .none },
        Row("… but to the emulator", emulator, .server(address: "127.0.0.1:8080", usesTLS: false, credentials: .none)) { $0.credentials = .none },
        Row("the emulator's administrator, asked for", emulator, owned) { $0.credentials = .emulatorOwner },
        Row("the emulator's administrator does not go to Google's", database.merging(google) { $1 }, file) { $0.credentials = .emulatorOwner },
    ]

    @Test(arguments: rows) func `the most explicit statement takes precedence`(_ row: Row) throws {
        let place = try DatabasePlace.find(settings: row.settings, databaseID: DatabaseID(projectID: "p"), environment: row.environment)
        #expect(place == row.place)
    }

    @Test func `a file for the embedded database and Google's credentials contradict each other`() {
        var settings = SettingsValues()
        settings.storage = .memory
        settings.credentials = .serviceAccount(Self.key)
        #expect(throws: FirestoreError.self) {
            try DatabasePlace.find(settings: settings, databaseID: DatabaseID(projectID: "p"), environment: [:])
        }
    }

    #if !Remote
        @Test(arguments: [emulator, google])
        func `without the network layer every other location gives the same error`(environment: [String: String]) {
            expectImmediateError(.unimplemented, mentioning: "this build of Hearth has no network layer", "settings.storage") {
                try compose(
                    SettingsValues(), DatabaseID(projectID: FirebaseApp.fallbackProjectID),
                    .unregistered(projectID: FirebaseApp.fallbackProjectID), environment: environment)
            }
        }
    #endif

    @Test func `a closure is itself and no other`() {
        let (one, other) = (FirestoreSettings(), FirestoreSettings())
        one.credentials = .token { FirestoreSettings.AccessToken("t", expires: .distantFuture) }
        other.credentials = one.credentials
        #expect(one == other && one.hash == other.hash)
        other.credentials = .token { FirestoreSettings.AccessToken("t", expires: .distantFuture) }
        #expect(one != other)
        #expect((one.copy() as? FirestoreSettings)?.credentials == one.credentials)
        // Tokens of a closure are sent to an emulator, Google's are not.
        #expect(one.credentials.forEmulator == one.credentials)
        #expect(FirestoreSettings.Credentials.applicationDefault.forEmulator == .emulatorOwner)
        // Access as an administrator is never a default.
        #expect(FirestoreSettings.Credentials.automatic.forEmulator == .automatic)
    }

    @Test func `the project is the app's, else the key file's, at Google's only`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-place-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = folder.appendingPathComponent("key.json")
        try Data(#"{"type": "service_account", "project_id": "from-key"}"#.utf8).write(to: key)
        var settings = SettingsValues()
        func project(_ named: String?, _ environment: [String: String] = [:]) -> String {
            projectID(named: named, settings: settings, environment: environment, fallback: "nobody")
        }
        #expect(project("mine") == "mine" && project(nil) == "nobody")
        settings.credentials = .serviceAccount(key)
        #if Remote
            #expect(project("mine") == "mine" && project(nil) == "from-key")
            #expect(project(nil, Self.emulator) == "nobody")
            settings.credentials = .automatic
            #expect(project(nil, ["GOOGLE_APPLICATION_CREDENTIALS": key.path]) == "from-key")
        #endif
        settings.credentials = .serviceAccount(folder.appendingPathComponent("missing.json"))
        #expect(project(nil) == "nobody")
    }

    @Test func `a description contains no secrets`() {
        let credentials: [FirestoreSettings.Credentials] = [
            .automatic, .none, .emulatorOwner, .applicationDefault, .metadataServer, .serviceAccount(Self.key), .authorizedUser(Self.key),
            .token { FirestoreSettings.AccessToken("secret", expires: .distantFuture) },
        ]
        #expect(Set(credentials.map { "\($0)" }).count == credentials.count)
        #expect("\(credentials)".contains("/tmp/other.json") && !"\(credentials)".contains("secret"))
    }
}
