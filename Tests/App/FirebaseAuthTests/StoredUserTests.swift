// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirebaseAuth

/// The file of the signed-in user.
@Suite(.timeLimit(.minutes(2)))
struct StoredUserTests {
    private func files(_ folder: ScratchFolder) throws -> [URL] {
        let found = FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)
        return try #require(found).compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath }
    }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber).intValue
    }

    @Test func `the user is there at the next start, before anything is asked`() async throws {
        let place = try AuthFixture()
        let user = try await place.auth().signInAnonymously().user
        let restored = try #require(place.auth().currentUser)
        #expect(restored.uid == user.uid && restored.isAnonymous && restored !== user)
        #expect(try await restored.getIDToken() == user.getIDToken())
    }

    @Test func `only its owner may read the file, and its folders are closed`() async throws {
        let place = try AuthFixture()
        try await place.auth().signInAnonymously()
        let file = try #require(try files(place.folder).first)
        #expect(try files(place.folder).count == 1)
        #expect(try mode(file.path) == 0o600)
        #expect(try mode(file.deletingLastPathComponent().path) == 0o700)
        #expect(file.path.contains("/\(place.app.name)/demo-auth/local.json"))
    }

    @Test func `signing out removes the file`() async throws {
        let place = try AuthFixture()
        let auth = place.auth()
        try await auth.signInAnonymously()
        try auth.signOut()
        #expect(try files(place.folder).isEmpty)
        #expect(place.auth().currentUser == nil)
    }

    @Test func `a user in memory leaves nothing behind`() async throws {
        let place = try AuthFixture()
        try await place.auth(persistence: .memory).signInAnonymously()
        #expect(try files(place.folder).isEmpty)
        #expect(place.auth(persistence: .memory).currentUser == nil)
    }

    @Test func `a damaged file counts as none, and the next sign-in replaces it`() async throws {
        let place = try AuthFixture()
        try await place.auth().signInAnonymously()
        let file = try #require(try files(place.folder).first)
        for damage in ["", "{", "[]", #"{"version":1}"#] {
            try Data(damage.utf8).write(to: file)
            #expect(place.auth().currentUser == nil)
        }
        let user = try await place.auth().signInAnonymously().user
        #expect(place.auth().currentUser?.uid == user.uid)
    }

    @Test func `a directory that cannot be written fails the sign-in, with advice`() async throws {
        let place = try AuthFixture()
        let blocked = URL(fileURLWithPath: try place.folder.file("blocked", "not a folder"))
        let auth = place.auth(persistence: .directory(blocked))
        let error = await #expect(throws: NSError.self) { try await auth.signInAnonymously() }
        #expect(error.map { AuthErrorCode(_nsError: $0) } == .keychainError)
        #expect(error?.localizedDescription.contains("settings?.persistence") == true)
        #expect(auth.currentUser == nil)
    }

    @Test func `apps, projects and places have separate users`() async throws {
        let place = try AuthFixture()
        let local = try await place.auth().signInAnonymously().user
        let elsewhere = place.auth()
        elsewhere.useEmulator(withHost: "127.0.0.1", port: 1)
        #expect(elsewhere.currentUser == nil)
        let other = try AuthFixture()
        let there = other.auth(persistence: .directory(place.folder.url))
        #expect(there.currentUser == nil)
        #expect(place.auth().currentUser?.uid == local.uid)
    }

    @Test func `listeners are called for a location that changes after they were added`() async throws {
        let place = try AuthFixture()
        let user = try await place.auth().signInAnonymously().user
        let auth = place.auth()
        let calls = ListenerTests.Calls()
        let handle = auth.addStateDidChangeListener { calls.note($1) }
        auth.useEmulator(withHost: "127.0.0.1", port: 1)
        await place.drain()
        #expect(calls.all == [user.uid, "-"])
        auth.removeStateDidChangeListener(handle)
    }

    static let places: [(name: String, chosen: Bool, key: String?, remote: Bool?, variables: [String: String], place: IdentityPlace)] = [
        ("nothing", false, nil, nil, [:], .local),
        ("an API key, and no Firestore yet", false, "k", nil, [:], .local),
        ("an API key, and an embedded database", false, "k", false, [:], .local),
        ("an API key, and a database on a server", false, "k", true, [:], .google),
        ("an API key, and a database that the environment names", false, "k", nil, ["FIRESTORE_EMULATOR_HOST": "h:1"], .google),
        ("a database on a server without an API key", false, nil, true, [:], .local),
        ("an empty API key", false, "", true, [:], .local),
        ("useEmulator", true, "k", true, ["FIREBASE_AUTH_EMULATOR_HOST": "h:1"], .server(ServerAddress(host: "chosen", port: 9099))),
        ("the variable", false, "k", true, ["FIREBASE_AUTH_EMULATOR_HOST": "h:1"], .server(ServerAddress(host: "h", port: 1))),
        ("a variable without a port", false, nil, nil, ["FIREBASE_AUTH_EMULATOR_HOST": "h"], .local),
    ]

    @Test(arguments: places)
    func `the configuration says where accounts are`(
        row: (name: String, chosen: Bool, key: String?, remote: Bool?, variables: [String: String], place: IdentityPlace)
    ) {
        let found = IdentityPlace.find(
            chosen: row.chosen ? ServerAddress(host: "chosen", port: 9099) : nil, apiKey: row.key, usesRemoteDatabase: row.remote,
            hasFirestore: true, environment: row.variables)
        #expect(found == row.place, "\(row.name)")
    }

    @Test func `an app without Firestore uses Google's accounts by its API key`() {
        let found = IdentityPlace.find(chosen: nil, apiKey: "k", usesRemoteDatabase: nil, hasFirestore: false, environment: [:])
        #expect(found == .google)
    }
}
