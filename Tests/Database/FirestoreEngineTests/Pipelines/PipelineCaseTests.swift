// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreEngine
import PipelineCases
import Testing

/// The tables of the reference, in the process and on PostgreSQL.
@Suite struct PipelineCaseTests {
    private static let database = DatabaseID(projectID: "demo-pipelines")

    private func run(_ cases: [PipelineCase]) async throws {
        let engine = try Engine.open(EngineConfiguration(location: try EngineStores.place(), databaseID: Self.database))
        _ = try await engine.commit(try PipelineData.writes, context: .embedded)
        for row in cases {
            let result: Result<PipelinePage, FirestoreError>
            do {
                result = .success(try await engine.execute(try row.pipeline, context: .embedded))
            } catch let error as FirestoreError {
                result = .failure(error)
            }
            if let difference = row.difference(from: result) { Issue.record("\(row) \(difference)") }
        }
        await engine.shutdown()
    }

    @Test func comparisonsAndLogicAreThoseOfTheTables() async throws { try await run(PipelineCase.comparisons) }

    @Test func stagesAreThoseOfTheTables() async throws { try await run(PipelineCase.stages) }
}
