// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import TestSupport
import Testing

@testable import FirestoreEngine
@testable import FirestoreIndexing

/// Searches that repeat go by a sketch of the vectors, and answer as one through all documents.
@Suite struct SketchedSearchTests {
    private static let dimension = 8
    private static let count = QueryRead.smallestShared + 200
    private static let place = place(of: search([Double](repeating: 0, count: dimension)), "c")

    private static func place(of query: StructuredQuery, _ collection: String) -> VectorSketches.Place {
        guard let search = query.nearest else { preconditionFailure("the query has no search") }
        return VectorSketches.Place(search, in: CollectionPath(trusted: collection))
    }

    private static func search(
        _ vector: [Double], _ measure: VectorSearch.Measure = .euclidean, _ filter: QueryFilter? = nil
    ) -> StructuredQuery {
        var query = StructuredQuery.collection("c")
        query.filter = filter
        query.nearest = VectorSearch(
            field: FieldPathSegments("v"), vector: vector, measure: measure, limit: 10, resultField: FieldPathSegments("d"))
        return query
    }

    private static func vector(_ random: inout SeededGenerator) -> [Double] {
        (0..<dimension).map { _ in Double.random(in: -1...1, using: &random) }
    }

    private static func write(_ number: Int, _ random: inout SeededGenerator) -> Write {
        .set("c/\(number)", ("v", .vector(vector(&random))), ("g", .integer(Int64(number % 3))))
    }

    private func fill(_ engines: [Engine], _ random: inout SeededGenerator) async throws {
        for start in stride(from: 0, to: Self.count, by: 500) {
            let writes = (start..<min(start + 500, Self.count)).map { Self.write($0, &random) }
            for engine in engines { _ = try await engine.commit(writes, context: .embedded) }
        }
    }

    private func kept(_ engine: Engine) -> SketchedVectors? { engine.core.indexes.sketches.vectors(for: Self.place) }

    @Test func `answers are the same while documents change`() async throws {
        let folder = try ScratchFolder()
        var random = SeededGenerator(seed: 61)
        let memory = try Engine.memory(indexPolicy: .automatic, limits: IndexLimits(sketchBytes: 0))
        let file = try Engine.file(folder.file())
        try await fill([memory, file], &random)
        for round in 0..<30 {
            for measure in VectorSearch.Measure.allCases {
                let filter = round % 3 == 2 ? QueryFilter.field(FieldPathSegments("g"), .greaterThan, ValueBytes(.integer(0))) : nil
                let query = Self.search(Self.vector(&random), measure, filter)
                let (found, expected) = (
                    try await file.run(query, context: .embedded).documents, try await memory.run(query, context: .embedded).documents)
                #expect(found.map(\.key) == expected.map(\.key) && found.map(\.fields) == expected.map(\.fields), "\(query)")
            }
            let numbers = (0..<(round % 7 * 5)).map { _ in Int.random(in: 0..<(Self.count + 100), using: &random) }
            let writes = Set(numbers).sorted().map { number in
                number % 5 == 0 ? Write.delete("c/\(number)") : Self.write(number, &random)
            }
            for engine in [memory, file] where !writes.isEmpty { _ = try await engine.commit(writes, context: .embedded) }
        }
        #expect(kept(memory) == nil && kept(file) != nil)
        try await memory.checkAndShutDown()
        try await file.checkAndShutDown()
    }

    @Test func `the second search makes the sketch, and many changes end it`() async throws {
        let folder = try ScratchFolder()
        var random = SeededGenerator(seed: 7)
        let engine = try Engine.file(folder.file())
        try await fill([engine], &random)
        let query = Self.search(Self.vector(&random))
        _ = try await engine.run(query, context: .embedded)
        #expect(kept(engine) == nil)
        // Where a filter rejects documents, a sketch would not have all.
        let filter = QueryFilter.field(FieldPathSegments("g"), .greaterThan, ValueBytes(.integer(0)))
        _ = try await engine.run(Self.search(Self.vector(&random), .cosine, filter), context: .embedded)
        #expect(kept(engine) == nil)
        _ = try await engine.run(query, context: .embedded)
        let first = try #require(kept(engine))
        #expect(first.sketch.count == Self.count && first.changed.isEmpty)
        _ = try await engine.commit([Self.write(1, &random)], context: .embedded)
        _ = try await engine.commit([.set("d/1")], context: .embedded)
        _ = try await engine.run(query, context: .embedded)
        let second = try #require(kept(engine))
        #expect(second.sketch === first.sketch && second.changed == ["1"] && second.time > first.time)
        let writes = (0..<400).map { Self.write($0, &random) }
        _ = try await engine.commit(writes, context: .embedded)
        let expected = try await engine.run(query, context: .embedded).documents
        let third = try #require(kept(engine))
        #expect(third.sketch !== first.sketch && third.changed.isEmpty && third.sketch.count == Self.count)
        #expect(try await engine.run(query, context: .embedded).documents.map(\.key) == expected.map(\.key))
        try await engine.checkAndShutDown()
    }

