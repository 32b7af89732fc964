// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import hearth

struct WhereClauseTests {
    private static let database = DatabaseID(projectID: "p")
    private static let names = NameOperand(scope: .collection(CollectionPath(trusted: "cities")), database: database)

    private static func field(_ path: String..., op: QueryFilter.FieldOperator, _ value: Value) -> QueryFilter {
        .field(FieldPathSegments(path), op, ValueBytes(value))
    }

    static let good: [(text: String, filter: QueryFilter)] = [
        ("population > 1000000", field("population", op: .greaterThan, .integer(1_000_000))),
        ("population>=1.0", field("population", op: .greaterThanOrEqual, .double(1))), ("a < -1", field("a", op: .lessThan, .integer(-1))),
        ("a<=\"x\"", field("a", op: .lessThanOrEqual, .string("x"))), ("state == \"CA\"", field("state", op: .equal, .string("CA"))),
        ("state==null", field("state", op: .equal, .null)), ("a.b != true", field("a", "b", op: .notEqual, .boolean(true))),
        ("`a.b`.`c d` == 1", field("a.b", "c d", op: .equal, .integer(1))), ("`a\\`b` == 1", field("a`b", op: .equal, .integer(1))),
        ("tags array-contains \"x\"", field("tags", op: .arrayContains, .string("x"))),
        ("tags array-contains-any [\"x\", 1]", field("tags", op: .arrayContainsAny, .array([.string("x"), .integer(1)]))),
        ("country in [\"US\"]", field("country", op: .in, .array([.string("US")]))), ("country in[1]", field("country", op: .in, .array([.integer(1)]))),
        ("country not-in [null]", field("country", op: .notIn, .array([.null]))), ("index == 1", field("index", op: .equal, .integer(1))),
        ("when < {\"$timestamp\": \"1970-01-01T00:00:01Z\"}", field("when", op: .lessThan, .timestamp(TimestampValue(seconds: 1, nanoseconds: 0)))),
        ("__name__ == \"SF\"", field("__name__", op: .equal, .reference("projects/p/databases/(default)/documents/cities/SF"))),
        ("__name__ in [\"SF\"]", field("__name__", op: .in, .array([.reference("projects/p/databases/(default)/documents/cities/SF")]))),
        ("a == 1 and b == 2", .and([field("a", op: .equal, .integer(1)), field("b", op: .equal, .integer(2))])),
        (
            "a == 1 or b == 2 and c == 3",
            .or([field("a", op: .equal, .integer(1)), .and([field("b", op: .equal, .integer(2)), field("c", op: .equal, .integer(3))])])
        ),
        (
            "(a == 1 or b == \"or\")and c == 3",
            .and([.or([field("a", op: .equal, .integer(1)), field("b", op: .equal, .string("or"))]), field("c", op: .equal, .integer(3))])
        ),
        ("((a == 1))", field("a", op: .equal, .integer(1))), ("or == 1 or order == 2", .or([field("or", op: .equal, .integer(1)), field("order", op: .equal, .integer(2))])),
    ]

    @Test(arguments: good.indices)
    func `a condition parses to its filter`(index: Int) throws {
        let (text, filter) = Self.good[index]
        #expect(try WhereClause.parse(text, Self.names) == filter, "\(text)")
    }

    static let bad: [(text: String, column: Int, part: String)] = [
        ("", 1, "must begin with a field"), ("> 1", 1, "must begin with a field"), ("a", 2, "a comparison is expected"), ("a = 1", 3, "written =="), ("a == ", 6, "a value is missing"),
        ("a == SF", 6, "double quotes"), ("a == \"SF", 6, "is not typed JSON"), ("a == 1 1", 8, "should end here"), ("a == 1 and", 11, "must begin with a field"),
        ("(a == 1", 8, "a parenthesis"), ("a == 1)", 7, "should end here"), ("a in \"x\"", 9, "takes an array"), ("a not-in 1", 11, "not-in takes an array"),
        ("a-b == 1", 1, "back-ticks"), ("`a == 1", 1, "a back-tick is missing"), ("é == 1", 1, "back-ticks"), ("a..b == 1", 1, "back-ticks"), ("a like 1", 3, "a comparison"),
        (String(repeating: "(", count: 10_000), 21, "too deep"), ("a == 1 && b == 2", 8, "and, or"), ("a ==== 1", 5, "is not typed JSON"),
    ]

    @Test(arguments: bad.indices)
    func `an invalid condition is explained, with the column`(index: Int) {
        let (text, column, part) = Self.bad[index]
        let error = #expect(throws: FirestoreError.self) { try WhereClause.parse(text, Self.names) }
        #expect(error?.message.contains(part) == true, "\(text.prefix(40)): \(error?.message ?? "")")
        #expect(error?.location?.hasSuffix("column \(column)") == true, "\(text.prefix(40)): \(error?.location?.suffix(40) ?? "")")
    }

    @Test func `orders, lists of fields and assignments know back-ticks`() throws {
        #expect(try QueryOptions.order("population:desc") == SortOrder(path: FieldPathSegments("population"), direction: .descending))
        #expect(try QueryOptions.order("`a:b`.c:asc") == SortOrder(path: FieldPathSegments(["a:b", "c"])))
        #expect(try QueryOptions.order("name") == SortOrder(path: FieldPathSegments("name")))
        #expect(throws: FirestoreError.self) { try QueryOptions.order("name:down") }
        #expect(try FieldPathText.list(["a,b.c", "`d,e`"]) == [FieldPathSegments("a"), FieldPathSegments(["b", "c"]), FieldPathSegments("d,e")])
        #expect(throws: FirestoreError.self) { try FieldPathText.list(["a,"]) }
        let (path, value) = try FieldAssignment.parse("`a=b`.c={\"x\": \"=\"}", "--set", in: Self.database)
        #expect(path == FieldPathSegments(["a=b", "c"]))
        #expect(value == ValueBytes(.map(FieldMap([("x", .string("="))]))))
        #expect(throws: FirestoreError.self) { try FieldAssignment.parse("a", "--set", in: Self.database) }
        #expect(throws: FirestoreError.self) { try FieldAssignment.parse("a=b", "--set", in: Self.database) }
    }
}
