// SPDX-License-Identifier: Apache-2.0
#if DEBUG
    import FirestoreCore
    import FirestoreSemantics
    import TestSupport
    import Testing

    @testable import FirestorePipelines

    /// Work of pipelines that grows as what is sent does, and no faster.
    @Suite struct FunctionWorkTests {
        private static let database = DatabaseID(projectID: "p")

        private static func array(_ count: Int) -> Value { .array((0..<count).map { $0 % 2 == 0 ? .integer(Int64($0)) : .string("e\($0)") }) }

        private static func map(_ count: Int) -> Value { .map(FieldMap((0..<count).map { ("k\($0)", .integer(Int64($0))) })) }

        private func run(_ stages: [PipelineStage]) throws {
            let checked = try PipelineCheck.check(PipelineRequest(stages), database: Self.database)
            let execution = Execution(
                database: Self.database, time: TimestampValue(seconds: 1, nanoseconds: 0), budget: PipelineBudget(), source: nil,
                slots: checked.slots)
            try PipelineRun.run(checked, below: nil, execution) { _ in .next }
        }

        /// The arguments are fields of a row, so that they are not folded.
        @Test(arguments: [
            "array_contains_all(a, a)", "array_contains_any(a, b)", "array_concat(a, a)", "array_reverse(a)", "array_contains(a, 0.5)",
            "array_index_of_all(a, 1)", "map_merge(m, m)", "map_keys(m)", "map_entries(m)", "equal_any(n, a)", "equal(a, a)",
        ])
        func `a function of long arrays and maps`(text: String) throws {
            let parsed = try PipelineText.parse("literals({a: 1}).select(\(text) as f)")
            try expectLinear(text, at: 500, { count -> [PipelineStage] in
                let other = Value.array((0..<count).map { .string("o\($0)") })
                let row = Value.map(FieldMap([("a", Self.array(count)), ("b", other), ("m", Self.map(count)), ("n", .double(0.5))]))
                return [PipelineStage(.literals, [.value(row)]), parsed.stages[1]]
            }) { try run($0) }
        }

        @Test(arguments: [PipelineStageKind.addFields, .select, .removeFields, .distinct])
        func `a stage with many fields`(kind: PipelineStageKind) throws {
            try expectLinear(kind.rawValue, at: 250, { count -> [PipelineStage] in
                let names = (0..<count).map { "f\($0)" }
                let arguments: [PipelineArgument] =
                    kind == .removeFields
                    ? names.map { .field(FieldPathSegments($0)) } : [try .entries(names.map { ($0, .field(FieldPathSegments("a"))) })]
                return [PipelineStage(.literals, [.value(.map(FieldMap([("a", .integer(1))])))]), PipelineStage(kind, arguments)]
            }) { try run($0) }
        }

        @Test func `fields in one map`() throws {
            try expectLinear("add_fields in a map", at: 250, { count -> [PipelineStage] in
                let entries = (0..<count).map { ("m.f\($0)", PipelineArgument.value(.integer(1))) }
                return [PipelineStage(.literals, [.value(.map(FieldMap([("a", .integer(1))])))]), PipelineStage(.addFields, [try .entries(entries)])]
            }) { try run($0) }
        }

        @Test func `groups of many rows`() throws {
            try expectLinear("distinct", at: 500, { count -> [PipelineStage] in
                let rows = (0..<count).map { PipelineArgument.value(.map(FieldMap([("a", .integer(Int64($0)))]))) }
                return [PipelineStage(.literals, rows), PipelineStage(.distinct, [try .entries([("a", .field(FieldPathSegments("a")))])])]
            }) { try run($0) }
        }

        @Test func `arrays contain what they contain, however long the other one is`() throws {
            let numbers = (0..<20).map { Value.integer(Int64($0)) }
            let same: [Value] = (0..<20).map { .double(Double($0)) }
            func isTrue(_ name: String, _ array: [Value], _ wanted: [Value]) throws -> Bool {
                let execution = Execution(
                    database: Self.database, time: TimestampValue(seconds: 1, nanoseconds: 0), budget: PipelineBudget(), source: nil, slots: 0)
                let stages = [
                    PipelineStage(.literals, [.value(.map(FieldMap([("a", .array(array)), ("w", .array(wanted))])))]),
                    PipelineStage(.where, [.call(name, .field(FieldPathSegments("a")), .field(FieldPathSegments("w")))]),
                ]
                let checked = try PipelineCheck.check(PipelineRequest(stages), database: Self.database)
                var count = 0
                try PipelineRun.run(checked, below: nil, execution) { _ in
                    count += 1
                    return .next
                }
                return count == 1
            }
            #expect(try isTrue("array_contains_all", numbers + [.double(.nan), .null], same + [.double(.nan), .null]))
            #expect(try !isTrue("array_contains_all", numbers, same + [.null]))
            #expect(try isTrue("array_contains_any", numbers, (0..<20).map { .string("s\($0)") } + [.double(7)]))
            #expect(try !isTrue("array_contains_any", numbers, (0..<20).map { .string("s\($0)") }))
            #expect(try isTrue("array_contains_all", numbers, []))
            #expect(try !isTrue("array_contains_any", numbers, []))
        }
    }
#endif
