// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

@Suite struct QueryMatcherTests {
    static func matches(_ query: StructuredQuery, _ document: Document) -> Bool {
        QueryMatcher(query, database: database).matches(document)
    }

    struct Case {
        let rule: String
        let op: QueryFilter.FieldOperator
        let operand: Value
        let hits: [Value]
        let misses: [Value]

        init(_ rule: String, _ op: QueryFilter.FieldOperator, _ operand: Value, _ hits: [Value], not misses: [Value]) {
            (self.rule, self.op, self.operand, self.hits, self.misses) = (rule, op, operand, hits, misses)
        }
    }

    private static let one = Value.integer(1)
    private static let nan = Value.double(.nan)

    private static func time(_ seconds: Int64) -> Value { .timestamp(TimestampValue(seconds: seconds, nanoseconds: 0)) }

    static let cases: [Case] = [
        Case("VAL-17", .equal, one, [one, .double(1)], not: [.integer(2), .string("1"), .null, .array([one])]),
        Case("VAL-6", .equal, .double(-0.0), [.integer(0), .double(0)], not: [.double(.leastNonzeroMagnitude)]),
        Case("VAL-8", .equal, .string("\u{e9}"), [.string("\u{e9}")], not: [.string("e\u{301}")]),
        Case("VAL-17 deep", .equal, map(("a", .array([one]))), [map(("a", .array([.double(1)])))], not: [map(("a", .array([one])), ("b", .null))]),
        Case("QR-6", .lessThan, .integer(5), [.integer(4), .double(-.infinity)], not: [nan, .integer(5), .null, .boolean(false), .string("")]),
        Case("QR-6", .lessThanOrEqual, .integer(5), [.double(5), .integer(4)], not: [.double(5.5)]),
        Case("QR-6", .greaterThan, .string("b"), [.string("ba"), .string("c")], not: [.string("b"), .string("a"), .bytes([255]), .integer(9)]),
        Case("QR-6", .greaterThanOrEqual, .boolean(false), [.boolean(false), .boolean(true)], not: [one, .null]),
        Case("VAL-2", .greaterThan, .vector([1]), [.vector([2]), .vector([0, 0])], not: [map(("z", one)), .array([one, one])]),
        Case("VAL-2", .greaterThan, map(), [map(("a", .null))], not: [.vector([1]), map()]),
        // A pending timestamp is later than every real one, and equal to none.
        Case("SY-38", .greaterThan, time(9), [pendingTimestamp(1), time(10)], not: [time(9), .string(""), map()]),
        Case("SY-38", .lessThan, time(9), [time(8)], not: [pendingTimestamp(1), pendingTimestamp(9)]),
        Case("SY-38", .equal, time(1), [time(1)], not: [pendingTimestamp(1)]),
        Case("SY-38", .notEqual, time(1), [pendingTimestamp(1)], not: [time(1)]),
        Case("SY-38", .in, .array([time(1), map()]), [map()], not: [pendingTimestamp(1)]),
        Case("SY-38", .greaterThan, map(), [map(("a", .null))], not: [pendingTimestamp(1)]),
        Case("SY-38", .arrayContains, time(1), [.array([time(1)])], not: [pendingTimestamp(1, previous: .array([time(1)]))]),
        Case("QR-14", .lessThan, .array([one, one]), [.array([]), .array([one])], not: [.array([.integer(2)]), one]),
        Case("VAL-5", .greaterThan, .double(9_007_199_254_740_992), [.integer(9_007_199_254_740_993)], not: [.integer(9_007_199_254_740_992)]),
        Case("QR-12", .lessThan, nan, [], not: [nan, .double(-.infinity), one]),
        Case("QR-12", .greaterThanOrEqual, nan, [], not: [nan, one, .null]),
        Case("QR-13", .greaterThanOrEqual, .null, [], not: [.null, .boolean(false), one]),
        Case("QR-13", .lessThan, .null, [], not: [.null, one]),
        Case("QR-11 IS_NULL", .equal, .null, [.null], not: [.boolean(false), nan]),
        Case("QR-11 IS_NAN", .equal, nan, [nan], not: [.null, one]),
        Case("QR-7", .notEqual, .integer(5), [.integer(4), .string("5"), nan], not: [.integer(5), .double(5), .null]),
        Case("QR-7 IS_NOT_NULL", .notEqual, .null, [one, nan, .array([])], not: [.null]),
        Case("QR-7 IS_NOT_NAN", .notEqual, nan, [one, .string("")], not: [nan, .null]),
        Case("QR-8", .notIn, .array([one, .string("a")]), [.integer(2), .string("b"), nan], not: [.double(1), .string("a"), .null]),
        Case("QR-8 null", .notIn, .array([one, .null]), [], not: [.integer(2), one, .null]),
        Case("QR-8 NaN", .notIn, .array([nan]), [one], not: [nan, .null]),
        Case("QR-9", .in, .array([one, .string("a"), .array([one])]), [.double(1), .string("a"), .array([.double(1)])], not: [.integer(2), .array([])]),
        Case("QR-10", .in, .array([.null, nan, one]), [one], not: [.null, nan]),
        Case("QR-9", .arrayContains, one, [.array([.string("x"), .double(1)])], not: [.array([]), one, .array([.integer(2)])]),
        Case("QR-10", .arrayContains, .null, [], not: [.array([.null]), .null]),
        Case("QR-10", .arrayContains, nan, [], not: [.array([nan])]),
        Case("QR-9", .arrayContainsAny, .array([one, .string("a")]), [.array([.string("a")]), .array([.double(1), .null])], not: [.array([.integer(2)]), .string("a")]),
        Case("QR-10", .arrayContainsAny, .array([nan, .null]), [], not: [.array([nan, .null])]),
    ]

