// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreEngine
import PipelineModel
import TestSupport
import Testing

@testable import FirestoreSemantics

/// Every row of a pipeline matches the classic filter that its conditions imply, whatever the values are (PL-218, PL-219).
@Suite struct ImpliedFilterModelTests {
    private static let database = DatabaseID(projectID: "demo-pipelines")

    @Test func theFilterHoldsForEveryRow() async throws {
        let engine = try Engine.open(EngineConfiguration(location: try EngineStores.place(), databaseID: Self.database))
        var random = RandomPipelines(seed: 28, database: Self.database)
        let documents = random.documents(100)
        let writes = documents.map { Write(key: DocumentKey(trusted: $0.path), operation: .set(FieldBytes($0.fields))) }
        _ = try await engine.commit(writes, context: .embedded)
        var (filters, rows, exact) = (0, 0, 0)
        for _ in 0..<TestScale.pick(quick: 400, full: 10_000) {
            let condition = random.condition()
            let implied = ImpliedFilter([condition], of: .everything, in: Self.database)
            guard let filter = implied.filter else { continue }
            filters += 1
            let pipeline = PipelineRequest([PipelineStage(.collection, [.value(.reference("/c"))]), PipelineStage(.where, [condition])])
            // Without the orders of a query, which demand that the fields of inequalities exist.
            let compiled = CompiledFilter(filter, database: Self.database)
            let found = try await engine.execute(pipeline, context: .embedded).rows
            if implied.isExact {
                exact += 1
                let matching = documents.count { document in
                    let bytes = FieldBytes(document.fields)
                    defer { withExtendedLifetime(bytes) {} }
                    return document.path.hasPrefix("c/") && document.path.split(separator: "/").count == 2
                        && compiled.matches(key: DocumentKey(trusted: document.path), fields: bytes.view)
                }
                #expect(matching == found.count, "\(PipelineText.print(condition)) is said to be exactly \(filter)")
            }
            for row in found {
                rows += 1
                let id = try #require(row.name?.split(separator: "/").last)
                let isMatched = compiled.matches(key: DocumentKey(trusted: "c/\(id)"), fields: row.fields.view)
                withExtendedLifetime(row) {}
                let shown = PipelineText.print(.value(.map(try row.fields.map)))
                #expect(isMatched, "\(PipelineText.print(condition)) implies \(filter), which \(shown) does not match")
            }
        }
        // Enough of each, or nothing is shown.
        #expect(filters > 100 && rows > 1_000 && exact > 20, "\(filters) filters, \(rows) rows, \(exact) exact")
        await engine.shutdown()
    }
}
