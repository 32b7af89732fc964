// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

/// Aggregations and searches. In the same suite as the queries: there is one emulator, so one test at a time.
extension EmulatorOracleTests {
    @Test(arguments: 0..<4)
    func `aggregations have the emulator's results`(seed: Int) async throws {
        let emulator = try #require(EmulatorClient())
        var random = RandomData(seed: UInt64(seed) + 9_500)
        let documents = random.documents(40)
        try await emulator.clear()
        try await emulator.write(documents)
        let source = ArrayDocumentSource(documents)
        for _ in 0..<60 {
            var query = StructuredQuery.c(orders: random.pick([[], ["b"], ["-b"]]), offset: random.pick([0, 0, 2]), limit: random.pick([nil, nil, 3]))
            if random.chance(40) { query.filter = .field("c", .greaterThan, .integer(0)) }
            let fields = (0..<random.number(0...2)).map { _ in path(random.pick(["a", "b", "m.x"])) }
            let aggregations = [Aggregation(.count(upTo: nil))] + fields.flatMap { [Aggregation(.sum($0)), Aggregation(.average($0))] }
            let ours = try AggregationExecutor.run(query, aggregations, over: source, database: database)
            let theirs = try await emulator.aggregate(query, aggregations)
            #expect(ours.map { Self.text($0.value) } == theirs.map(Self.text), "seed \(seed): \(fields) over \(query)")
        }
    }

    @Test(arguments: VectorSearch.Measure.allCases)
    func `searches have the emulator's results`(measure: VectorSearch.Measure) async throws {
        let emulator = try #require(EmulatorClient())
        var random = RandomData(seed: 9_900)
        let documents = (0..<30).map { number in
            document("c/\(number)", ("v", .vector((0..<random.number(2...3)).map { _ in Double(random.number(-2...2)) })))
        }
        try await emulator.clear()
        try await emulator.write(documents)
        for threshold in [nil, 1.0] {
            var query = StructuredQuery.c()
            query.nearest = VectorSearch(
                field: path("v"), vector: [1, 2], measure: measure, limit: 20, resultField: path("d"), threshold: threshold)
            query.projection = [path("d")]
            let ours = try QueryAnswer.documents(of: query, over: ArrayDocumentSource(documents), database: database)
            #expect(try await emulator.run(query) == ours.map(\.key.path))
        }
    }

    /// NaN has no equal.
    private static func text(_ value: Value) -> String { "\(value)" }
}
