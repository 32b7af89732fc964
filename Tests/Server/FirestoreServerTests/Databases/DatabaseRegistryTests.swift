// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreRPC
import FirestoreWire
import Foundation
import Logging
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreServer

struct DatabaseRegistryTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static let log: Logger = {
        var log = Logger(label: "test")
        log.logLevel = .critical
        return log
    }()

    private static func registry(_ opening: DatabaseOpening, maximum: Int = 100) -> DatabaseRegistry {
        DatabaseRegistry(opening, maximum: maximum, log: log)
    }

    @Test func `a database is opened once for simultaneous callers`() async throws {
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

    @Test func `no caller has a database before its companions have seen it`() async throws {
        // OT-17: the lease of an archive is taken there.
        final class Gatekeeper: DatabaseCompanion {
            let (entered, arrival) = AsyncStream.makeStream(of: Void.self)
            let gate = DispatchSemaphore(value: 0)
            let steps = Mutex<[String]>([])

            func started(_ databases: DatabaseRegistry) {}
            func opening(_ database: DatabaseID, _ engine: Engine) {
                arrival.yield()
                gate.wait()
                steps.withLock { $0.append("opening") }
            }
            func opened(_ database: DatabaseID, _ engine: Engine) { steps.withLock { $0.append("opened") } }
            func closing(_ database: DatabaseID) async {}
            func stopping() async {}
        }
        let gatekeeper = Gatekeeper()
        let registry = DatabaseRegistry(DatabaseOpening(storage: .memory), maximum: 100, companions: [gatekeeper], log: Self.log)
        let database = DatabaseID(projectID: "library")
        let callers = Task {
            try await withThrowingTaskGroup { group in
                for _ in 0..<5 {
                    group.addTask {
                        _ = try await registry.open(database)
                        gatekeeper.steps.withLock { $0.append("answered") }
                    }
                }
                try await group.waitForAll()
            }
        }
        for await _ in gatekeeper.entered { break }
        #expect(registry.current(database) == nil)
        gatekeeper.gate.signal()
        try await callers.value
        let steps = gatekeeper.steps.withLock { $0 }
        #expect(steps.first == "opening")
        #expect(steps.sorted() == Array(repeating: "answered", count: 5) + ["opened", "opening"])
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

    @Test func `written documents are there after the files were closed and opened again`() async throws {
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
    @Test func `a strict server has only existing databases, and its own project`() async throws {
        let directory = NSTemporaryDirectory() + "hearth-" + AutoID.make()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let made = Self.registry(DatabaseOpening(storage: .directory(directory), durability: .relaxed))
        _ = try await made.open(DatabaseID(projectID: "old"))
        await made.close()
        let strict = Self.registry(
            DatabaseOpening(storage: .directory(directory), durability: .relaxed, createsDatabases: false, projects: ["new"]))
        for (database, expected) in [
            (DatabaseID(projectID: "old"), FirestoreError.Code.ok), (DatabaseID(projectID: "new"), .ok),
            (DatabaseID(projectID: "new", databaseID: "other"), .notFound), (DatabaseID(projectID: "third"), .notFound),
        ] {
            #expect(await code { _ = try await strict.open(database) } == expected, "\(database)")
        }
        await strict.close()
    }

    @Test func `strangers create no databases where only administrators do`() async throws {
        var opening = DatabaseOpening(storage: .directory(folder.path), durability: .relaxed, projects: ["library"])
        opening.createsForAdministratorsOnly = true
        let server = ServerFixture(opening)
        func commit(_ project: String, as header: Ruled.Header) async -> FirestoreError.Code {
            let request = CommitRequest(database: DatabaseID(projectID: project), writes: [.set("books/a")])
            return await code { _ = try await server.unary(.commit, request, metadata: header, as: CommitMessage.self) }
        }
        for header in [Ruled.ada, Ruled.nobody] { #expect(await commit("one", as: header) == .notFound) }
        let listener = try server.listen(.documents([DocumentKey(trusted: "books/a")]), as: Ruled.ada)
        _ = try await listener.snapshot()
        listener.handler.ended(nil)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/one"))
        #expect(await commit("one", as: Ruled.admin) == .ok)
        #expect(await commit("one", as: Ruled.ada) == .ok)
        await server.service.databases.close()
        // What is there is opened for everyone.
        let second = ServerFixture(opening)
        let request = GetDocumentRequest(database: DatabaseID(projectID: "one"), key: DocumentKey(trusted: "books/a"))
        #expect(await code { _ = try await second.unary(.getDocument, request, metadata: Ruled.ada, as: DocumentResponse.self) } == .ok)
        await second.service.databases.close()
    }

    @Test func `an error is returned to the waiting callers, and does not stay`() async throws {
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

    @Test func `no more databases are in use than allowed`() async throws {
        let registry = Self.registry(DatabaseOpening(storage: .directory(folder.path), durability: .relaxed), maximum: 2)
        var used: [any DocumentService] = []
        for name in ["one", "two"] { used.append(try await registry.open(DatabaseID(projectID: name))) }
        #expect(await code { _ = try await registry.open(DatabaseID(projectID: "three")) } == .resourceExhausted)
        #expect(await code { _ = try await registry.open(DatabaseID(projectID: "two")) } == .ok)
        used = []
        #expect(await code { _ = try await registry.open(DatabaseID(projectID: "three")) } == .ok)
        #expect(registry.openCount == 2)
        await registry.close()
        #expect(await code { _ = try await registry.open(DatabaseID(projectID: "two")) } == .unavailable)
    }

    /// A project per test, as test suites have it.
    @Test func `idle databases are closed for others, and come back with their documents`() async throws {
        let projects = TestScale.pick(quick: 12, full: 150)
        let server = ServerFixture(DatabaseOpening(storage: .directory(folder.path), durability: .relaxed), maximumDatabases: 3)
        for round in 0..<2 {
            for number in 0..<projects {
                let database = DatabaseID(projectID: "project-\(number)")
                let write = Write.set("books/r\(round)", [("n", .integer(Int64(number)))])
                _ = try await server.unary(.commit, CommitRequest(database: database, writes: [write]), as: CommitMessage.self)
                let request = GetDocumentRequest(database: database, key: DocumentKey(trusted: "books/r0"))
                let document = try await server.unary(.getDocument, request, as: DocumentResponse.self).document
                guard case .integer(Int64(number))? = document["n"] else {
                    Issue.record("\(database.projectID) has lost its document")
                    continue
                }
                #expect(server.service.databases.openCount <= 3)
            }
        }
        await server.service.databases.close()
    }

    @Test func `many ask for more databases than may be open, at the same time`() async throws {
        let registry = Self.registry(DatabaseOpening(storage: .directory(folder.path), durability: .relaxed), maximum: 4)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<4 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(client))
                    for _ in 0..<TestScale.pick(quick: 25, full: 250) {
                        let database = DatabaseID(projectID: "p\(Int.random(in: 0..<7, using: &random))")
                        var service: (any DocumentService)?
                        // All four slots may be in use, by others and by those that are in flight.
                        let asked = await code { service = try await registry.open(database) }
                        guard let service else {
                            #expect(asked == .resourceExhausted)
                            continue
                        }
                        _ = try await service.commit([.set("c/\(client)")], context: .embedded)
                        let found = try await service.documents([DocumentKey(trusted: "c/\(client)")], context: .embedded)
                        #expect(found.documents[0] != nil)
                    }
                }
            }
            try await group.waitForAll()
        }
        await registry.close()
        #expect(registry.openCount == 0)
    }

    @Test func `a transaction keeps its database open`() async throws {
        let server = ServerFixture(DatabaseOpening(storage: .directory(folder.path), durability: .relaxed), maximumDatabases: 1)
        let (one, two) = (DatabaseID(projectID: "one"), DatabaseID(projectID: "two"))
        let begun = try await server.unary(
            .beginTransaction, BeginTransactionRequest(database: one, options: .readWrite(retrying: nil)), as: BeginTransactionResponse.self)
        let elsewhere = CommitRequest(database: two, writes: [.set("books/a")])
        #expect(await code { _ = try await server.unary(.commit, elsewhere, as: CommitMessage.self) } == .resourceExhausted)
        _ = try await server.unary(
            .commit, CommitRequest(database: one, writes: [.set("books/a")], transaction: begun.transaction), as: CommitMessage.self)
        // The call that has ended the transaction may still refer to the database for a moment.
        await eventually("room") { await code { _ = try await server.unary(.commit, elsewhere, as: CommitMessage.self) } == .ok }
        await server.service.databases.close()
    }

    @Test func `a listener keeps its database open, and one without a database gets the reason`() async throws {
        let server = ServerFixture(DatabaseOpening(storage: .directory(folder.path), durability: .relaxed), maximumDatabases: 1)
        func listen(_ project: String) throws -> (call: FakeStreamCall, handler: any RPCStreamHandler) {
            let (call, handler) = try server.open(.listen)
            let target = ListenTargetRequest(target: .success(.query(.all("books"))), targetID: 2)
            handler.receive(ByteSlice(ListenRequest(database: DatabaseID(projectID: project), change: .add(target)).encoded()))
            return (call, handler)
        }
        let first = try listen("one")
        await first.call.until(messages: 1)
        let second = try listen("two")
        let answers = try await second.call.outcome().map { try ListenResponse(decoding: $0) }
        guard case .targetChange(let change)? = answers.last, answers.count == 1 else {
            Issue.record("\(answers)")
            return
        }
        #expect(change.kind == .remove && change.targets == [2] && change.cause?.code == .resourceExhausted)
        second.handler.ended(nil)
        first.handler.ended(nil)
        await eventually("the listener has let go") { (try? await server.service.databases.open(DatabaseID(projectID: "two"))) != nil }
        await server.service.databases.close()
    }

    @Test func `a database that nothing uses is closed after some time`() async throws {
        let registry = Self.registry(DatabaseOpening(storage: .directory(folder.path), durability: .relaxed))
        let kept = try await registry.open(DatabaseID(projectID: "kept"))
        _ = try await registry.open(DatabaseID(projectID: "idle"))
        for _ in 0..<4 { registry.passRound() }
        #expect(registry.openCount == 2)
        // The thread that opened it may still hold it.
        await eventually("it is closed") {
            registry.passRound()
            return registry.openCount == 1
        }
        _ = try await registry.open(DatabaseID(projectID: "idle")).commit([.set("c/a")], context: .embedded)
        withExtendedLifetime(kept) {}
        await registry.close()
    }

    @Test func `thousands of databases are in memory`() async throws {
        let server = ServerFixture(DatabaseOpening(storage: .memory))
        let projects = TestScale.pick(quick: 200, full: 2_000)
        for number in 0..<projects {
            let request = CommitRequest(
                database: DatabaseID(projectID: "project-\(number)"), writes: [.set("books/a", [("n", .integer(Int64(number)))])])
            _ = try await server.unary(.commit, request, as: CommitMessage.self)
        }
        #expect(server.service.databases.openCount == projects)
        let request = GetDocumentRequest(database: DatabaseID(projectID: "project-0"), key: DocumentKey(trusted: "books/a"))
        _ = try await server.unary(.getDocument, request, as: DocumentResponse.self)
        await server.service.databases.close()
    }
}
