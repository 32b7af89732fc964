// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreEngine
import PipelineModel
import TestSupport
import Testing

/// Pipelines mean what the model says, and one pipeline has one answer, whatever indexes exist (PL-221, PT-228).
@Suite struct PipelineModelTests {
    private static let rounds = TestScale.pick(quick: 4, full: 200)
    private static let pipelinesOfRound = TestScale.pick(quick: 60, full: 500)

    @Test func theRowsOfPipelinesAreThoseOfTheModelWhateverIndexesExist() async throws {
        var counts = ModelRound.Counts()
        for round in 0..<Self.rounds {
            let round = try await ModelRound(seed: UInt64(2_800 + round), documents: round % 10 == 9 ? 80 : [20, 60, 9, 35][round % 4])
            try await round.check(Self.pipelinesOfRound, &counts)
            await round.close()
        }
        // Enough rows, some of them found by indexes, and not many refusals, or little is shown.
        #expect(counts.rows > 3 * counts.pipelines && 2 * counts.entries > counts.pipelines, "\(counts)")
        #expect(counts.refused * 3 < counts.pipelines, "\(counts)")
    }
}

/// Databases with the same documents and other indexes.
private struct ModelRound {
    struct Counts {
        var pipelines = 0
        var rows = 0
        var refused = 0
        /// Entries of indexes that were read.
        var entries = 0
    }

    private static let database = DatabaseID(projectID: "demo-pipelines")

    private let seed: UInt64
    private let model: PipelineModel
    private let engines: [(name: String, engine: Engine)]
    private let random: RandomPipelines

    init(seed: UInt64, documents count: Int) async throws {
        var random = RandomPipelines(seed: seed, database: Self.database)
        let documents = random.documents(count)
        self.seed = seed
        model = PipelineModel(database: Self.database, documents: documents)
        let writes = documents.map { Write(key: DocumentKey(trusted: $0.path), operation: .set(FieldBytes($0.fields))) }
        engines = [
            ("without indexes", try await Self.engine(writes, .manual)),
            ("with indexes", try await Self.engine(writes, .manual, Self.indexes)),
            ("with the indexes of its choice", try await Self.engine(writes, .automatic)),
            ("a few rows at a time", try await Self.engine(writes, .manual, Self.indexes, page: 700)),
            ("a few rows at a time, without indexes", try await Self.engine(writes, .manual, page: 500)),
        ]
        self.random = random
    }

    private static func engine(
        _ writes: [Write], _ policy: IndexPolicy, _ indexes: [IndexDefinition] = [], page: Int = PipelineLimits().page
    ) async throws -> Engine {
        var configuration = EngineConfiguration(location: try EngineStores.place(), databaseID: database, indexPolicy: policy)
        configuration.pipelines = PipelineLimits(page: page)
        let engine = try Engine.open(configuration)
        _ = try await engine.commit(writes, context: .embedded)
        if !indexes.isEmpty {
            try await engine.configureIndexes(indexes)
            try await engine.indexesSettled()
        }
        return engine
    }

    private static let indexes: [IndexDefinition] = [
        index("c", field("a")), index("c", field("b", .descending)), index("c", field("a", .arrayContains)),
        index("c", IndexDefinition.Field(FieldPathSegments(["m", "k"])), field("a")), index("c", field("b"), field("m")),
        index("c", field("n")), index("c", field("k"), field("n", .descending)), index("c", field("t", .arrayContains), field("k")),
        index("d", field("k")), index("d", field("n")), index("e", scope: .collectionGroup, field("k")), index("e", field("a")),
    ]

    private static func field(_ name: String, _ mode: IndexDefinition.Field.Mode = .ascending) -> IndexDefinition.Field {
        IndexDefinition.Field(FieldPathSegments([name]), mode)
    }

    private static func index(
        _ id: String, scope: IndexDefinition.Scope = .collection, _ fields: IndexDefinition.Field...
    ) -> IndexDefinition {
        IndexDefinition(collectionID: id, scope: scope, fields: fields)
    }

    func close() async { for (_, engine) in engines { await engine.shutdown() } }

    // MARK: Comparing

    func check(_ count: Int, _ counts: inout Counts) async throws {
        var random = random
        for number in 0..<count {
            let pipeline = random.pipeline()
            let expected = try model.outcome(of: pipeline)
            counts.pipelines += 1
            if case .rows(let rows) = expected { counts.rows += rows.count } else { counts.refused += 1 }
            var isReported = false
            for (_, engine) in engines {
                var context = RequestContext.embedded
                let meter = CallMeter()
                context.meter = meter
                let found = try await ModelOutcome(of: engine, pipeline, in: Self.database, context)
                counts.entries += meter.figures.entriesRead
                guard found != expected, !isReported else { continue }
                await report(pipeline, number)
                isReported = true
            }
        }
    }

    /// The first difference from the model, or nil.
    private func difference(of pipeline: PipelineRequest) async throws -> String? {
        let expected = try model.outcome(of: pipeline)
        for (name, engine) in engines {
            let found = try await ModelOutcome(of: engine, pipeline, in: Self.database, .embedded)
            if found != expected { return "\(name):\n\(found)\nexpected:\n\(expected)" }
        }
        return nil
    }

    private func report(_ pipeline: PipelineRequest, _ number: Int) async {
        let smallest =
            try? await PipelineShrinking.shrink(pipeline) { smaller in
                guard (try? await engines[0].engine.explain(smaller, analyze: false, options: .latest, context: .embedded)) != nil else {
                    return false
                }
                return try await difference(of: smaller) != nil
            }
        let shown = smallest ?? pipeline
        let text = (try? await difference(of: shown)) ?? "it does not come again"
        Issue.record("seed \(seed), pipeline \(number):\n\(PipelineText.print(shown.stages))\n\(text)")
    }
}