    @Test func `a sketch from before the log is made again`() async throws {
        let folder = try ScratchFolder()
        var random = SeededGenerator(seed: 9)
        let clock = ManualClock(microseconds: 1_000_000_000_000)
        let engine = try Engine.open(
            EngineConfiguration(location: .file(path: folder.file()), databaseID: testDatabase, clock: clock, logRetention: 1_000_000))
        try await fill([engine], &random)
        let query = Self.search(Self.vector(&random))
        for _ in 0..<2 { _ = try await engine.run(query, context: .embedded) }
        let first = try #require(kept(engine))
        let near = Write.set("c/near", ("v", .vector(query.nearest?.vector ?? [])))
        _ = try await engine.commit([near], context: .embedded)
        for _ in 0..<3 {
            clock.advance(microseconds: 600_000_000)
            _ = try await engine.commit([.set("d/1")], context: .embedded)
        }
        let found = try await engine.run(query, context: .embedded)
        let second = try #require(kept(engine))
        #expect(found.documents.first?.key.id == "near" && second.sketch !== first.sketch && second.sketch.count == Self.count + 1)
        try await engine.checkAndShutDown()
    }

    @Test func `it reads few documents, and the past without it`() async throws {
        let folder = try ScratchFolder()
        var random = SeededGenerator(seed: 8)
        let engine = try Engine.file(folder.file())
        try await fill([engine], &random)
        let query = Self.search(Self.vector(&random))
        var context = RequestContext.embedded
        context.meter = CallMeter()
        let before = try await engine.run(query, context: context)
        #expect(context.meter?.figures.documentsRead == Self.count)
        _ = try await engine.run(query, context: .embedded)
        #expect(kept(engine) != nil)
        let meter = CallMeter()
        context.meter = meter
        _ = try await engine.run(query, context: context)
        #expect((10..<100).contains(meter.figures.documentsRead), "\(meter.figures.documentsRead)")
        let nearest = try #require(before.documents.first)
        _ = try await engine.commit([Write.delete(nearest.key.path)], context: .embedded)
        let after = try await engine.run(query, context: .embedded)
        #expect(after.documents.first?.key == before.documents[1].key)
        let past = try await engine.run(query, options: ReadOptions(.past(before.readTime)), context: .embedded)
        #expect(past.documents.map(\.key) == before.documents.map(\.key))
        try await engine.checkAndShutDown()
    }

    /// Ten vectors, as of a time.
    private func vectors(_ time: Int64) throws -> SketchedVectors {
        var builder = VectorSketchBuilder(FieldPathSegments("v"), dimension: 1, most: .max)
        for number in 0..<10 {
            let document = Document(
                key: DocumentKey(trusted: "c/\(number)"), createTime: .none, updateTime: .none,
                fields: FieldBytes(FieldMap([("v", .vector([1]))])))
            try document.withScanned { builder.add($0) }
        }
        return SketchedVectors(try #require(VectorSketchBuilder.sketch([builder])), time: DocumentVersion(microseconds: time))
    }

    @Test func `databases share the memory of the process, and give it back`() throws {
        let memory = SketchMemory(most: 5_000)
        let place = Self.place(of: Self.search([1]), "a")
        let first = VectorSketches(most: 2_500, memory: memory)
        do {
            let second = VectorSketches(most: 2_500, memory: memory)
            #expect(first.room == 2_500)
            first.keep(try vectors(1), for: place)
            // Kept again with what has changed since.
            first.keep(try #require(first.vectors(for: place)), for: place)
            second.keep(try vectors(1), for: place)
            #expect(first.room == 2_500)
            second.keep(try vectors(1), for: Self.place(of: Self.search([1]), "b"))
            #expect(first.room == 0 && second.room == 0)
        }
        #expect(first.room == 2_500)
        first.remove(place)
        #expect(first.vectors(for: place) == nil && memory.take(5_000) && !memory.take(1))
        first.keep(try vectors(2), for: place)
        #expect(first.vectors(for: place) == nil)
    }

    @Test func `sketches stay within their memory, and the least used one goes`() throws {
        let sketches = VectorSketches(most: 2_500, memory: SketchMemory(most: 1 << 20))
        func place(_ name: String) -> VectorSketches.Place { Self.place(of: Self.search([1]), name) }
        let (old, new) = (try vectors(1), try vectors(2))
        #expect((900..<1_200).contains(old.sketch.bytes), "\(old.sketch.bytes)")
        #expect(!sketches.isWanted(for: place("a")) && sketches.isWanted(for: place("a")))
        sketches.keep(new, for: place("a"))
        sketches.keep(old, for: place("a"))
        #expect(sketches.vectors(for: place("a"))?.time == new.time)
        sketches.keep(old, for: place("b"))
        _ = sketches.vectors(for: place("b"))
        _ = sketches.vectors(for: place("a"))
        sketches.keep(old, for: place("c"))
        #expect(sketches.vectors(for: place("b")) == nil && sketches.vectors(for: place("a")) != nil)
        sketches.refuse(place("b"))
        #expect(!sketches.isWanted(for: place("b")))
        // Places are bounded, too.
        for number in 0..<2_000 { _ = sketches.isWanted(for: place("x\(number)")) }
        #expect(!sketches.isWanted(for: place("a")))
    }
}