    @Test(arguments: cases.indices)
    func `operators match by bracket and order`(index: Int) {
        let test = Self.cases[index]
        let query = StructuredQuery.c(.field("f.g", test.op, test.operand))
        for (values, expected) in [(test.hits, true), (test.misses, false)] {
            for value in values {
                let document = document("c/1", ("f", map(("g", value))))
                #expect(Self.matches(query, document) == expected, "\(test.rule): \(value) \(test.op) \(test.operand)")
            }
        }
        // QR-5: a missing field satisfies nothing.
        for fields in [("z", Value.null), ("f", .null), ("f", map())] {
            #expect(!Self.matches(query, document("c/1", fields)))
        }
    }

    @Test func `AND wants all, OR wants one, an empty AND wants nothing`() {  // QR-15
        let isOne = QueryFilter.field("a", .equal, Self.one)
        let isTwo = QueryFilter.field("b", .equal, .integer(2))
        let both = document("c/1", ("a", Self.one), ("b", .integer(2)))
        let first = document("c/1", ("a", Self.one))
        #expect(Self.matches(.c(.and([isOne, isTwo])), both) && !Self.matches(.c(.and([isOne, isTwo])), first))
        #expect(Self.matches(.c(.or([isTwo, isOne])), first) && !Self.matches(.c(.or([isTwo])), first))
        #expect(Self.matches(.c(.and([])), first))
    }

    @Test func `documents without an ordered field are left out, of every branch`() {  // QR-30
        let query = StructuredQuery.c(.or([.field("a", .greaterThan, Self.one), .field("b", .equal, .integer(2))]))
        #expect(!Self.matches(query, document("c/1", ("b", .integer(2)))))
        #expect(Self.matches(query, document("c/1", ("a", .null), ("b", .integer(2)))))
        #expect(!Self.matches(.c(orders: ["a"]), document("c/1", ("b", Self.one))))
        #expect(Self.matches(.c(orders: ["a"]), document("c/1", ("a", .null))))
    }

