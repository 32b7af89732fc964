// SPDX-License-Identifier: Apache-2.0
import Firebase
import Foundation
import Testing

/// `FirebaseApp` and its options, through the umbrella module that older code imports.
@Suite(.serialized) struct FirebaseAppTests {
    @Test func `apps are found by name and have a copy of their options`() async {
        let options = FirebaseOptions(googleAppID: "1:2:ios:3", gcmSenderID: "4")
        options.projectID = "demo-app"
        FirebaseApp.configure(name: "named-app", options: options)
        options.projectID = "changed later"
        let app = FirebaseApp.app(name: "named-app")
        #expect(app?.name == "named-app")
        #expect(app?.options.projectID == "demo-app")
        #expect(app?.options.googleAppID == "1:2:ios:3")
        #expect(FirebaseApp.allApps?["named-app"] === app)
        #expect(FirebaseApp.app(name: "unknown") == nil)
        app?.options.projectID = "a copy"
        #expect(app?.options.projectID == "demo-app")
        #expect(await app?.delete() == true)
        #expect(await app?.delete() == false)
        #expect(FirebaseApp.app(name: "named-app") == nil)
    }

    @Test func `Firestore works before and after configure`() {
        let implicit = Firestore.firestore()
        #expect(implicit === Firestore.firestore())
        #expect(implicit === Firestore.firestore(database: "(default)"))
        #expect(implicit !== Firestore.firestore(database: "other"))
        #expect(FirebaseApp.app() == nil)
        FirebaseApp.configure()
        #expect(FirebaseApp.app() != nil)
        #expect(FirebaseApp.app()?.options.projectID?.isEmpty == false)
        let configured = Firestore.firestore()
        #expect(configured.app === FirebaseApp.app())
        #expect(configured === Firestore.firestore(app: configured.app))
    }

    @Test func `options are read from a property list`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("GoogleService-Info.plist")
        let entries = ["PROJECT_ID": "demo-plist", "GOOGLE_APP_ID": "1:1:ios:1", "API_KEY": "k"]
        try PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0).write(to: file)
        let options = try #require(FirebaseOptions(contentsOfFile: file.path))
        #expect(options.projectID == "demo-plist")
        #expect(options.googleAppID == "1:1:ios:1")
        #expect(options.apiKey == "k")
        #expect(options.gcmSenderID == "")
        let copy = options.copy() as? FirebaseOptions
        #expect(copy == options && copy !== options && copy?.hash == options.hash)
        #expect(FirebaseOptions(contentsOfFile: folder.path) == nil)
        try Data("no list".utf8).write(to: file)
        #expect(FirebaseOptions(contentsOfFile: file.path) == nil)
    }

    @Test func `the logger level can be set`() {
        let before = FirebaseConfiguration.shared.loggerLevel()
        Firestore.enableLogging(true)
        #expect(FirebaseConfiguration.shared.loggerLevel() == .debug)
        Firestore.enableLogging(false)
        #expect(FirebaseConfiguration.shared.loggerLevel() == .notice)
        FirebaseConfiguration.shared.setLoggerLevel(before)
        #expect(FirebaseLoggerLevel.min == .error && FirebaseLoggerLevel.max == .debug)
        #expect(!FirebaseVersion().isEmpty)
    }
}
