import FirestoreCore
import Testing

@testable import FirestoreEngine

@Suite struct AggregateTests {
    static let count = Aggregation(.count(upTo: nil), alias: "count")
    static let sum = Aggregation(.sum(FieldPathSegments("n")), alias: "sum")

    private func numbers(_ engine: Engine, _ query: StructuredQuery) async throws -> [Int64?] {
        try await engine.aggregate(query, [Self.count, Self.sum], at: .latest, context: .embedded).values.map {
            if case .integer(let number) = $0.value { number } else { nil }
        }
    }

    @Test("aggregations see every commit submitted before, and name its time")
    func aggregate() async throws {  // QR-49, QR-63
        let engine = try Engine.memory()
        try await engine.commit(.set("c/a", ("n", .integer(3))), .set("c/b", ("n", .integer(1))), .set("c/e"))
        #expect(try await numbers(engine, .collection("c")) == [2, 4])
        #expect(try await numbers(engine, .collection("c").filter("n", .greaterThan, .integer(1))) == [1, 3])
        #expect(try await numbers(engine, .collection("c").ordered(by: "n").window(limit: 1)) == [1, 1])
        engine.submit([.set("c/d", ("n", .integer(10)))], context: .embedded) { _ in }
        let response = try await engine.aggregate(.collection("c"), [Self.sum], at: .latest, context: .embedded)
        #expect(response.values.map { ValueBytes($0.value) } == [ValueBytes(.integer(14))])
        #expect(try await engine.get("c/d")?.updateTime == response.readTime)
        try await engine.checkAndShutDown()
    }

    @Test("bad aggregations and bad queries are refused")
    func refusals() async throws {  // QR-62
        let engine = try Engine.memory()
        await expectError(.invalidArgument) {
            try await engine.aggregate(.collection("c"), [], at: .latest, context: .embedded)
        }
        await expectError(.invalidArgument) {
            try await engine.aggregate(.collection("c/d"), [Self.count], at: .latest, context: .embedded)
        }
        try await engine.checkAndShutDown()
    }
}
