import FirestoreCore
import FirestoreRPC
import FirestoreWire
import Foundation
import Logging
import Testing

@testable import FirestoreServer

struct DatabaseRegistryTests {
    private static let log: Logger = {
        var log = Logger(label: "test")
        log.logLevel = .critical
        return log
    }()

    private static func registry(_ opening: DatabaseOpening, maximum: Int = 100) -> DatabaseRegistry {
        DatabaseRegistry(opening, maximum: maximum, log: log)
    }

    @Test func `a database is opened once for all who ask at the same time`() async throws {
        let registry = Self.registry(DatabaseOpening(storage: .memory))
        let database = DatabaseID(projectID: "library")
        #expect(registry.current(database) == nil)
        let services = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
            for _ in 0..<20 {
                group.addTask { ObjectIdentifier(try await registry.open(database) as AnyObject) }
            }
            return try await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
        }
        #expect(services.count == 1)
        #expect(registry.openCount == 1)
        await registry.close()
    }

    @Test func `projects and databases do not see each other's documents`() async throws {
        let server = ServerFixture()
        let ids = [
            DatabaseID(projectID: "one"), DatabaseID(projectID: "two"), DatabaseID(projectID: "one", databaseID: "other"),
        ]
        for (number, id) in ids.enumerated() {
            let write = Write.set("books/a", [("number", .integer(Int64(number)))])
            _ = try await server.unary(.commit, CommitRequest(database: id, writes: [write]), as: CommitMessage.self)
        }
        for (number, id) in ids.enumerated() {
            let request = GetDocumentRequest(database: id, key: DocumentKey(trusted: "books/a"))
            let document = try await server.unary(.getDocument, request, as: DocumentResponse.self).document
            guard case .integer(Int64(number))? = document["number"] else {
                Issue.record("\(id) has another one's document")
                continue
            }
        }
    }

    @Test func `what was written is there after the files were closed and opened again`() async throws {
        let directory = NSTemporaryDirectory() + "hearth-" + AutoID.make()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let opening = DatabaseOpening(storage: .directory(directory), durability: .relaxed)
        let first = ServerFixture(opening)
        try await first.commit(.set("books/a", [("title", .string("Emma"))]))
        await first.service.databases.close()
        #expect(FileManager.default.fileExists(atPath: directory + "/library/_default.sqlite"))
        let second = ServerFixture(opening)
        guard case .string("Emma")? = try await second.get("books/a")["title"] else {
            Issue.record("the document is gone")
            return
        }
        await second.service.databases.close()
    }

    // DM-3
    @Test func `a strict server knows only what is there, and its own project`() async throws {
        let directory = NSTemporaryDirectory() + "hearth-" + AutoID.make()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let made = Self.registry(DatabaseOpening(storage: .directory(directory), durability: .relaxed))
        _ = try await made.open(DatabaseID(projectID: "old"))
        await made.close()
        let strict = Self.registry(
            DatabaseOpening(storage: .directory(directory), durability: .relaxed, createsDatabases: false, project: "new"))
        for (database, expected) in [
            (DatabaseID(projectID: "old"), FirestoreError.Code.ok), (DatabaseID(projectID: "new"), .ok),
            (DatabaseID(projectID: "new", databaseID: "other"), .notFound), (DatabaseID(projectID: "third"), .notFound),
        ] {
            #expect(await code { _ = try await strict.open(database) } == expected, "\(database)")
        }
        await strict.close()
    }

    @Test func `an error is for those who asked, and does not stay`() async throws {
        let directory = NSTemporaryDirectory() + "hearth-" + AutoID.make()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory + "/library", withIntermediateDirectories: true)
        let file = directory + "/library/_default.sqlite"
        try Data("this is no database, and long enough to be looked at as one".utf8).write(to: URL(fileURLWithPath: file))
        let registry = Self.registry(DatabaseOpening(storage: .directory(directory), durability: .relaxed))
        #expect(await code { _ = try await registry.open(ServerFixture.database) } != .ok)
        try FileManager.default.removeItem(atPath: file)
        #expect(await code { _ = try await registry.open(ServerFixture.database) } == .ok)
        await registry.close()
    }

    @Test func `no more databases are open than allowed`() async throws {
        let registry = Self.registry(DatabaseOpening(storage: .memory), maximum: 2)
        for name in ["one", "two"] { _ = try await registry.open(DatabaseID(projectID: name)) }
        #expect(await code { _ = try await registry.open(DatabaseID(projectID: "three")) } == .resourceExhausted)
        #expect(await code { _ = try await registry.open(DatabaseID(projectID: "two")) } == .ok)
        await registry.close()
        #expect(await code { _ = try await registry.open(DatabaseID(projectID: "two")) } == .unavailable)
    }
}
