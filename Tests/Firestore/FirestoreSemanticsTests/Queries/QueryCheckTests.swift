// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

@Suite struct QueryCheckTests {
    private static let one = Value.integer(1)

    static func list(_ count: Int) -> Value { .array((0..<count).map { .integer(Int64($0)) }) }

    static func alternatives(_ count: Int, _ field: String = "a") -> QueryFilter {
        .or((0..<count).map { .field(field, .equal, .integer(Int64($0))) })
    }

    /// The query, and a word of the message that identifies the rule; nil when it is fine.
    static let cases: [(String, StructuredQuery, String?)] = [
        ("everything", .c(), nil),
        ("QR-15 empty AND", .c(.and([])), nil),
        ("QR-15 empty OR", .c(.and([.or([])])), "at least one alternative"),
        ("QR-21 no array", .c(.field("a", .in, one)), "must be an array of values"),
        ("QR-21 empty", .c(.field("a", .notIn, .array([]))), "the array of not-in is empty"),
        ("QR-21 30", .c(.field("a", .in, list(30))), nil),
        ("QR-21 31", .c(.field("a", .in, list(31))), "in takes at most 30 values, here are 31"),
        ("QR-21 31 any", .c(.field("a", .arrayContainsAny, list(31))), "array-contains-any takes at most 30"),
        ("QR-21 10", .c(.field("a", .notIn, list(10))), nil),
        ("QR-21 11", .c(.field("a", .notIn, list(11))), "not-in takes at most 10"),
        ("QR-22 30", .c(alternatives(30)), nil),
        ("QR-22 31", .c(alternatives(31)), "at most 30 alternatives"),
        ("QR-22 product 30", .c(.and([alternatives(5), alternatives(6, "b")])), nil),
        ("QR-22 product 36", .c(.and([alternatives(6), alternatives(6, "b")])), "at most 30 alternatives"),
        ("QR-22 in counts", .c(.and([.field("a", .in, list(16)), alternatives(2, "b")])), "at most 30 alternatives"),
        ("QR-22 no overflow", .c(.and((0..<40).map { alternatives(30, "f\($0)") })), "at most"),
        ("QR-23 twice", .c(.and([.field("a", .arrayContains, one), .field("b", .arrayContains, one)])), "once per alternative"),
        ("QR-23 both", .c(.and([.field("a", .arrayContains, one), .field("a", .arrayContainsAny, list(2))])), "once per alternative"),
        ("QR-23 per branch", .c(.or([.field("a", .arrayContains, one), .field("b", .arrayContains, one)])), nil),
        ("QR-23 in a product", .c(.and([.or([.field("a", .arrayContains, one), .field("b", .equal, one)]), .field("c", .arrayContains, one)])), "once per alternative"),
        ("QR-24 two", .c(.and([.field("a", .notEqual, one), .field("a", .notEqual, .null)])), "at most one != or not-in"),
        ("QR-24 one", .c(.or([.field("a", .notEqual, one), .field("b", .equal, one)])), nil),
        ("QR-24 not-in with in", .c(.and([.field("a", .notIn, list(1)), .field("b", .in, list(1))])), "not-in cannot be combined"),
        ("QR-24 not-in with or", .c(.and([.field("a", .notIn, list(1)), alternatives(2)])), "not-in cannot be combined"),
        ("QR-25 ten", .c(.and((0..<10).map { .field("f\($0)", .greaterThan, one) })), nil),
        ("QR-25 eleven", .c(.and((0..<11).map { .field("f\($0)", .greaterThan, one) })), "on at most 10 fields"),
        ("QR-26", .c(.and((0..<101).map { .field("f\($0)", .equal, one) })), "at most 100"),
        ("QR-26 orders alone", .c(orders: (0..<101).map { "f\($0)" }), "at most 100"),
        ("QR-26 after DNF", .c(.and([alternatives(10), alternatives(3, "b")] + (0..<2).map { .field("f\($0)", .equal, one) })), "at most 100"),
        ("QR-20 DNF before membership", .c(.and([alternatives(31), .field("x", .arrayContains, one), .field("y", .arrayContains, one)])), "at most 30 alternatives"),
        ("QR-20 membership before inequalities", .c(.and((0..<11).map { .field("f\($0)", .greaterThan, one) } + [.field("x", .arrayContains, one), .field("y", .arrayContains, one)])), "once per alternative"),
        ("QR-17 no reference", .c(.field("__name__", .equal, .string("1"))), "references to documents only"),
        ("QR-17 a collection", .c(.field("__name__", .equal, reference("c"))), "reference"),
        ("QR-17 elsewhere", .c(.field("__name__", .equal, .reference("projects/other/databases/(default)/documents/c/1"))), "of another database"),
        ("QR-17 array operator", .c(.field("__name__", .arrayContains, reference("c/1"))), "array-contains cannot be used on the document id"),
        ("QR-17 in", .c(.field("__name__", .in, .array([reference("c/1"), reference("d/1")]))), nil),
        ("QR-17 in of text", .c(.field("__name__", .in, .array([reference("c/1"), .string("1")]))), "references to documents only"),
        ("QR-19", .c(.and([.field("__name__", .equal, reference("c/1")), .field("a", .greaterThan, one)])), "equality on the document id cannot be combined"),
        ("QR-19 both unequal", .c(.and([.field("__name__", .greaterThan, reference("c/1")), .field("a", .greaterThan, one)])), nil),
        ("QR-31 twice", .c(orders: ["a", "-a"]), "orders by a twice"),
        ("QR-31 behind the id", .c(orders: ["__name__", "a"]), "after the document id"),
        ("QR-31 implicitly behind the id", .c(.field("a", .greaterThan, one), orders: ["__name__"]), "after the document id"),
        ("QR-32", .c(.field("a", .equal, one), orders: ["a"]), nil),
        ("QR-35 fewer", .c(orders: ["a", "b"], start: QueryBound(one, before: true)), nil),
        ("QR-35 more", .c(orders: ["a"], start: QueryBound(one, one, before: true)), "2 values for 1 orders"),
        ("QR-35 implicit", .c(.field("a", .greaterThan, one), end: QueryBound(one, before: true)), "1 values for 0 orders"),
        ("QR-35 explicit id", .c(orders: ["a", "__name__"], end: QueryBound(one, reference("c/zzz"), before: true)), nil),
        ("QR-37", .c(orders: ["__name__"], end: QueryBound(.string("1"), before: true)), "reference"),
        ("QR-40 zero", .c(limit: 0), nil),
        ("QR-40 negative", .c(limit: -1), "limit of a query must not be negative"),
        ("QR-41 negative", .c(offset: -1), "offset of a query must not be negative"),
        ("VAL-21 in an operand", .c(.field("a", .equal, .timestamp(TimestampValue(seconds: .max, nanoseconds: 0)))), "years"),
        ("bad collection", StructuredQuery(scope: .collection(CollectionPath(trusted: "c/1"))), "odd"),
        ("bad group", StructuredQuery(scope: .collectionGroup(id: "a/b", under: nil)), "slash"),
    ]

    @Test(arguments: cases.indices)
    func `queries are rejected by their rule`(index: Int) throws {
        let (name, query, word) = Self.cases[index]
        do {
            try QueryCheck.check(query, database: database)
            #expect(word == nil, "\(name) was accepted")
        } catch {
            #expect(error.code == .invalidArgument)
            #expect(word.map { error.message.contains($0) } == true, "\(name): \(error)")
        }
    }

    @Test func `a filter nested too deeply is rejected`() {
        var filter = QueryFilter.field("a", .equal, Self.one)
        for _ in 0..<500 { filter = .and([filter]) }
        expect(.invalidArgument) { () throws(FirestoreError) in try QueryCheck.check(.c(filter)) }
    }
}
