// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import PipelineModel
import TestSupport
import Testing

/// Pipelines mean what the model says at every place that runs them. (What indexes change is a test of the engine.)
@Suite struct PipelineModelContractTests {
    private static let rounds = TestScale.pick(quick: 2, full: 40)
    private static let pipelinesOfRound = TestScale.pick(quick: 60, full: 500)

    @Test(arguments: [ServiceMode.loopback, .rest])
    func `the rows of pipelines are those of the model`(mode: ServiceMode) async throws {
        var (pipelines, rows) = (0, 0)
        for round in 0..<Self.rounds {
            let seed = UInt64(5_600 + round)
            var random = RandomPipelines(seed: seed, database: ServiceFixture.database)
            let documents = random.documents([20, 9][round % 2])
            let model = PipelineModel(database: ServiceFixture.database, documents: documents)
            let made = (0..<Self.pipelinesOfRound).map { _ in random.pipeline() }
            let counted = Mutex((pipelines: 0, rows: 0))
            try await ServiceFixture.with(mode) { service in
                let writes = documents.map { Write(key: DocumentKey(trusted: $0.path), operation: .set(FieldBytes($0.fields))) }
                _ = try await service.commit(writes, context: .embedded)
                for pipeline in made {
                    let expected = try model.outcome(of: pipeline)
                    let found = try await ModelOutcome(of: service, pipeline, in: ServiceFixture.database)
                    let text = PipelineText.print(pipeline.stages)
                    #expect(found == expected, "seed \(seed):\n\(text)\n\(found)\nexpected:\n\(expected)")
                    // What is printed is the pipeline.
                    #expect(try PipelineText.parse(text) == pipeline, "\(text)")
                    guard case .rows(let all) = expected else { continue }
                    counted.withLock { $0 = ($0.pipelines + 1, $0.rows + all.count) }
                }
            }
            (pipelines, rows) = counted.withLock { (pipelines + $0.pipelines, rows + $0.rows) }
        }
        #expect(2 * pipelines > Self.rounds * Self.pipelinesOfRound && rows > 2 * pipelines, "\(pipelines) pipelines, \(rows) rows")
    }
}
