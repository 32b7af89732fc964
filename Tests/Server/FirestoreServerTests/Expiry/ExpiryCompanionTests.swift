// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import Foundation
import Logging
import ServerFixtures
import SharedStores
import TestSupport
import Testing

@testable import FirestoreServer

/// The expiry of documents in databases that are closed (OP-73).
@Suite struct ExpiryCompanionTests {
    private static let start: Int64 = 1_700_000_000_000_000
    private static let field = FieldPathSegments("at")
    private let folder: ScratchFolder
    private let clock = ManualClock(microseconds: start)
    private let databases = ["first", "second", "third"].map { DatabaseID(projectID: "library", databaseID: $0 + "-db") }

    init() throws { folder = try ScratchFolder() }

    private var file: String { folder.file("data/hearth.timers") }

    private func registry() -> DatabaseRegistry {
        var log = Logger(label: "test")
        log.logLevel = .critical
        let registry = DatabaseRegistry(
            DatabaseOpening(storage: .directory(folder.file("data")), durability: .relaxed, clock: clock), log: log)
        registry.started()
        return registry
    }

    private func add(_ name: String, at seconds: Int64, in database: DatabaseID, _ registry: DatabaseRegistry, policy: Bool = true) async throws {
        let service: any DocumentService = try await registry.open(database)
        if policy {
            try await service.expiryAdministration?.setPolicy(collectionGroup: "c", field: Self.field, offset: .zero)
        }
        let date = Value.timestamp(TimestampValue(microsecondsSince1970: Self.start + seconds * 1_000_000))
        _ = try await service.commit(.set("c/\(name)", ("at", date)))
        try await service.indexAdministration?.indexesSettled()
    }

    private func paths(_ database: DatabaseID, _ registry: DatabaseRegistry) async throws -> [String] {
        try await registry.openExisting(database).paths(.collection("c"))
    }

    /// OT-36
    @Test func `closed databases get their turn, and others stay closed`() async throws {
        var registry = registry()
        for (number, database) in databases.enumerated() { try await add("a", at: Int64(100 * number + 100), in: database, registry) }
        try await add("b", at: 10_000, in: databases[0], registry)
        await registry.close()
        #expect(try ExpiryTimers(folder.bytes(of: "data/hearth.timers")) != nil)

        clock.advance(microseconds: 250_000_000)
        registry = self.registry()
        await eventually("what has expired is deleted") { registry.expiry.deletedCount == 2 }
        #expect(registry.openCount == 2)
        #expect(try await paths(databases[0], registry) == ["c/b"])
        #expect(try await paths(databases[1], registry) == [])
        // The third one is opened by the test.
        #expect(registry.openCount == 2)
        #expect(try await paths(databases[2], registry) == ["c/a"])
        await registry.close()
        // Only documents that have not expired are waited for.
        let timers = try #require(ExpiryTimers(try folder.bytes(of: "data/hearth.timers")))
        #expect(timers.sorted(without: []).map(\.time) == [Self.start + 300_000_000, Self.start + 10_000_000_000])
    }

    @Test func `without a policy there is no file`() async throws {
        let registry = registry()
        try await add("a", at: 1, in: databases[0], registry, policy: false)
        clock.advance(microseconds: 10_000_000)
        await registry.expiry.openDue()
        #expect(try await paths(databases[0], registry) == ["c/a"])
        await registry.close()
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func `a damaged file is found again by opening all databases`() async throws {
        var registry = registry()
        try await add("a", at: 100, in: databases[0], registry)
        try await add("a", at: 100, in: databases[1], registry, policy: false)
        await registry.close()
        let bytes = try folder.bytes(of: "data/hearth.timers")
        try Data("{".utf8).write(to: URL(fileURLWithPath: file))
        registry = self.registry()
        await eventually("the file is written") { (try? folder.bytes(of: "data/hearth.timers")) == bytes }
        await registry.close()
    }

    @Test func `a missing file is made again by opening all databases, once`() async throws {
        var registry = registry()
        try await add("a", at: 100, in: databases[0], registry)
        try await add("a", at: 1, in: databases[1], registry, policy: false)
        await registry.close()
        try FileManager.default.removeItem(atPath: file)
        clock.advance(microseconds: 150_000_000)
        registry = self.registry()
        await eventually("what has expired is deleted") { registry.expiry.deletedCount == 1 }
        // Nothing is due, which is known now.
        await eventually("the file says so") { (try? ExpiryTimers(folder.bytes(of: "data/hearth.timers")))?.isEmpty == true }
        #expect(registry.openCount == 2)
        await registry.close()
        registry = self.registry()
        await registry.expiry.openDue()
        #expect(registry.openCount == 0)
        await registry.close()
    }

    @Test func `a node opens the closed databases of its cluster that have policies, and no others`() async throws {
        let cluster = SharedCluster()
        func registry() -> DatabaseRegistry {
            let opening = DatabaseOpening(storage: .cluster(cluster.node()), clock: clock)
            let registry = DatabaseRegistry(opening, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            registry.started()
            return registry
        }
        let first = registry()
        try await add("a", at: 100, in: databases[0], first)
        try await add("a", at: 1, in: databases[1], first, policy: false)
        await first.close()
        clock.advance(microseconds: 150_000_000)
        let second = registry()
        await eventually("what has expired is deleted") { second.expiry.deletedCount == 1 }
        #expect(second.openCount == 1)
        await second.close()
    }

    @Test func `a database that was deleted is not waited for`() async throws {
        var registry = registry()
        try await add("a", at: 1, in: databases[0], registry)
        await registry.close()
        for name in folder.names where name == "data" { try FileManager.default.removeItem(atPath: folder.file("data/library")) }
        clock.advance(microseconds: 10_000_000)
        registry = self.registry()
        await registry.expiry.openDue()
        #expect(registry.expiry.delay == 0 && registry.expiry.deletedCount == 0)
        await registry.close()
    }

    @Test func `metrics count what was deleted, and for how long the oldest has been expired`() async throws {
        var opening = DatabaseOpening(storage: .memory, clock: clock)
        opening.expiry.interval = 1_000
        let server = ServerFixture(opening)
        let metrics = ServerMetrics(factory: server.registry)
        let service = try await server.open()
        try await service.expiryAdministration?.setPolicy(collectionGroup: "c", field: Self.field, offset: .zero)
        for number in 0..<3 {
            let date = Value.timestamp(TimestampValue(microsecondsSince1970: Self.start + Int64(number) * 1_000_000))
            _ = try await service.commit(.set("c/\(number)", ("at", date)))
        }
        try await service.indexAdministration?.indexesSettled()
        clock.advance(microseconds: 1_500_000)
        await eventually("two documents are deleted, and none is left") {
            metrics.refresh(server.service.databases.expiry)
            let text = server.registry.text
            return text.contains("hearth_ttl_deleted_total 2\n") && text.contains("hearth_ttl_oldest_seconds 0\n")
        }
        await server.service.databases.close()
    }
}