    @Test func `the scope is the collection itself, or a group below a document`() {  // QR-2
        let inC = StructuredQuery.c()
        #expect(Self.matches(inC, document("c/1")))
        for other in ["d/1", "c/1/c/1", "cc/1", "x/1/c/1"] { #expect(!Self.matches(inC, document(other))) }
        let group = StructuredQuery(scope: .collectionGroup(id: "c", under: nil))
        for member in ["c/1", "c/1/c/1", "x/1/y/2/c/3"] { #expect(Self.matches(group, document(member))) }
        for other in ["cc/1", "c/1/d/1", "dc/1"] { #expect(!Self.matches(group, document(other))) }
        let below = StructuredQuery(scope: .collectionGroup(id: "c", under: DocumentKey(trusted: "x/1")))
        for member in ["x/1/c/1", "x/1/y/2/c/3"] { #expect(Self.matches(below, document(member))) }
        for other in ["c/1", "x/11/c/1", "x/2/c/1"] { #expect(!Self.matches(below, document(other))) }
    }

    @Test func `the document id compares by segments, numeric ids first`() {  // QR-17, VAL-14
        func ids(_ op: QueryFilter.FieldOperator, _ operand: Value) -> [String] {
            ["__id2__", "__id10__", "2", "a", "b"].filter {
                Self.matches(.c(.field("__name__", op, operand)), document("c/" + $0))
            }
        }
        #expect(ids(.lessThan, reference("c/a")) == ["__id2__", "__id10__", "2"])
        #expect(ids(.greaterThanOrEqual, reference("c/__id10__")) == ["__id10__", "2", "a", "b"])
        #expect(ids(.equal, reference("c/a")) == ["a"])
        #expect(ids(.notEqual, reference("c/a")) == ["__id2__", "__id10__", "2", "b"])
        #expect(ids(.in, .array([reference("c/b"), reference("d/a")])) == ["b"])
        #expect(ids(.notIn, .array([reference("c/b"), reference("d/a")])) == ["__id2__", "__id10__", "2", "a"])
        // Any document may be named: beside the collection, above or below it.
        #expect(ids(.greaterThan, reference("b/z")).count == 5)
        #expect(ids(.greaterThan, reference("c/a/x/y")) == ["b"])
        #expect(ids(.lessThan, reference("c/a/x/y")) == ["__id2__", "__id10__", "2", "a"])
    }

    @Test func `cursors use the whole order across types and directions`() {  // QR-34, QR-36
        let rungs = [Value.null, .integer(1), .integer(2), .string("a")].enumerated().map { index, value in
            document("c/\(index)", ("f", value))
        }
        func hits(_ order: String, start: QueryBound? = nil, end: QueryBound? = nil) -> [String] {
            rungs.filter { Self.matches(.c(orders: [order], start: start, end: end), $0) }.map(\.key.id)
        }
        #expect(hits("f", start: QueryBound(.integer(2), before: true)) == ["2", "3"])
        #expect(hits("f", start: QueryBound(.integer(2), before: false)) == ["3"])
        #expect(hits("f", end: QueryBound(.double(2), before: true)) == ["0", "1"])
        #expect(hits("f", end: QueryBound(.double(2), before: false)) == ["0", "1", "2"])
        #expect(hits("-f", start: QueryBound(.integer(2), before: true)) == ["0", "1", "2"])
        #expect(hits("-f", end: QueryBound(.integer(2), before: true)) == ["3"])
        // QR-39
        #expect(hits("f", start: QueryBound(.integer(2), before: false), end: QueryBound(.integer(1), before: false)).isEmpty)
        // QR-35: a prefix of the orders is enough.
        let two = StructuredQuery.c(orders: ["f", "g"], start: QueryBound(.integer(1), before: false))
        #expect(!Self.matches(two, document("c/1", ("f", .integer(1)), ("g", .string("z")))))
        #expect(Self.matches(two, document("c/1", ("f", .double(1.5)), ("g", .null))))
    }
}
