// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// What a call costs, where it is measured (OP-95).
struct CallMeterTests {
    private func measured(_ body: (RequestContext) async throws -> Void) async rethrows -> CallMeter.Figures {
        let meter = CallMeter()
        var context = RequestContext.embedded
        context.meter = meter
        try await body(context)
        return meter.figures
    }

    private func filled() async throws -> Engine {
        let engine = try Engine.memory()
        try engine.setIndexPolicy(.manual)
        for number in 0..<40 { try await engine.commit(.set("c/\(number)", ("n", .integer(Int64(number))))) }
        return engine
    }

    private static var query: StructuredQuery {
        var query = StructuredQuery.collection("c")
        query.filter = .field(FieldPathSegments("n"), .lessThan, ValueBytes(.integer(3)))
        return query
    }

    @Test func `a query without an index reads everything, whole or in pages, now or at an earlier moment`() async throws {
        let engine = try await filled()
        let time = try await engine.run(Self.query, context: .embedded).readTime
        #expect(try await measured { _ = try await engine.run(Self.query, options: .latest, context: $0) }.documentsRead == 40)
        #expect(
            try await measured { context in
                try await engine.run(Self.query, options: .latest, context: context) { _ in .next }
            }.documentsRead == 40)
        #expect(try await measured { _ = try await engine.aggregate(Self.query, [Aggregation(.count(upTo: nil))], options: .latest, context: $0) }.documentsRead == 40)
        try await engine.commit(.delete("c/0"))
        #expect(try await measured { _ = try await engine.run(Self.query, options: .past(time), context: $0) }.documentsRead >= 39)
        await engine.shutdown()
    }

    @Test func `a query with an index reads its entries`() async throws {
        let engine = try await filled()
        try await engine.configureIndexes([IndexDefinition(collectionID: "c", fields: [IndexDefinition.Field(FieldPathSegments("n"))])])
        try await engine.indexesSettled()
        let figures = try await measured { _ = try await engine.run(Self.query, options: .latest, context: $0) }
        #expect((3...4).contains(figures.entriesRead))
        #expect(figures.documentsRead <= 4)
        await engine.shutdown()
    }

    @Test func `a commit that another service has refused fails in its turn and changes nothing`() async throws {
        let engine = try Engine.memory()
        let results = Mutex<[String]>([])
        func submit(_ id: String, _ refusal: FirestoreError? = nil) {
            var options = CommitOptions()
            options.refusal = refusal
            engine.submit([.set("c/\(id)")], options: options, context: .embedded) { result in
                let outcome = if case .failure(let error) = result { "\(error.code)" } else { "ok" }
                results.withLock { $0.append("\(id) \(outcome)") }
            }
        }
        submit("a")
        submit("b", FirestoreError(.resourceExhausted, "enough"))
        submit("c")
        await engine.finishCommits()
        await eventually("all are answered") { results.withLock { $0.count } == 3 }
        #expect(results.withLock { $0 } == ["a ok", "b resourceExhausted", "c ok"])
        #expect(try await engine.run(.collection("c"), context: .embedded).documents.map(\.key.path) == ["c/a", "c/c"])
        await engine.shutdown()
    }
}
