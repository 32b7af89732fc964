// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import Foundation
import TestSupport
import Testing

@testable import FirestoreEngine

/// A database that is copied into another store while it is written; with HEARTH_TEST_STORE=postgres to a server and back.
struct CrossStoreCopyTests {
    private static let id = DatabaseID(projectID: "copied")
    private static let context = RequestContext(caller: .administrator)
    private static let everything = QueryScope.kindless(under: nil, allDescendants: true)

    /// The store of a place that no engine uses.
    private func store(at place: EngineConfiguration.Location) throws -> any InspectableStore {
        guard case .cluster(let cluster) = place else { return try SQLiteStore.openInMemory(databaseID: Self.id) }
        return try #require(try cluster.open(Self.id, creating: true))
    }

    private func commit(_ count: Int, to engine: Engine, _ generator: inout SeededGenerator) async throws {
        for _ in 0..<count {
            let writes = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                let parent = Int.random(in: 0..<4, using: &generator)
                let path = ["a", "b/x/a", "c", "b/y/d/z/a"][parent] + "/d\(Int.random(in: 0..<200, using: &generator))"
                let fields = FieldMap([
                    ("n", .integer(Int64.random(in: 0..<1_000, using: &generator))), ("text", .string(String(repeating: "x", count: 40))),
                ])
                let deletes = Int.random(in: 0..<4, using: &generator) == 0
                return Write(key: DocumentKey(trusted: path), operation: deletes ? .delete : .set(FieldBytes(fields)))
            }
            var seen: Set<DocumentKey> = []
            _ = try await engine.commit(writes.filter { seen.insert($0.key).inserted }, context: Self.context)
        }
    }

    private func time(of store: any DocumentStore) throws -> DocumentVersion { try store.read { $0.readTime } }

    private func contents(_ store: any DocumentStore) throws -> [Document] {
        try store.read { (view) throws(FirestoreError) in
            var found: [Document] = []
            try view.scan(Self.everything, range: .all, descending: false) { document in
                found.append(document.document())
                return .next
            }
            return found
        }
    }

    @Test(arguments: [false, true], [1, 2, 3] as [UInt64])
    func `the copy of a database that is written meanwhile is equal to it, with its times`(isBack: Bool, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let places = (remote: try EngineStores.place(), local: EngineConfiguration.Location.memory)
        let engine = try Engine.open(EngineConfiguration(location: isBack ? places.remote : places.local, databaseID: Self.id))
        try await commit(300, to: engine, &generator)
        let target = try store(at: isBack ? places.local : places.remote)
        let source = engine.core.store
        // The first copy is interrupted, and the source changes afterwards.
        let first = try CrossStoreCopy(from: source, to: target)
        if seed.isMultiple(of: 2) { try first.copyDocuments { _ in } }
        try await commit(100, to: engine, &generator)
        let copy = try CrossStoreCopy(from: source, to: target)
        try copy.copyDocuments { _ in }
        for _ in 0..<3 {
            try await commit(30, to: engine, &generator)
            #expect(try copy.follow() > 0)
            #expect(try contents(target) == contents(source))
        }
        #expect(try copy.follow() == 0)
        try copy.finish()
        #expect(try contents(target) == contents(source))
        let report = try DatabaseInspection.report(of: target)
        #expect(report.isSound, "\(report.findings)")
        #expect(try time(of: target) > time(of: source))
        // It is complete, and a database of its own.
        #expect(throws: FirestoreError.self) { try CrossStoreCopy(from: source, to: target) }
        await engine.shutdown()
        try target.close()
    }

    @Test func `a copy that began before the change log does is refused`() async throws {
        var generator = SeededGenerator(seed: 9)
        let engine = try Engine.open(EngineConfiguration(location: .memory, databaseID: Self.id))
        try await commit(3, to: engine, &generator)
        let target = try store(at: try EngineStores.place())
        let source = engine.core.store
        let copy = try CrossStoreCopy(from: source, to: target)
        try await commit(3, to: engine, &generator)
        let now = try time(of: source)
        _ = try source.write { (transaction) throws(FirestoreError) in try transaction.pruneLog(before: now, limit: 1_000) }
        let error = #expect(throws: FirestoreError.self) { try copy.follow() }
        #expect(error?.code == .outOfRange)
        await engine.shutdown()
        try target.close()
    }
}
