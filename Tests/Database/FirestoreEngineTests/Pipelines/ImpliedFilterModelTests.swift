// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreEngine
import FirestoreSemantics
import TestSupport
import Testing

/// Every row of a pipeline matches the classic filter that its conditions imply, whatever the values are (PL-218, PL-219).
@Suite struct ImpliedFilterModelTests {
    private static let database = DatabaseID(projectID: "demo-pipelines")
    private static let values: [Value] = [
        .null, .double(.nan), .boolean(true), .boolean(false), .integer(0), .integer(1), .double(1), .double(-0.0), .double(2.5), .double(.infinity),
        .integer(9_007_199_254_740_993), .double(9_007_199_254_740_992), .string(""), .string("x"), .string("xy"), .bytes([0]), .array([]),
        .array([.integer(1)]), .array([.null, .double(.nan)]), .map(FieldMap()), .map(FieldMap([("k", .integer(1))])), .vector([1]),
        .timestamp(TimestampValue(seconds: 5, nanoseconds: 0)), .geoPoint(GeoPointValue(latitude: 1, longitude: 2)),
        .reference("projects/demo-pipelines/databases/(default)/documents/c/100"),
    ]

    private struct Conditions {
        var random: SeededGenerator

        mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

        mutating func value() -> Value { ImpliedFilterModelTests.values[number(ImpliedFilterModelTests.values.count)] }

        mutating func field() -> PipelineArgument {
            let paths = [["a"], ["b"], ["m", "k"], ["m"]]
            return .field(FieldPathSegments(paths[number(paths.count)]))
        }

        mutating func list() -> PipelineArgument {
            let elements = (0...number(3)).map { _ in value() }
            return number(2) == 0 ? .value(.array(elements)) : .function(PipelineFunction("array", elements.map { .value($0) }))
        }

        mutating func condition(_ depth: Int) -> PipelineArgument {
            let orders = ["equal", "not_equal", "less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal"]
            switch number(depth == 0 ? 7 : 11) {
            case 0...2: return .call(orders[number(orders.count)], field(), .value(value()))
            case 3: return .call(orders[number(orders.count)], .value(value()), field())
            case 4: return .call("equal_any", field(), list())
            case 5: return .call("exists", field())
            case 6: return .call("array_contains", field(), .value(value()))
            case 7, 8: return .call("and", condition(depth - 1), condition(depth - 1))
            case 9: return .call("or", condition(depth - 1), condition(depth - 1))
            default: return .call("not", condition(depth - 1))
            }
        }
    }

    @Test func theFilterHoldsForEveryRow() async throws {
        let engine = try Engine.open(EngineConfiguration(location: try EngineStores.place(), databaseID: Self.database))
        var conditions = Conditions(random: SeededGenerator(seed: 28))
        var writes: [Write] = []
        for number in 0..<150 {
            var fields: [(String, Value)] = []
            for name in ["a", "b"] where conditions.number(4) > 0 { fields.append((name, conditions.value())) }
            switch conditions.number(3) {
            case 0: fields.append(("m", .map(FieldMap([("k", conditions.value())]))))
            case 1: fields.append(("m", conditions.value()))
            default: break
            }
            writes.append(Write(key: DocumentKey(trusted: "c/\(100 + number)"), operation: .set(FieldBytes(FieldMap(fields)))))
        }
        _ = try await engine.commit(writes, context: .embedded)
        var (filters, rows) = (0, 0)
        for _ in 0..<TestScale.pick(quick: 400, full: 10_000) {
            let condition = conditions.condition(3)
            guard let filter = ImpliedFilter([condition], in: Self.database).filter else { continue }
            filters += 1
            let pipeline = PipelineRequest([PipelineStage(.collection, [.value(.reference("/c"))]), PipelineStage(.where, [condition])])
            let matcher = QueryMatcher(
                StructuredQuery(scope: .collection(CollectionPath(trusted: "c")), filter: filter), database: Self.database)
            for row in try await engine.execute(pipeline, context: .embedded).rows {
                rows += 1
                let id = try #require(row.name?.split(separator: "/").last)
                let document = Document(key: DocumentKey(trusted: "c/\(id)"), createTime: .none, updateTime: .none, fields: row.fields)
                let shown = PipelineText.print(.value(.map(try row.fields.map)))
                #expect(matcher.matches(document), "\(PipelineText.print(condition)) implies \(filter), which \(shown) does not match")
            }
        }
        // Enough of each, or nothing is shown.
        #expect(filters > 100 && rows > 1_000, "\(filters) filters, \(rows) rows")
        await engine.shutdown()
    }
}
