// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreEngine
import Testing

/// Which indexes pipelines get. That their rows do not depend on indexes is a test of `PipelineModelTests`.
@Suite struct PipelineIndexTests {
    private static let database = DatabaseID(projectID: "demo-pipelines")

    @Test func aPipelineThatReadsMuchForLittleGetsAnIndex() async throws {
        let engine = try Engine.open(EngineConfiguration(location: try EngineStores.place(), databaseID: Self.database))
        let writes = (0..<2_000).map { number in
            Write(
                key: DocumentKey(trusted: "books/b\(number)"), operation: .set(FieldBytes(FieldMap([("pages", .integer(Int64(number)))]))))
        }
        _ = try await engine.commit(writes, context: .embedded)
        let pipeline = try PipelineText.parse("collection(/books).where(greater_than(pages, 1995)).sort(pages descending).select(pages)")
        func read() async throws -> (rows: [PipelineRow], documents: Int) {
            var context = RequestContext.embedded
            let meter = CallMeter()
            context.meter = meter
            return (try await engine.execute(pipeline, context: context).rows, meter.figures.documentsRead)
        }
        let first = try await read()
        #expect(first.documents == 2_000)
        for _ in 0..<5 { _ = try await read() }
        try await engine.indexesSettled()
        let later = try await read()
        #expect(later.rows == first.rows)
        #expect(later.rows.count == 4)
        #expect(later.documents == 4)
        let explanation = try await engine.explain(pipeline, analyze: true, options: .latest, context: .embedded)
        #expect(explanation.text.contains("indexes: books"), "\(explanation.text)")
        await engine.shutdown()
    }
}
