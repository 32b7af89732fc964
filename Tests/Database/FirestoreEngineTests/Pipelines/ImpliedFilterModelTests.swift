// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreEngine
import FirestoreSemantics
import TestSupport
import Testing

/// Every row of a pipeline matches the classic filter that its conditions imply, whatever the values are (PL-218, PL-219).
@Suite struct ImpliedFilterModelTests {
    private static let database = DatabaseID(projectID: "demo-pipelines")
    @Test func theFilterHoldsForEveryRow() async throws {
        let engine = try Engine.open(EngineConfiguration(location: try EngineStores.place(), databaseID: Self.database))
        var conditions = RandomConditions(seed: 28)
        let writes = conditions.writes(150)
        _ = try await engine.commit(writes, context: .embedded)
        var (filters, rows) = (0, 0)
        for _ in 0..<TestScale.pick(quick: 400, full: 10_000) {
            let condition = conditions.condition(3)
            guard let filter = ImpliedFilter([condition], in: Self.database).filter else { continue }
            filters += 1
            let pipeline = PipelineRequest([PipelineStage(.collection, [.value(.reference("/c"))]), PipelineStage(.where, [condition])])
            let matcher = QueryMatcher(
                StructuredQuery(scope: .collection(CollectionPath(trusted: "c")), filter: filter), database: Self.database)
            for row in try await engine.execute(pipeline, context: .embedded).rows {
                rows += 1
                let id = try #require(row.name?.split(separator: "/").last)
                let document = Document(key: DocumentKey(trusted: "c/\(id)"), createTime: .none, updateTime: .none, fields: row.fields)
                let shown = PipelineText.print(.value(.map(try row.fields.map)))
                #expect(matcher.matches(document), "\(PipelineText.print(condition)) implies \(filter), which \(shown) does not match")
            }
        }
        // Enough of each, or nothing is shown.
        #expect(filters > 100 && rows > 1_000, "\(filters) filters, \(rows) rows")
        await engine.shutdown()
    }
}
