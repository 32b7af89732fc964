// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreArchive

/// Clones, and recovery to a point in time (OP-43, OT-24).
struct PastTests {
    private static let minute: Int64 = 60_000_000
    private static let day: Int64 = 86_400_000_000

    private func clone(_ time: String, _ id: String = "before") -> String {
        #"{"parent":"projects/library","databaseId":"\#(id)","pitrSnapshot":{"database":"\#(ArchivedServer.database)","snapshotTime":"\#(time)"}}"#
    }

    private func setRecovery(_ server: ArchivedServer, _ state: String) async throws -> JSON {
        let database = #"{"name":"\#(ArchivedServer.database)","pointInTimeRecoveryEnablement":"POINT_IN_TIME_RECOVERY_\#(state)"}"#
        let request = #"{"database":\#(database),"updateMask":"pointInTimeRecoveryEnablement"}"#
        return try #require(try await server.ended(.updateDatabase, request)["response"])
    }

    /// A server whose database had another content at 10:01 than at 10:02.
    private func changed() async throws -> ArchivedServer {
        let server = try ArchivedServer()
        try await server.commit(.set("books/a", [("n", .integer(1))]))
        try await server.waitForCopy()
        server.clock.advance(microseconds: Self.minute)
        try await server.commit(.set("books/a", [("n", .integer(2))]), .set("books/b"))
        server.clock.advance(microseconds: Self.minute)
        return server
    }

    @Test func `a clone has what was committed until the minute`() async throws {
        let server = try await changed()
        let done = try await server.ended(.cloneDatabase, clone("2026-11-26T10:01:00Z"))
        #expect(done["metadata"]?.text("operationState") == "SUCCESSFUL", "\(done.text())")
        #expect(done["metadata"]?["pitrSnapshot"]?.text("snapshotTime") == "2026-11-26T10:01:00Z")
        let books = try await server.documents("books", of: "before")
        guard case .integer(let number)? = books.first?["n"] else { throw FirestoreError(.dataLoss, "the field is gone") }
        #expect(books.map(\.key.id) == ["a"] && number == 1)
        // The commits just before the moment may not have been archived yet.
        _ = try await server.ended(.cloneDatabase, clone("2026-11-26T10:02:00Z", "after"))
        #expect(try await server.documents("books", of: "after").count == 2)
        #expect(try await server.documents("books", of: "(default)").count == 2)
        await server.stop()
    }

    @Test func `a clone is of a whole minute of the last hour`() async throws {
        let server = try await changed()
        #expect(await server.code(.cloneDatabase, clone("2026-11-26T10:01:30Z")) == .invalidArgument)
        #expect(await server.code(.cloneDatabase, clone("")) == .invalidArgument)
        #expect(await server.code(.cloneDatabase, clone("2026-11-26T09:02:00Z")) == .failedPrecondition)
        #expect(await server.code(.cloneDatabase, clone("2026-11-26T10:03:00Z")) == .failedPrecondition)
        #expect(await server.code(.cloneDatabase, clone("2026-11-26T10:01:00Z", "(default)")) == .alreadyExists)
        // Before the first copy.
        let done = try await server.ended(.cloneDatabase, clone("2026-11-26T10:00:00Z"))
        #expect(done["error"]?.integer("code") == FirestoreError.Code.failedPrecondition.rawValue)
        #expect(await server.code(.getDatabase, #"{"name":"projects/library/databases/before"}"#) == .notFound)
        await server.stop()
    }

