// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import Testing

@testable import FirebaseFirestore

/// Where the embedded database lies: explicit settings, then the environment, then the user's folder.
@Suite struct DatabaseLocationTests {
    private func location(
        project: String = "p", database: String = "(default)", environment: [String: String] = [:],
        _ change: (inout SettingsValues) -> Void = { _ in }
    ) throws -> DatabaseLocation {
        var settings = SettingsValues()
        change(&settings)
        return try DatabaseLocation.find(
            settings: settings, databaseID: DatabaseID(projectID: project, databaseID: database),
            environment: environment)
    }

    @Test func `settings come before the environment`() throws {
        let environment = ["HEARTH_DATABASE": "/tmp/e.sqlite"]
        #expect(try location(environment: environment) { $0.storage = .memory } == .memory)
        #expect(try location(environment: environment) { $0.isPersistenceEnabled = false } == .memory)
        #expect(try location(environment: environment) { $0.cache = .memory(.eager) } == .memory)
        #expect(
            try location(environment: environment) { $0.storage = .file(URL(fileURLWithPath: "/tmp/s.sqlite")) }
                == .file(path: "/tmp/s.sqlite"))
        #expect(try location(environment: environment) == .file(path: "/tmp/e.sqlite"))
        #expect(try location(environment: ["HEARTH_DATABASE": ":memory:"]) == .memory)
    }

    @Test func `the default is a file per project and database`() throws {
        guard case .file(let path) = try location(project: "demo", database: "(default)") else {
            Issue.record("no file")
            return
        }
        #expect(path.hasSuffix("/hearth/demo/(default).sqlite"))
        // An id cannot leave the folder.
        guard case .file(let other) = try location(project: "../..", database: "a/b") else {
            Issue.record("no file")
            return
        }
        #expect(other.hasSuffix("/hearth/%2E%2E%2F%2E%2E/a%2Fb.sqlite"))
    }

    @Test func `only file URLs name files`() {
        #expect(throws: FirestoreError.self) {
            try location { $0.storage = .file(URL(string: "https://example.com/x")!) }
        }
    }

    // One variable cannot name a file for each database.
    @Test func `a second database in the file of the variable fails with the name of the variable`() async throws {
        let path = NSTemporaryDirectory() + "hearth-variable-\(UUID().uuidString).sqlite"
        defer { for suffix in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        let location = DatabaseLocation.file(path: path)
        let first = try openEmbedded(location, settings: SettingsValues(), databaseID: DatabaseID(projectID: "p"))
        func second() throws -> FirestoreError {
            try #require(throws: FirestoreError.self) {
                _ = try openEmbedded(location, settings: SettingsValues(), databaseID: DatabaseID(projectID: "p", databaseID: "other"))
            }
        }
        var errors = [try second()]
        await first.terminate()
        errors.append(try second())
        for error in errors {
            let named = error.namingVariable(of: location, settings: SettingsValues(), environment: ["HEARTH_DATABASE": path])
            #expect(named.message.contains("; HEARTH_DATABASE names this file for every database of the process"), "\(named)")
            #expect(error.namingVariable(of: location, settings: SettingsValues(), environment: [:]).message == error.message)
        }
    }
}
