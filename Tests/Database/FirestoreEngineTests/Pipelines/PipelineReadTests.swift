// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreEngine
import PipelineCases
import Testing

@Suite struct PipelineReadTests {
    private static let database = DatabaseID(projectID: "demo-pipelines")
    private let engine: Engine

    init() async throws {
        engine = try Engine.open(EngineConfiguration(location: try EngineStores.place(), databaseID: Self.database))
        _ = try await engine.commit(try PipelineData.writes, context: .embedded)
    }

    private func run(_ text: String, _ options: PipelineOptions = .latest, _ context: RequestContext = .embedded) async throws -> PipelinePage {
        try await engine.execute(try PipelineText.parse(text), options: options, context: context)
    }

    private func set(_ path: String) async throws {
        let fields = FieldBytes(FieldMap([("id", .string(AutoID.make()))]))
        _ = try await engine.commit([Write(key: DocumentKey(trusted: path), operation: .set(fields))], context: .embedded)
    }

    private func delete(_ path: String) async throws -> DocumentVersion {
        try await engine.commit([Write(key: DocumentKey(trusted: path), operation: .delete)], context: .embedded).commitTime
    }

    @Test func aReadTimeShowsAllSourcesAsTheyWere() async throws {
        // PT-206, PT-227
        let text = #"""
            collection(/shop)
            union(collection(/places))
            select(__name__, k, array(subcollection("log")) as log)
            """#
        let before = try await run(text)
        _ = try await delete("shop/p5")
        _ = try await delete("places/far")
        _ = try await delete("shop/p1/log/e1")
        #expect(try await run(text, PipelineOptions(.past(before.readTime))).rows == before.rows)
        #expect(try await run(text).rows.count == before.rows.count - 2)
    }

    @Test func aReadTimeShowsNamedDocumentsAsTheyWere() async throws {
        let text = "documents(/shop/p1, /shop/p4)"
        let before = try await run(text)
        _ = try await delete("shop/p1")
        #expect(try await run(text, PipelineOptions(.past(before.readTime))).rows == before.rows)
        #expect(try await run(text).rows.count == 1)
    }

    @Test func aCommitFailsIfAnythingThatItsPipelinesReadHasChanged() async throws {
        // PT-207
        for text in [
            "collection(/places).union(collection(/shop))", "documents(/shop/p1)", "collection(/places).select(array(collection(/shop)) as x)",
        ] {
            let id = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
            _ = try await run(text, PipelineOptions(.transaction(id)))
            try await set("shop/p1")
            await #expect(throws: FirestoreError.self, "\(text)") {
                try await engine.commit([Write(key: DocumentKey(trusted: "other/x"), operation: .set(.empty))], in: id, context: .embedded)
            }
        }
        let id = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        _ = try await run("documents(/shop/p1)", PipelineOptions(.transaction(id)))
        try await set("shop/p2")
        let write = Write(key: DocumentKey(trusted: "other/x"), operation: .set(.empty))
        _ = try await engine.commit([write], in: id, context: .embedded)
    }

    @Test func aResultThatIsLongComesInPages() async throws {
        let text = String(repeating: "x", count: 60_000)
        for number in 0..<60 {
            let key = DocumentKey(trusted: "long/d\(100 + number)")
            _ = try await engine.commit([Write(key: key, operation: .set(FieldBytes(FieldMap([("t", .string(text))]))))], context: .embedded)
        }
        let sizes = Mutex<[Int]>([])
        try await engine.execute(try PipelineText.parse("collection(/long)"), options: .latest, context: .embedded) { page in
            sizes.withLock { $0.append(page.rows.count) }
            return sizes.withLock { $0.count } == 3 ? .stop : .next
        }
        #expect(sizes.withLock { $0 } == [18, 18, 18])
    }

    @Test func aPipelineThatHoldsTooMuchFails() async throws {
        var configuration = EngineConfiguration(location: .memory, databaseID: Self.database)
        configuration.pipelines.memory = 20_000
        let small = try Engine.open(configuration)
        for number in 0..<200 {
            let write = Write(key: DocumentKey(trusted: "many/d\(number)"), operation: .set(FieldBytes(FieldMap([("n", .integer(Int64(number)))]))))
            _ = try await small.commit([write], context: .embedded)
        }
        for text in ["collection(/many)", "collection(/many).sort(n)", "collection(/many).aggregate(array_agg([n, n, n, n, n, n, n, n]) as a)", "collection(/many).distinct(n)"] {
            do {
                _ = try await small.execute(try PipelineText.parse(text), context: .embedded)
                Issue.record("\(text) has a result")
            } catch let error as FirestoreError {
                #expect(error.code == .resourceExhausted, "\(text)")
            }
        }
        // Values that wait for others, variables, and arrays that grow.
        for text in [
            #"literals({a: 1}).select(concat(string_repeat("x", add(a, 9000)), concat(string_repeat("y", add(a, 9000)), "z")) as t)"#,
            #"literals({a: 0}).let(string_repeat("x", add(a, 15000)) as u).let(string_repeat("y", add(a, 15000)) as v)"#,
            #"literals({a: [1, 2, 3, 4]}).select(array_transform(a, "e", string_repeat("x", 9000)) as b)"#,
        ] {
            do {
                _ = try await small.execute(try PipelineText.parse(text), context: .embedded)
                Issue.record("\(text) has a result")
            } catch let error as FirestoreError {
                #expect(error.code == .resourceExhausted, "\(text) \(error)")
            }
        }
        // What a stage has passed on or dropped is not held.
        let top = try await small.execute(try PipelineText.parse("collection(/many).sort(n descending).limit(3)"), context: .embedded)
        #expect(top.rows.count == 3)
        let count = try await small.execute(try PipelineText.parse("collection(/many).aggregate(count() as c)"), context: .embedded)
        #expect(count.rows.first?.fields.view[utf8: "c"]?.integer == 200)
        await small.shutdown()
    }

    @Test func aPipelineEndsWhenItsCallerDoesNotWait() async throws {
        // PT-230
        var late = RequestContext.embedded
        late.deadline = .now
        await #expect(throws: FirestoreError.self) { try await run("collection(/shop)", .latest, late) }
        // Each row of the union doubles what comes after it; only looking at the deadline ends this.
        let endless = (0..<18).reduce("collection(/shop)") { text, _ in text + ".union(collection(/shop).union(collection(/shop)))" }
        let nested = "collection(/shop).select(array(\(endless).select(array(\(endless)) as y)) as x)"
        let pipeline = try PipelineText.parse(nested)
        let task = Task { try await engine.execute(pipeline, options: .latest, context: .embedded) }
        task.cancel()
        do {
            _ = try await task.value
            Issue.record("a cancelled pipeline has a result")
        } catch let error as FirestoreError {
            #expect(error.code == .cancelled)
        }
    }

    @Test func anExplanationNamesStagesAndCosts() async throws {
        let pipeline = try PipelineText.parse("collection(/shop).where(equal(c, 3)).limit(1)")
        let plan = try await engine.explain(pipeline, analyze: false, options: .latest, context: .embedded)
        #expect(plan.text.contains("1. collection(/shop)"))
        #expect(plan.text.contains("2. where(equal(c, 3))"))
        #expect(!plan.text.contains("documents read"))
        let run = try await engine.explain(pipeline, analyze: true, options: .latest, context: .embedded)
        #expect(run.text.contains("rows: 1"))
        #expect(run.text.first != "{")
    }

    @Test func expressionsThatNestTooDeeplyAreRefusedInTheProcess() async throws {
        // PT-231
        for (depth, isValid) in [(98, true), (10_000, false)] {
            var expression = PipelineArgument.field(FieldPathSegments("c"))
            for _ in 0..<depth { expression = .call("abs", expression) }
            let condition = PipelineArgument.call("is_error", expression)
            let pipeline = PipelineRequest([
                PipelineStage(.collection, [.value(.reference("/shop"))]), PipelineStage(.where, [condition]),
            ])
            do {
                let page = try await engine.execute(pipeline, context: .embedded)
                #expect(isValid && page.rows.count == 1)
            } catch {
                #expect(!isValid && error.code == .invalidArgument, "\(error)")
            }
        }
    }

    @Test func pipelinesThatNestTooDeeplyAreRefused() async throws {
        // PT-231
        var text = "collection(/shop)"
        for _ in 0..<21 { text = "collection(/shop).select(array(\(text)) as x)" }
        await #expect(throws: FirestoreError.self) { try await run(text) }
    }
}
