// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

struct ImpliedFilterTests {
    private static let database = DatabaseID(projectID: "p")

    private func filter(_ text: String...) throws -> QueryFilter? {
        ImpliedFilter(try text.map { try PipelineText.expression($0) }, in: Self.database).filter
    }

    private static func field(_ path: String, _ op: QueryFilter.FieldOperator, _ value: Value) -> QueryFilter {
        .field(FieldPathSegments(path.split(separator: ".").map(String.init)), op, ValueBytes(value))
    }

    private static let name = "projects/p/databases/(default)/documents/a/b"

    // PL-218, PL-219
    @Test(arguments: [
        ("equal(a.b, 1)", field("a.b", .equal, .integer(1))), ("equal(1, a)", field("a", .equal, .integer(1))),
        ("equal(a, null)", field("a", .equal, .null)), ("equal(a, NaN)", field("a", .equal, .double(.nan))),
        ("less_than(a, 1)", field("a", .lessThan, .integer(1))), ("less_than(1, a)", field("a", .greaterThan, .integer(1))),
        ("greater_than(a, \"x\")", field("a", .greaterThan, .string("x"))), ("greater_than(\"x\", a)", field("a", .lessThan, .string("x"))),
        ("less_than_or_equal(a, 1)", field("a", .lessThanOrEqual, .integer(1))), ("less_than_or_equal(1, a)", field("a", .greaterThanOrEqual, .integer(1))),
        ("greater_than_or_equal(a, 1)", field("a", .greaterThanOrEqual, .integer(1))), ("greater_than_or_equal(1, a)", field("a", .lessThanOrEqual, .integer(1))),
        ("less_than_or_equal(a, null)", field("a", .equal, .null)), ("greater_than_or_equal(null, a)", field("a", .equal, .null)),
        ("equal_any(a, [1, 2])", field("a", .in, .array([.integer(1), .integer(2)]))), ("equal_any(a, array(1, 2))", field("a", .in, .array([.integer(1), .integer(2)]))),
        ("equal_any(a, [1, null, NaN])", .or([field("a", .in, .array([.integer(1)])), field("a", .equal, .null), field("a", .equal, .double(.nan))])),
        ("equal_any(a, [null])", field("a", .equal, .null)), ("array_contains(a, 1)", field("a", .arrayContains, .integer(1))),
        ("equal(__name__, reference(\"\(name)\"))", field("__name__", .equal, .reference(name))), ("equal(__name__, /a/b)", field("__name__", .equal, .reference(name))),
        ("and(equal(a, 1), greater_than(b, 2))", .and([field("a", .equal, .integer(1)), field("b", .greaterThan, .integer(2))])),
        ("or(equal(a, 1), greater_than(b, 2))", .or([field("a", .equal, .integer(1)), field("b", .greaterThan, .integer(2))])),
        ("and(equal(a, 1), starts_with(s, \"x\"))", field("a", .equal, .integer(1))),
        ("or(and(equal(a, 1), is_error(b)), equal(b, 2))", .or([field("a", .equal, .integer(1)), field("b", .equal, .integer(2))])),
        ("and(exists(a), not_equal(a, 1))", .or([field("a", .notEqual, .integer(1)), field("a", .equal, .null)])),
        ("and(not_equal(null, a), exists(a))", field("a", .notEqual, .null)),
        ("and(exists(a), or(not_equal(a, 1), equal(b, 2)))", .or([.or([field("a", .notEqual, .integer(1)), field("a", .equal, .null)]), field("b", .equal, .integer(2))])),
    ] as [(String, QueryFilter)])
    func `comparisons of fields with constants imply filters`(text: String, expected: QueryFilter) throws {
        #expect(try filter(text) == expected)
    }

    @Test(arguments: [
        "a", "true", "$a", "equal(a, b)", "equal(a, $b)", "equal(1, 1)", "equal(to_lower(a), \"x\")", "not_equal(a, 1)", "exists(a)", "not(equal(a, 1))",
        "or(equal(a, 1), exists(b))", "or(exists(a), not_equal(a, 1))", "and(exists(a), not_equal(a.b, 1))", "less_than(a, null)", "greater_than(a, NaN)",
        "less_than_or_equal(a, NaN)", "equal_any(a, [])", "equal_any(a, b)", "equal_any(a, array(1, b))", "array_contains(a, null)", "array_contains([1], a)",
        "equal(__create_time__, timestamp(\"2024-01-01T00:00:00Z\"))", "equal(a, 1, 2)", "equal_any(__name__, [/a/b])", "xor(equal(a, 1), equal(a, 1))",
        "conditional(equal(a, 1), true, false)", "and(or(), starts_with(a, \"x\"))",
    ])
    func `everything else implies nothing`(text: String) throws {
        #expect(try filter(text) == nil)
    }

    @Test func `conditions that follow one another are conditions of one filter`() throws {
        // PT-222
        #expect(try filter("exists(a)", "not_equal(a, true)") == .or([Self.field("a", .notEqual, .boolean(true)), Self.field("a", .equal, .null)]))
        #expect(try filter() == nil)
    }
}
