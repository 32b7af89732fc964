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

    @Test func arithmeticIsThatOfTheTables() async throws { try await run(PipelineCase.arithmetic) }

    @Test func functionsOfArraysAndMapsAreThoseOfTheTables() async throws { try await run(PipelineCase.collections) }

    @Test func functionsOfTextsAreThoseOfTheTables() async throws { try await run(PipelineCase.texts) }

    @Test func functionsOfTimesAreThoseOfTheTables() async throws { try await run(PipelineCase.times) }

    @Test func functionsOfReferencesAndVectorsAreThoseOfTheTables() async throws { try await run(PipelineCase.references) }

    @Test func stagesAreThoseOfTheTables() async throws { try await run(PipelineCase.stages) }

    // PT-231
    @Test func textsBeyondTheMemoryAreNotMade() async throws {
        let engine = try Engine.open(EngineConfiguration(location: try EngineStores.place(), databaseID: Self.database))
        _ = try await engine.commit(try PipelineData.writes, context: .embedded)
        for text in [
            "string_repeat(s, 1099511627776)", #"string_replace_all(string_repeat(s, 1000), "x", string_repeat(s, 100000))"#,
            "concat(string_repeat(string_repeat(s, 1000), 7000), string_repeat(string_repeat(s, 1000), 7000))",
        ] {
            let error = await #expect(throws: FirestoreError.self) {
                _ = try await engine.execute(try PipelineText.parse("collection(/rows).select(\(text) as x)"), context: .embedded)
            }
            #expect(error?.code == .resourceExhausted)
        }
        await engine.shutdown()
    }
}