    @Test func `recovery to a point in time opens a window of seven days`() async throws {
        let server = try await changed()
        let before = try await server.call(.getDatabase, #"{"name":"\#(ArchivedServer.database)"}"#)
        #expect(before.text("versionRetentionPeriod") == "3600s")
        server.clock.advance(microseconds: 3 * Self.day)
        #expect(await server.code(.cloneDatabase, clone("2026-11-26T10:01:00Z")) == .failedPrecondition)
        let after = try await setRecovery(server, "ENABLED")
        #expect(after.text("pointInTimeRecoveryEnablement") == "POINT_IN_TIME_RECOVERY_ENABLED")
        #expect(after.text("versionRetentionPeriod") == "604800s")
        let cloned = try await server.ended(.cloneDatabase, clone("2026-11-26T10:01:00Z"))
        #expect(cloned["error"] == nil, "\(cloned)")
        #expect(try await server.documents("books", of: "before").map(\.key.id) == ["a"])
        #expect(try await setRecovery(server, "DISABLED").text("versionRetentionPeriod") == "3600s")
        await server.stop()
    }

    @Test func `recovery to a point in time makes the archive keep seven days`() async throws {
        let server = try ArchivedServer(keep: .seconds(3_600))
        try await server.commit(.set("books/a"))
        let archiver = try #require(server.archive.archiver(of: ServerFixture.database))
        #expect(try await archiver.keptPolicy().keep == .seconds(3_600))
        _ = try await setRecovery(server, "ENABLED")
        #expect(try await archiver.keptPolicy().keep == .seconds(7 * 86_400))
        await server.stop()
    }

    @Test func `the earliest version is the oldest that the archive has of the window`() async throws {
        let server = try await changed()
        _ = try await setRecovery(server, "ENABLED")
        func earliest() async throws -> String {
            try await server.call(.getDatabase, #"{"name":"\#(ArchivedServer.database)"}"#).text("earliestVersionTime")
        }
        let first = try await earliest()
        // The database was created a moment before its first commit.
        #expect(first == "2026-11-26T10:00:29.999999Z", "\(first)")
        server.clock.advance(microseconds: 9 * Self.day)
        #expect(try await earliest() == "2026-11-28T10:02:30Z")
        await server.stop()
    }

    @Test func `a read of two hours ago is refused with what answers it`() async throws {
        let advice = OperatorAdvice { subject in
            if case .pastRead(let database, let time) = subject { "; clone \(database) at \(time)" } else { "" }
        }
        let server = try ArchivedServer(advice: advice)
        try await server.commit(.set("books/a"))
        let moment = DocumentVersion(microseconds: server.clock.now())
        server.clock.advance(microseconds: 120 * Self.minute)
        try await server.commit(.set("books/a"))
        let service = try await server.server.service.databases.open(ServerFixture.database)
        let error = await #expect(throws: FirestoreError.self) {
            try await service.run(.all("books"), options: ReadOptions(.past(moment)), context: .embedded)
        }
        #expect(error?.code == .failedPrecondition)
        #expect(error?.message.hasSuffix("; clone (default) at 2026-11-26T10:00:30Z") == true, "\(error?.message ?? "")")
        await server.stop()
    }

    @Test func `an export of a minute days ago comes out of the archive`() async throws {
        let folders = NotingFolders()
        let server = try ArchivedServer(folders: folders)
        try await server.commit(.set("books/a"))
        try await server.waitForCopy()
        server.clock.advance(microseconds: Self.minute)
        try await server.commit(.set("books/b"))
        _ = try await setRecovery(server, "ENABLED")
        server.clock.advance(microseconds: 2 * Self.day)
        let request = #"{"name":"\#(ArchivedServer.database)","outputUriPrefix":"gs://b/f","snapshotTime":"2026-11-26T10:01:00Z"}"#
        let done = try await server.ended(.exportDocuments, request)
        #expect(done["error"] == nil, "\(done.text())")
        #expect(folders.exported == [["a"]])
        await server.stop()
    }
}

/// Notes the ids of the books of each export.
private final class NotingFolders: DocumentFolders {
    private let noted = Mutex<[[String]]>([])

    var exported: [[String]] { noted.withLock { $0 } }

    func folder(of uri: String) -> String { uri }
    func folder(atPath path: String) -> String { path }

    func export(
        _ export: FolderExport, report: @escaping @Sendable (_ documents: Int, _ bytes: Int64?) -> Void
    ) async throws(FirestoreError) {
        let found = try await export.service.run(.all("books"), options: ReadOptions(export.moment), context: .embedded)
        noted.withLock { $0.append(found.documents.map(\.key.id)) }
    }

    func importDocuments(
        _ plan: FolderImport, report: @escaping @Sendable (_ documents: Int, _ bytes: Int64?) -> Void
    ) async throws(FirestoreError) {
        throw FirestoreError(.unimplemented, "nothing is imported")
    }
}
