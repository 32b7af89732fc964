// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport

/// Makes documents and conditions on their fields, in which all kinds of values meet.
struct RandomConditions {
    private static let values: [Value] = [
        .null, .double(.nan), .boolean(true), .boolean(false), .integer(0), .integer(1), .double(1), .double(-0.0), .double(2.5), .double(.infinity),
        .integer(9_007_199_254_740_993), .double(9_007_199_254_740_992), .string(""), .string("x"), .string("xy"), .bytes([0]), .array([]),
        .array([.integer(1)]), .array([.null, .double(.nan)]), .map(FieldMap()), .map(FieldMap([("k", .integer(1))])), .vector([1]),
        .timestamp(TimestampValue(seconds: 5, nanoseconds: 0)), .geoPoint(GeoPointValue(latitude: 1, longitude: 2)),
        .reference("projects/demo-pipelines/databases/(default)/documents/c/100"),
    ]

    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    mutating func value() -> Value { Self.values[number(Self.values.count)] }

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

    /// Documents of the collection `c`, of which some lack fields.
    mutating func writes(_ count: Int) -> [Write] {
        (0..<count).map { number in
            var fields: [(String, Value)] = []
            for name in ["a", "b"] where self.number(4) > 0 { fields.append((name, value())) }
            switch self.number(3) {
            case 0: fields.append(("m", .map(FieldMap([("k", value())]))))
            case 1: fields.append(("m", value()))
            default: break
            }
            return Write(key: DocumentKey(trusted: "c/\(100 + number)"), operation: .set(FieldBytes(FieldMap(fields))))
        }
    }
}
