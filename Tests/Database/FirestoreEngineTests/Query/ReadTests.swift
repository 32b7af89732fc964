// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

@Suite struct ReadTests {
    @Test("documents come in the order of the keys, nil where missing, from one moment")
    func lookup() async throws {  // QR-50
        let engine = try Engine.memory()
        let time = try await engine.commit(.set("c/a", ("n", .integer(1))), .set("c/b")).commitTime
        let keys = ["c/b", "c/none", "c/a", "c/b", "nowhere/x"].map { DocumentKey(trusted: $0) }
        let response = try await engine.documents(keys, context: .embedded)
        #expect(response.documents.map { $0?.key.path } == ["c/b", nil, "c/a", "c/b", nil])
        #expect(response.readTime == time)
        try await engine.checkAndShutDown()
    }

    @Test("queries filter, order and cut, over collections and groups")
    func queries() async throws {
        let engine = try Engine.memory()
        try await engine.commit(
            .set("c/a", ("n", .integer(3))), .set("c/b", ("n", .integer(1))), .set("c/d", ("n", .integer(2))),
            .set("c/e"), .set("c/a/c/z", ("n", .integer(0))))
        #expect(try await engine.paths(.collection("c")) == ["c/a", "c/b", "c/d", "c/e"])
        #expect(try await engine.paths(.collection("c").ordered(by: "n", .descending)) == ["c/a", "c/d", "c/b"])
        #expect(try await engine.paths(.collection("c").filter("n", .greaterThan, .integer(1))) == ["c/d", "c/a"])
        #expect(try await engine.paths(.group("c").ordered(by: "n").window(offset: 1, limit: 2)) == ["c/b", "c/d"])
        #expect(try await engine.paths(.group("c")) == ["c/a", "c/a/c/z", "c/b", "c/d", "c/e"])
        await expectError(.invalidArgument) {
            try await engine.run(StructuredQuery.collection("c").window(limit: -1), context: .embedded)
        }
        try await engine.checkAndShutDown()
    }

    @Test("a read sees one moment while commits continue", arguments: [false, true])
    func snapshot(inMemory: Bool) async throws {
        let directory = try ScratchFolder()
        let engine = inMemory ? try Engine.memory() : try Engine.file(directory.file())
        // Both documents always change together.
        try await engine.commit(.increment("c/a", "n"), .increment("c/b", "n"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for _ in 0..<100 { try await engine.commit(.increment("c/a", "n"), .increment("c/b", "n")) }
            }
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<60 {
                        let keys = [DocumentKey(trusted: "c/a"), DocumentKey(trusted: "c/b")]
                        let both = try await engine.documents(keys, context: .embedded)
                        #expect(both.documents[0]?.fields == both.documents[1]?.fields)
                        #expect(both.documents[0]?.updateTime == both.readTime)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await engine.checkAndShutDown()
    }
}

@Suite struct VectorReadTests {
    @Test("a vector search runs on the stored bytes, and cannot be watched")
    func nearest() async throws {  // QR-61
        let engine = try Engine.memory()
        try await engine.commit(.set("c/a", ("v", .vector([1, 0]))), .set("c/b", ("v", .vector([0, 1]))), .set("c/e"))
        var query = StructuredQuery.collection("c")
        query.nearest = VectorSearch(field: FieldPathSegments("v"), vector: [0, 2], measure: .euclidean, limit: 9)
        #expect(try await engine.paths(query) == ["c/b", "c/a"])
        query.projection = [.documentID]
        #expect(try await engine.run(query, context: .embedded).documents.map(\.fields) == [.empty, .empty])
        let sink = RecordingSink()
        _ = engine.watch(.query(query), context: .embedded, sink: sink)
        await engine.settle()
        #expect(sink.errors.map(\.code) == [.invalidArgument] && sink.batches.isEmpty)
        try await engine.checkAndShutDown()
    }
}
