// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreEngine
import PipelineCases
import TestSupport
import Testing

/// Pipelines of strangers end: with a result, with an error that says what is too much, or at their deadline.
@Suite struct HostilePipelineTests {
    private static let database = DatabaseID(projectID: "demo-pipelines")

    /// An array of so many elements, a million in the full size, and the memory that pipelines have.
    private static let size = TestScale.pick(quick: 10_000, full: 1_000_000)
    private static let array = #"split(string_repeat("a,", \#(size - 1)), ",")"#
    private static let memory = TestScale.pick(quick: 2 << 20, full: 128 << 20)

    private func withEngine(_ body: (Engine) async throws -> Void) async throws {
        var configuration = EngineConfiguration(location: try EngineStores.place(), databaseID: Self.database)
        configuration.pipelines = PipelineLimits(memory: Self.memory)
        let engine = try Engine.open(configuration)
        _ = try await engine.commit(try PipelineData.writes, context: .embedded)
        try await body(engine)
        await engine.shutdown()
    }

    /// The code with which a pipeline fails; nil if it has rows.
    private func failure(
        of pipeline: PipelineRequest, in engine: Engine, within time: Duration? = nil
    ) async -> FirestoreError.Code? {
        var context = RequestContext.embedded
        context.deadline = time.map { .now + $0 }
        do throws(FirestoreError) {
            _ = try await engine.execute(pipeline, context: context)
            return nil
        } catch {
            return error.code
        }
    }

    private func failure(of text: String, in engine: Engine, within time: Duration? = nil) async throws -> FirestoreError.Code? {
        await failure(of: try PipelineText.parse(text), in: engine, within: time)
    }

    private func value(of expression: String, in engine: Engine) async throws -> String {
        let pipeline = try PipelineText.parse("collection(/rows).select(\(expression) as x)")
        let row = try #require(try await engine.execute(pipeline, context: .embedded).rows.first)
        return PipelineText.print(.value(try row.fields.map["x"] ?? .null))
    }

    @Test(arguments: [Int64.max, 1 << 62, 1 << 31]) func aSearchMayAskForAnyNumberOfRows(limit: Int64) async throws {
        try await withEngine { (engine) async throws in
            let text = "literals({v: vector(1.0)}, {v: vector(2.0)}).find_nearest(v, vector(0.0), euclidean, limit: \(limit))"
            #expect(try await engine.execute(try PipelineText.parse(text), context: .embedded).rows.count == 2)
        }
    }

    // PT-210
    @Test func randomNumbersOfAThousandRowsDiffer() async throws {
        try await withEngine { (engine) async throws in
            let row = PipelineArgument.value(.map(FieldMap([("a", .integer(1))])))
            let pipeline = PipelineRequest([
                PipelineStage(.literals, Array(repeating: row, count: 1_000)),
                PipelineStage(.select, [.map([PipelineEntry("x", .call("rand"))])]),
            ])
            let numbers = try await engine.execute(pipeline, context: .embedded).rows.compactMap { $0.fields.view[utf8: "x"]?.double }
            #expect(numbers.count == 1_000 && numbers.allSatisfy { (0..<1).contains($0) })
            #expect(Set(numbers).count > 900)
        }
    }

    // PT-231
    @Test func expressionsAndPipelinesNestSoDeepAndNotDeeper() async throws {
        func nested(_ depth: Int) -> PipelineRequest {
            let deep = (1..<depth).reduce(PipelineArgument.field(FieldPathSegments(["n"]))) { inner, _ in .call("abs", inner) }
            return PipelineRequest([PipelineStage(.collection, [.value(.reference("/rows"))]), PipelineStage(.where, [deep])])
        }
        func pipelines(_ depth: Int) -> PipelineRequest {
            let source = PipelineStage(.collection, [.value(.reference("/rows"))])
            let deep = (0..<depth).reduce([source]) { inner, _ in
                [source, PipelineStage(.select, [.map([PipelineEntry("x", .call("array", .pipeline(inner)))])])]
            }
            return PipelineRequest(deep)
        }
        try await withEngine { (engine) async throws in
            #expect(await failure(of: nested(100), in: engine) == nil)
            #expect(await failure(of: nested(101), in: engine) == .invalidArgument)
            #expect(await failure(of: pipelines(20), in: engine) == nil)
            #expect(await failure(of: pipelines(21), in: engine) == .invalidArgument)
        }
    }

    @Test func valuesNestSoDeepAndNotDeeper() async throws {
        try await withEngine { (engine) async throws in
            let nested = { (depth: Int) in String(repeating: "array(", count: depth) + "n" + String(repeating: ")", count: depth) }
            #expect(try await failure(of: "collection(/rows).select(\(nested(64)) as x)", in: engine) == nil)
            #expect(try await failure(of: "collection(/rows).select(\(nested(65)) as x)", in: engine) == .invalidArgument)
            // Stage after stage the value gets deeper, and the expressions do not.
            let deeper = String(repeating: ".select(array(x) as x)", count: 70)
            #expect(try await failure(of: "collection(/rows).select(n as x)" + deeper, in: engine) == .invalidArgument)
        }
    }

