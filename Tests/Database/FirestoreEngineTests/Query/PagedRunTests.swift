// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreSQLite
import FirestoreStorage
import Foundation
import TestSupport
import Testing

@testable import FirestoreEngine

@Suite struct PagedRunTests {
    private func pages(
        _ engine: Engine, _ query: StructuredQuery, at moment: ReadMoment = .latest, limits: PageLimits,
        between: @escaping @Sendable (Int) async throws(FirestoreError) -> ScanStep = { _ throws(FirestoreError) in .next }
    ) async throws -> [QueryResponse] {
        let pages = Mutex<[QueryResponse]>([])
        try await engine.run(query, options: ReadOptions(moment), limits: limits, context: .embedded) { (page: QueryResponse) async throws(FirestoreError) in
            let number = pages.withLock { pages in
                pages.append(page)
                return pages.count
            }
            return try await between(number)
        }
        return pages.withLock { $0 }
    }

    @Test("the pages of a random query are together its result as of the first one, while others write", arguments: 0..<TestScale.pick(quick: 2, full: 30))
    func random(seed: Int) async throws {
        var random = RandomWatching(seed: UInt64(500 + seed))
        let directory = try ScratchFolder()
        let engine = seed % 3 == 0 ? try Engine.memory() : try Engine.file(directory.file())
        var known: Set<DocumentKey> = []
        func commit() async throws {
            let commit = random.commit(on: known.sorted())
            for operation in commit {
                if case .delete(let key) = operation { known.remove(key) } else { known.insert(operation.key) }
            }
            _ = try await engine.commit(commit.map(\.write), context: .embedded)
        }
        for _ in 0..<80 { try await commit() }
        // Small enough for several pages, for sorting keys, and with too little capacity for all keys.
        let limits = [
            PageLimits(page: 1), PageLimits(page: 400), PageLimits(page: 400, sortedDocuments: 1_000),
            PageLimits(page: 1, sortedDocuments: 0, sortedKeys: 2_000), PageLimits(),
        ]
        for _ in 0..<40 {
            var query = random.query()
            if let limit = query.limit { query.limit = limit + 33 }
            let expected = try await engine.run(query, context: .embedded)
            for limits in limits {
                let writes = random.commit(on: known.sorted()).map(\.write)
                let undo = try await engine.documents(writes.map(\.key), context: .embedded).documents
                let found = try await pages(engine, query, at: .past(expected.readTime), limits: limits) { number throws(FirestoreError) in
                    if number == 1 { _ = try await engine.commit(writes, context: .embedded) }
                    return .next
                }
                #expect(found.flatMap(\.documents) == expected.documents, "seed \(seed): \(query), \(limits)")
                #expect(found.allSatisfy { $0.readTime == expected.readTime })
                #expect(found.count == 1 || found.allSatisfy { !$0.documents.isEmpty })
                let back = zip(writes, undo).map { write, document in
                    Write(key: write.key, operation: document.map { .set($0.fields) } ?? .delete)
                }
                _ = try await engine.commit(back, context: .embedded)
            }
        }
        await engine.shutdown()
    }

    @Test("a page holds about as much as it may, an empty result is one empty page, and stopping stops")
    func sizes() async throws {
        let engine = try Engine.memory()
        let text = Value.string(String(repeating: "x", count: 1_000))
        _ = try await engine.commit((0..<200).map { .set("c/\(1_000 + $0)", ("n", .integer(Int64($0))), ("t", text)) }, context: .embedded)
        let found = try await pages(engine, .collection("c"), limits: PageLimits(page: 20_000))
        #expect(found.count > 9 && found.dropLast().allSatisfy { (18...22).contains($0.documents.count) })
        #expect(try await pages(engine, .collection("none"), limits: PageLimits()).map(\.documents.count) == [0])
        #expect(try await pages(engine, .collection("c").window(limit: 0), limits: PageLimits()).map(\.documents.count) == [0])
        let stopped = try await pages(engine, .collection("c"), limits: PageLimits(page: 20_000)) { number in number == 2 ? .stop : .next }
        #expect(stopped.count == 2)
        // A projection does not prevent the next page.
        var query = StructuredQuery.collection("c").ordered(by: "n")
        query.projection = [FieldPathSegments("t")]
        query.offset = 10
        query.limit = 150
        for limits in [PageLimits(page: 20_000), PageLimits(page: 20_000, sortedDocuments: 1_000)] {
            let found = try await pages(engine, query, limits: limits)
            #expect(found.flatMap(\.documents).map(\.key.id) == (10..<160).map { "\(1_000 + $0)" })
            #expect(found.count > 5 && found[0].documents[0].fields == FieldBytes(FieldMap([("t", text)])))
        }
        await engine.shutdown()
    }

    @Test("a transaction's query comes in one page and is validated as a whole")
    func transaction() async throws {
        let engine = try Engine.memory()
        _ = try await engine.commit((0..<100).map { .set("c/\($0)") }, context: .embedded)
        let id = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        let found = try await pages(engine, .collection("c"), at: .transaction(id), limits: PageLimits(page: 1))
        #expect(found.map(\.documents.count) == [100])
        try await engine.commit(.set("c/new"))
        await expectError(.aborted) { try await engine.commit([.set("d/1")], in: id, context: .embedded) }
        await engine.shutdown()
    }

    @Test("between two pages the database can be written, checkpointed and shut down")
    func nothingHeld() async throws {
        let directory = try ScratchFolder()
        let engine = try Engine.file(directory.file())
        _ = try await engine.commit((0..<100).map { .set("c/\($0)") }, context: .embedded)
        await expectError(.failedPrecondition) {
            _ = try await pages(engine, .collection("c"), limits: PageLimits(page: 1)) { number throws(FirestoreError) in
                try engine.core.file("a checkpoint").checkpoint()
                _ = try await engine.commit(.set("c/x\(number)"))
                if number == 3 { await engine.shutdown() }
                return .next
            }
        }
        try await Engine.file(directory.file()).checkAndShutDown()
    }
}
