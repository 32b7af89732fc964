// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// A search through a large collection is shared between readers, and answers as one reader would.
@Suite struct SharedSearchTests {
    static let count = QueryRead.smallestShared + 500

    static func search(_ measure: VectorSearch.Measure, limit: Int, threshold: Double? = nil) -> StructuredQuery {
        var query = StructuredQuery.collection("c")
        query.nearest = VectorSearch(
            field: FieldPathSegments("v"), vector: [1, 0], measure: measure, limit: limit, resultField: FieldPathSegments("d"),
            threshold: threshold)
        return query
    }

    /// Small whole numbers, so that there are many ties.
    private func fill(_ engines: Engine...) async throws {
        var random = SeededGenerator(seed: 81)
        for start in stride(from: 0, to: Self.count, by: 500) {
            let writes = (start..<min(start + 500, Self.count)).map { number in
                Write.set("c/\(number)", ("v", .vector((0..<2).map { _ in Double(Int.random(in: -9...9, using: &random)) })), ("g", .integer(Int64(number % 3))))
            }
            for engine in engines { _ = try await engine.commit(writes, context: .embedded) }
        }
    }

    @Test func `several readers find the same as one`() async throws {
        let directory = try ScratchFolder()
        let (memory, file) = (try Engine.memory(), try Engine.file(directory.file()))
        try await fill(memory, file)
        for measure in VectorSearch.Measure.allCases {
            for limit in [1, 40, 1_000] {
                for threshold in [nil, 2.0] {
                    for filter in [nil, QueryFilter.field(FieldPathSegments("g"), .greaterThan, ValueBytes(.integer(0)))] {
                        var query = Self.search(measure, limit: limit, threshold: threshold)
                        query.filter = filter
                        let alone = try await memory.run(query, context: .embedded).documents
                        let shared = try await file.run(query, context: .embedded).documents
                        #expect(alone.map(\.key) == shared.map(\.key) && alone.map(\.fields) == shared.map(\.fields), "\(query)")
                    }
                }
            }
        }
        try await memory.checkAndShutDown()
        try await file.checkAndShutDown()
    }

    @Test func `a search sees one moment while commits continue`() async throws {
        let directory = try ScratchFolder()
        let engine = try Engine.file(directory.file())
        try await fill(engine)
        // One vector of length 100, now in the first document of the collection, now in the last.
        let far = Value.vector([100, 0])
        try await engine.commit(.set("c/00", ("v", far)))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<60 {
                    let (from, to) = round.isMultiple(of: 2) ? ("c/00", "c/zz") : ("c/zz", "c/00")
                    try await engine.commit(.delete(from), .set(to, ("v", far)))
                }
            }
            group.addTask {
                for _ in 0..<20 {
                    let found = try await engine.run(Self.search(.dotProduct, limit: 10, threshold: 50), context: .embedded)
                    #expect(found.documents.count == 1)
                }
            }
            try await group.waitForAll()
        }
        try await engine.checkAndShutDown()
    }
}