    // PT-231
    @Test func patternsHaveResultsOrTakeTooLong() async throws {
        try await withEngine { (engine) async throws in
            func found(_ function: String, _ pattern: String) async throws -> FirestoreError.Code? {
                let text = #"string_repeat("a", \#(Self.size))"#
                return try await failure(of: #"collection(/rows).select(\#(function)(\#(text), "\#(pattern)") as x)"#, in: engine)
            }
            let optional = String(repeating: "a?", count: 300) + String(repeating: "a", count: 300)
            for pattern in ["(a{0,30}){0,30}b", "(.*)*b", "((a|b|ab)*c){20}", optional, "(|a)*", "(a*)*$"] {
                #expect(try await found("regex_contains", pattern) == nil, "\(pattern)")
            }
            // Is tried at every position, and fails only at its end.
            let part = String(repeating: "a", count: 9_000)
            #expect(try await found("like", "%\(part)_\(part)b%") == .invalidArgument)
            #expect(try await found("regex_match", "(") == .invalidArgument)
        }
    }

    @Test func functionsOfManyElementsHaveResults() async throws {
        try await withEngine { (engine) async throws in
            let (array, size) = (Self.array, Self.size)
            let results: [(expression: String, expected: String)] = [
                ("array_length(\(array))", "\(size)"), ("array_get(\(array), -2)", #""a""#),
                (#"array_contains(\#(array), "b")"#, "false"), (#"array_index_of(array_reverse(\#(array)), "")"#, "0"),
                ("array_length(array_slice(\(array), 10, 20))", "20"), ("equal(\(array), array_reverse(\(array)))", "false"),
                (#"sum(array_transform(\#(array), "e", char_length($e)))"#, "\(size - 1)"), ("maximum(\(array))", #""a""#),
                (#"char_length(join(\#(array), ";"))"#, "\(2 * size - 2)"),
                (#"array_length(array_filter(\#(array), "e", equal($e, "")))"#, "1"),
            ]
            for (expression, expected) in results { #expect(try await value(of: expression, in: engine) == expected, "\(expression)") }
            let unnested = "collection(/rows).unnest(\(array) as e).aggregate(count() as n, groups: [e]).sort(n)"
            let rows = try await engine.execute(try PipelineText.parse(unnested), context: .embedded).rows
            #expect(rows.compactMap { $0.fields.view[utf8: "n"]?.integer } == [1, Int64(size - 1)])
        }
    }

    // PL-226
    @Test func whatWouldTakeHoursEndsAtItsDeadline() async throws {
        try await withEngine { (engine) async throws in
            let array = Self.array
            let numbers = #"array_transform(\#(array), "e", "i", $i)"#
            for expression in [
                "array_transform($m, \"e\", array_get($m, -1))",
                "array_transform($m, \"e\", array_contains($m, \"b\"))", "array_transform($m, \"e\", cmp($m, array_concat($m, [1])))",
                "array_transform($m, \"e\", string_index_of(join($m, \"\"), \"b\"))",
            ] {
                let text = "collection(/rows).let(\(array) as m, \(numbers) as n).select(\(expression) as x)"
                #expect(try await failure(of: text, in: engine, within: .milliseconds(200)) == .deadlineExceeded, "\(expression)")
            }
            let product = String(repeating: ".unnest($m as e)", count: 4)
            let rows = "collection(/rows).let(\(array) as m)" + product + ".aggregate(count() as n)"
            #expect(try await failure(of: rows, in: engine, within: .milliseconds(200)) == .deadlineExceeded)
        }
    }

    @Test func whatDoesNotFitIntoMemoryFails() async throws {
        try await withEngine { (engine) async throws in
            let array = Self.array
            for stages in [
                "let(\(array) as m).select(array_transform($m, \"e\", $m) as x)", "unnest(\(array) as e, index_field: i).sort(i)",
                "unnest(\(array) as e, index_field: i).distinct(i)",
                "unnest(\(array) as e, index_field: i).aggregate(array_agg(current_document()) as l)",
                "select(string_repeat(s, 1099511627776) as x)", "unnest(\(array) as e).select(string_repeat(s, 1000) as x)",
            ] {
                #expect(try await failure(of: "collection(/rows)." + stages, in: engine) == .resourceExhausted, "\(stages)")
            }
        }
    }

    /// Keys that come in the wrong order cost as little as others.
    @Test func largeMapsAreJoined() async throws {
        try await withEngine { (engine) async throws in
            let count = TestScale.pick(quick: 5_000, full: 50_000)
            func map(_ first: Int) -> PipelineArgument {
                .value(.map(FieldMap((0..<count).map { ("k\(10_000_000 + 2 * $0 + first)", .integer(Int64($0))) })))
            }
            let joined = PipelineArgument.call("map_merge", map(1), map(0), map(1), map(0))
            let pipeline = PipelineRequest([
                PipelineStage(.collection, [.value(.reference("/rows"))]),
                PipelineStage(.select, [.map([PipelineEntry("x", .call("length", joined))])]),
            ])
            let rows = try await engine.execute(pipeline, context: .embedded).rows
            #expect(rows.first?.fields.view[utf8: "x"]?.integer == Int64(2 * count))
        }
    }
}
