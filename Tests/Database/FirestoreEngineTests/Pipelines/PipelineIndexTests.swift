// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreEngine
import PipelineCases
import TestSupport
import Testing

/// One pipeline has one answer, whatever indexes exist (PL-221, PT-228).
@Suite struct PipelineIndexTests {
    private static let database = DatabaseID(projectID: "demo-pipelines")

    private static func field(_ names: String..., mode: IndexDefinition.Field.Mode = .ascending) -> IndexDefinition.Field {
        IndexDefinition.Field(FieldPathSegments(names), mode)
    }

    private static let indexes = [
        IndexDefinition(collectionID: "c", fields: [field("a")]), IndexDefinition(collectionID: "c", fields: [field("b", mode: .descending)]),
        IndexDefinition(collectionID: "c", fields: [field("a", mode: .arrayContains)]),
        IndexDefinition(collectionID: "c", fields: [field("m", "k"), field("a")]),
        IndexDefinition(collectionID: "c", fields: [field("b"), field("m")]),
    ]

    private func engine(_ writes: [Write], indexes: [IndexDefinition]) async throws -> Engine {
        let location = try EngineStores.place()
        let engine = try Engine.open(EngineConfiguration(location: location, databaseID: Self.database, indexPolicy: .manual))
        _ = try await engine.commit(writes, context: .embedded)
        try await engine.configureIndexes(indexes)
        try await engine.indexesSettled()
        return engine
    }

    /// What may follow the conditions: stages that see the order of the rows, and stages that do not.
    private static let ends = [
        "", ".limit(5)", ".sort(b).limit(7)", ".offset(3).limit(4).select(a)", ".aggregate(count() as n, sum(a) as s, minimum(b) as m)",
        ".aggregate(array_agg(a) as l, first(b) as f)", ".aggregate(count() as n, groups: [b])", ".distinct(a)", ".unnest(a as e)",
        ".let(a as x).select(array(collection(/c).where(equal(b, $x)).select(__name__ as n)) as l)",
    ]

    /// A condition that is true for the same rows, and that is never looked up in an index.
    private static func opaque(_ condition: PipelineArgument) -> PipelineArgument { .call("not", .call("not", condition)) }

    /// A pipeline in which no condition can be looked up.
    private static func opaque(_ stages: [PipelineStage]) -> [PipelineStage] {
        stages.map { stage in
            var stage = stage
            stage.arguments = stage.kind == .where ? stage.arguments.map(opaque) : stage.arguments.map(opaqueInside)
            return stage
        }
    }

    private static func opaqueInside(_ argument: PipelineArgument) -> PipelineArgument {
        switch argument {
        case .pipeline(let stages): return .pipeline(opaque(stages))
        case .function(var function):
            function.arguments = function.arguments.map(opaqueInside)
            return .function(function)
        case .map(let entries): return .map(entries.map { PipelineEntry($0.key, opaqueInside($0.value)) })
        case .array(let elements): return .array(elements.map(opaqueInside))
        case .constant, .field, .variable: return argument
        }
    }

    @Test func rowsAndTheirOrderDoNotDependOnIndexes() async throws {
        var conditions = RandomConditions(seed: 228)
        let writes = conditions.writes(120)
        let indexed = try await engine(writes, indexes: Self.indexes)
        let plain = try await engine(writes, indexes: [])
        var (rows, entries) = (0, 0)
        for turn in 0..<TestScale.pick(quick: 500, full: 20_000) {
            let end = try PipelineText.parse("collection(/c)" + Self.ends[turn % Self.ends.count]).stages.dropFirst()
            let wheres = (0...conditions.number(2)).map { _ in PipelineStage(.where, [conditions.condition(2)]) }
            let pipeline = PipelineRequest([PipelineStage(.collection, [.value(.reference("/c"))])] + wheres + end)
            var context = RequestContext.embedded
            let meter = CallMeter()
            context.meter = meter
            let found = try await indexed.execute(pipeline, context: context).rows
            let expected = try await plain.execute(PipelineRequest(Self.opaque(pipeline.stages)), context: .embedded).rows
            #expect(Self.same(found, expected), "\(PipelineText.print(pipeline.stages))")
            rows += found.count
            entries += meter.figures.entriesRead
        }
        // Enough rows, and many of them found by indexes, or nothing is shown.
        #expect(rows > 3_000 && entries > 3_000, "\(rows) rows, \(entries) entries")
        await indexed.shutdown()
        await plain.shutdown()
    }

    /// The two databases gave their documents different times.
    private static func same(_ left: [PipelineRow], _ right: [PipelineRow]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { $0.name == $1.name && $0.fields == $1.fields }
    }

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
