// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreSQLite
import FirestoreStorage
import TestSupport
import Testing

@testable import FirestoreEngine
@testable import FirestoreIndexing

@Suite struct IndexMaintenanceTests {
    private static let definitions = [
        IndexDefinition("c", "n"), IndexDefinition("c", "n desc"), IndexDefinition("c", "tags array"),
        IndexDefinition("c", "n", "m desc"), IndexDefinition("c", "tags array", "n"),
        IndexDefinition("c", "n", scope: .collectionGroup), IndexDefinition("c", "tags array", "m", scope: .collectionGroup),
        IndexDefinition("d", "m"), IndexDefinition("c", "map"),
    ]

    private func randomFields(_ generator: inout SeededGenerator) -> [(String, Value)] {
        var fields: [(String, Value)] = []
        let numbers: [Value] = [.integer(1), .integer(2), .double(2), .double(.nan), .null, .string("x"), .string("")]
        if Bool.random(using: &generator) { fields.append(("n", numbers.randomElement(using: &generator)!)) }
        if Bool.random(using: &generator) { fields.append(("m", numbers.randomElement(using: &generator)!)) }
        if Bool.random(using: &generator) {
            let count = Int.random(in: 0..<4, using: &generator)
            fields.append(("tags", .array((0..<count).map { _ in numbers.randomElement(using: &generator)! })))
        }
        if Int.random(in: 0..<4, using: &generator) == 0 {
            fields.append(("map", .map(FieldMap([("n", numbers.randomElement(using: &generator)!)]))))
        }
        return fields
    }

    private func randomWrite(_ generator: inout SeededGenerator) -> Write {
        let collections = ["c", "d", "c/1/c", "d/2/c", "e/1/d"]
        let id = Int.random(in: 0..<12, using: &generator)
        let path = collections.randomElement(using: &generator)! + (id == 0 ? "/__id5__" : "/\(id)")
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...5:
            let fields = FieldBytes(FieldMap(randomFields(&generator)))
            return Write(key: DocumentKey(trusted: path), operation: .set(fields))
        case 6: return .increment(path, "n")
        case 7: return Write(key: DocumentKey(trusted: path), operation: .delete, precondition: .exists(true))
        default: return .delete(path)
        }
    }

    @Test("after random writes the entries equal those of a build from nothing", arguments: 1...6)
    func random(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        // Tiny steps: builds are in flight all the time.
        let engine = try Engine.memory(indexPolicy: .manual, limits: IndexLimits(documentsPerStep: 3, entriesPerStep: 4))
        for _ in 0..<12 {
            let wanted = Self.definitions.filter { _ in Bool.random(using: &generator) }
            try await engine.configureIndexes(wanted)
            for _ in 0..<60 {
                let writes = (0...Int.random(in: 0..<4, using: &generator)).map { _ in randomWrite(&generator) }
                _ = try? await engine.commit(writes, context: .embedded)
            }
            try engine.expectEntriesMatchDocuments()
            try await engine.indexesSettled()
            try engine.expectEntriesMatchDocuments()
            let statuses = try await engine.indexes()
            #expect(statuses.allSatisfy { $0.state == .ready && $0.isConfigured }, "seed \(seed)")
            for definition in wanted {
                #expect(statuses.contains { $0.definition == definition || $0.definition == definition.reversed }, "seed \(seed)")
            }
        }
        try await engine.checkAndShutDown()
    }

    @Test func `only the entries that differ are written`() {
        let keys: [[UInt8]] = [[1], [2], [2, 0], [3]]
        let cases: [(from: [Int], to: [Int], gone: [Int], added: [Int])] = [
            ([], [], [], []), ([0, 1], [0, 1], [], []), ([], [0, 3], [], [0, 3]), ([0, 3], [], [0, 3], []),
            ([0, 1, 3], [1, 2], [0, 3], [2]), ([2], [0, 1, 2, 3], [], [0, 1, 3]), ([0], [3], [0], [3]),
        ]
        for (from, to, gone, added) in cases {
            let difference = EntryDifference(from: IndexEntries(keys: from.map { keys[$0] }), to: IndexEntries(keys: to.map { keys[$0] }))
            #expect(difference.gone == gone.map { keys[$0] } && difference.added == added.map { keys[$0] }, "\(from) \(to)")
        }
    }

    @Test func `a commit that is rejected leaves the indexes alone`() async throws {
        let engine = try Engine.memory(indexPolicy: .manual)
        try await engine.configureIndexes([IndexDefinition("c", "n")])
        try await engine.indexesSettled()
        try await engine.commit(.set("c/a", ("n", .integer(1))))
        await expectError(.alreadyExists) {
            try await engine.commit(.set("c/b", ("n", .integer(2))), .set("c/a", ("n", .integer(3)), precondition: .exists(false)))
        }
        try engine.expectEntriesMatchDocuments()
        #expect(try await engine.indexes().map(\.entries) == [1])
        try await engine.checkAndShutDown()
    }
}
