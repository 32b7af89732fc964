// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

@Suite struct QueryPlannerTests {
    static let name = "__name__"

    static let plans: [(StructuredQuery, String)] = [
        (.c(), "scan, filter, in this order"),
        (.c(limit: 0), "nothing, filter, sort by __name__"),
        (.c(orders: ["-__name__"], offset: 2, limit: 3), "scan backwards, filter, stop after 5, skip 2"),
        (.c(orders: ["-a"]), "scan, filter, sort by a descending, __name__ descending"),
        (.c(orders: ["a"], offset: 2, limit: 3), "scan, filter, keep the first 5 by a, __name__, skip 2"),
        (.c(orders: ["a"], offset: 2, limit: .max), "scan, filter, sort by a, __name__, skip 2"),
        (.c(.field(name, .equal, reference("c/1"))), "look up 1 key, filter, sort by __name__"),
        (.c(.field(name, .in, .array([reference("c/2"), reference("c/1"), reference("c/2"), reference("d/1")]))), "look up 2 keys, filter, sort by __name__"),
        (.c(.and([.field(name, .in, .array([reference("c/2"), reference("c/1")])), .field(name, .equal, reference("c/3"))])), "look up 0 keys, filter, sort by __name__"),
        (.c(.and([.field(name, .greaterThan, reference("c/a")), .field(name, .greaterThanOrEqual, reference("c/b")), .field(name, .lessThan, reference("c/x"))])), "scan from c/b before c/x, filter, in this order"),
        (.c(.field(name, .greaterThan, reference("b/z"))), "scan, filter, in this order"),
        (.c(.field(name, .greaterThan, reference("d/z"))), "nothing, filter, sort by __name__"),
        (.c(.field(name, .greaterThanOrEqual, reference("c/a/x/y"))), "scan after c/a, filter, in this order"),
        (.c(.field(name, .lessThan, reference("c/a/x/y"))), "scan up to c/a, filter, in this order"),
        (.c(.or([.field(name, .greaterThan, reference("c/a")), .field("a", .equal, .null)])), "scan, filter, in this order"),
        (.c(orders: [name], start: QueryBound(reference("c/a"), before: false), end: QueryBound(reference("c/x"), before: false), limit: 9), "scan after c/a up to c/x, filter, stop after 9"),
        (.c(orders: ["-" + name], start: QueryBound(reference("c/x"), before: true), end: QueryBound(reference("c/a"), before: true)), "scan backwards after c/a up to c/x, filter, in this order"),
        (.c(.field(name, .greaterThan, reference("c/a")), orders: ["a"], limit: 1), "scan after c/a, filter, keep the first 1 by a, __name__"),
    ]

    @Test(arguments: plans.indices)
    func `plans describe their steps`(index: Int) {
        let (query, expected) = Self.plans[index]
        #expect(QueryPlanner.plan(query, database: database).description == expected)
    }

    let thousand = ArrayDocumentSource(
        (0..<1_000).map { document("c/\(1_000 + $0)", ("n", .integer(Int64(($0 * 7_919) % 1_000)))) })

    @Test func `a page by document id reads no further than its end`() throws {
        let reads = thousand.reads.scanned
        let page = try QueryExecutor.run(
            .c(orders: ["__name__"], start: QueryBound(reference("c/1500"), before: false), offset: 1, limit: 3),
            over: thousand, database: database)
        #expect(page.map(\.key.id) == ["1502", "1503", "1504"])
        #expect(thousand.reads.scanned - reads == 4)
    }

    @Test func `a look-up by document id scans nothing`() throws {
        let source = ArrayDocumentSource([document("c/1", ("a", .integer(1))), document("c/2")])
        let query = StructuredQuery.c(.field("__name__", .in, .array([reference("c/2"), reference("c/1"), reference("c/9")])))
        #expect(try QueryExecutor.run(query, over: source, database: database).map(\.key.id) == ["1", "2"])
        #expect(source.reads.scanned == 0 && source.reads.looked == 3)
    }

    @Test func `the first of many by a field are the first of the whole order`() throws {
        for (order, expected) in [("n", [0, 1, 2]), ("-n", [999, 998, 997])] {
            let top = try QueryExecutor.run(.c(orders: [order], limit: 3), over: thousand, database: database)
            let values = try top.map { document -> Int in
                guard case .integer(let number)? = try document.fields.map["n"] else { return -1 }
                return Int(number)
            }
            #expect(values == expected)
        }
    }
}
