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

    // MARK: What an index answers

    /// What a pipeline over 600 books has found, and what that has cost.
    private struct Outcome {
        let rows: [FieldBytes]
        let documents: Int
        let plan: String
    }

    /// 600 books: every sixth has no year, and the first twenty are of the genre that every pipeline asks for.
    private func engine() async throws -> Engine {
        let engine = try Engine.open(
            EngineConfiguration(location: try EngineStores.place(), databaseID: Self.database, indexPolicy: .manual))
        let writes = (0..<600).map { number in
            var fields: [(String, Value)] = [("genre", .string(number.isMultiple(of: 30) ? "poetry" : "novel")), ("n", .integer(Int64(number)))]
            if number.isMultiple(of: 6) == false || number.isMultiple(of: 30) { fields.append(("year", .integer(Int64(2_000 - number % 70)))) }
            return Write(key: DocumentKey(trusted: "books/b\(1_000 + number)"), operation: .set(FieldBytes(FieldMap(fields))))
        }
        _ = try await engine.commit(writes, context: .embedded)
        let (genre, year) = (IndexDefinition.Field(FieldPathSegments(["genre"])), FieldPathSegments(["year"]))
        try await engine.configureIndexes([
            IndexDefinition(collectionID: "books", fields: [genre]),
            IndexDefinition(collectionID: "books", fields: [genre, IndexDefinition.Field(year)]),
            IndexDefinition(collectionID: "books", fields: [genre, IndexDefinition.Field(year, .descending)]),
            IndexDefinition(collectionID: "books", fields: [IndexDefinition.Field(year)]),
            IndexDefinition(collectionID: "books", fields: [IndexDefinition.Field(year, .descending)]),
        ])
        try await engine.indexesSettled()
        return engine
    }

    private func outcome(of text: String, _ engine: Engine) async throws -> Outcome {
        let pipeline = try PipelineText.parse(text)
        var context = RequestContext.embedded
        let meter = CallMeter()
        context.meter = meter
        let rows = try await engine.execute(pipeline, context: context).rows.map(\.fields)
        let plan = try await engine.explain(pipeline, analyze: false, options: .latest, context: .embedded).text
        return Outcome(rows: rows, documents: meter.figures.documentsRead, plan: plan)
    }

    @Test(arguments: [
        // All poetry has a year, which counting entries shows (PL-218).
        ("where(equal(genre, \"poetry\")).sort(year).limit(3)", 3, "in the order of the sort"),
        ("where(equal(genre, \"poetry\")).sort(year descending).limit(3)", 4, "in the order of the sort"),
        // Novels without a year come first, and are found in no index.
        ("where(equal(genre, \"novel\")).sort(year).limit(3)", 580, "a range of index books(genre)"),
        // Or last.
        ("where(equal(genre, \"novel\")).sort(year descending).limit(3)", 10, "then those without year"),
        ("where(exists(year)).sort(year).limit(5)", 5, "in the order of the sort"),
        ("where(greater_than(year, 1990)).sort(year).offset(2).limit(2)", 4, "in the order of the sort"),
        // A condition behind the sort takes what it needs.
        ("where(equal(genre, \"poetry\")).sort(year).where(equal(mod(n, 60), 0)).limit(1)", 1, "in the order of the sort"),
        // Counts and extremes (PL-222).
        ("where(equal(genre, \"poetry\")).aggregate(count() as c)", 0, "entries counted"),
        ("where(equal(genre, \"poetry\")).where(greater_than(year, 1950)).aggregate(count() as c)", 0, "entries counted"),
        ("aggregate(maximum(year) as m)", 10, "the first value of year"),
        ("where(equal(genre, \"poetry\")).aggregate(minimum(year) as m)", 4, "the first value of year"),
        ("where(starts_with(genre, \"po\")).aggregate(count() as c)", 0, "entries counted"),
    ]) func theIndexAnswersWhatTheStagesAsk(stages: String, most: Int, plan: String) async throws {
        let engine = try await engine()
        let found = try await outcome(of: "collection(/books).\(stages)", engine)
        let plain = try await outcome(of: "collection(/books, force_index: \"primary\").\(stages)", engine)
        #expect(found.rows == plain.rows)
        #expect(!found.rows.isEmpty)
        #expect(found.documents <= most, "\(found.documents) documents")
        #expect(found.plan.contains(plan), "\(found.plan)")
        await engine.shutdown()
    }
}
