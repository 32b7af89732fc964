// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import Foundation
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreServer

/// A server in a folder whose admin API is called as an administrator.
final class AdminFixture: Sendable {
    static let project = "library"
    static let database = "projects/library/databases/(default)"

    let folder: ScratchFolder
    let clock: ManualClock
    let server: ServerFixture

    init(in folder: ScratchFolder? = nil, clock: ManualClock? = nil, indexPolicy: IndexPolicy = .automatic) throws {
        let folder = try folder ?? ScratchFolder()
        self.folder = folder
        let clock = clock ?? ManualClock(microseconds: SystemClock().now())
        self.clock = clock
        server = ServerFixture(
            DatabaseOpening(
                storage: .directory(folder.path), durability: .relaxed, indexPolicy: indexPolicy, createsDatabases: false,
                projects: [Self.project], clock: clock), clock: clock)
    }

    func call(_ method: AdminMethod, _ text: String) async throws -> JSON {
        try await server.admin.answer(method, try method.request.checked(try JSON(text.utf8)), .embedded)
    }

    func code(_ method: AdminMethod, _ text: String) async -> FirestoreError.Code {
        await ServerFixtures.code { _ = try await call(method, text) }
    }

    /// What an operation answers.
    func result(_ method: AdminMethod, _ text: String) async throws -> JSON {
        let operation = try await call(method, text)
        let done = try await call(.waitOperation, #"{"name":"\#(operation.text("name"))"}"#)
        #expect(done.flag("done"))
        return try #require(done["response"], "\(done.text())")
    }

    func create(_ id: String) async throws -> JSON {
        try await result(.createDatabase, #"{"parent":"projects/\#(Self.project)","databaseId":"\#(id)"}"#)
    }

    /// Closes the databases, as a server that stops does.
    func stop() async {
        await server.admin.stop()
        await server.service.databases.close()
    }
}
