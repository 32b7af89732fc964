// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreServer

/// OT-56: shapes have no values, and are equal for calls that differ in values only.
struct CallShapeTests {
    private static let secret = "s3cret"

    /// A query whose structure comes from one generator and whose values come from another. Every value and every id is a secret.
    private func query(_ structure: inout SeededGenerator, _ values: inout SeededGenerator) -> StructuredQuery {
        func value() -> ValueBytes {
            let text = Self.secret + String(UInt64.random(in: 0...UInt64.max, using: &values))
            return switch Int.random(in: 0..<3, using: &values) {
            case 0: ValueBytes(.string(text))
            case 1: ValueBytes(.array([.string(text)]))
            default: ValueBytes(.reference("projects/p/databases/d/documents/c/\(text)"))
            }
        }
        func key() -> DocumentKey { DocumentKey(trusted: "users/\(Self.secret)\(UInt32.random(in: 0...UInt32.max, using: &values))") }
        func field() -> FieldPathSegments { FieldPathSegments(["a", "b", "total"][Int.random(in: 0..<3, using: &structure)]) }
        let scope: QueryScope =
            switch Int.random(in: 0..<3, using: &structure) {
            case 0: .collection(CollectionPath(parent: key(), id: "orders"))
            case 1: .collectionGroup(id: "orders", under: Bool.random(using: &structure) ? key() : nil)
            default: .kindless(under: key(), allDescendants: Bool.random(using: &structure))
            }
        func filter(_ depth: Int) -> QueryFilter {
            if depth > 0, Bool.random(using: &structure) {
                let inner = (0..<Int.random(in: 1...3, using: &structure)).map { _ in filter(depth - 1) }
                return Bool.random(using: &structure) ? .and(inner) : .or(inner)
            }
            let operators: [QueryFilter.FieldOperator] = [.equal, .notEqual, .lessThan, .greaterThanOrEqual, .in, .notIn, .arrayContains, .arrayContainsAny]
            return .field(field(), operators[Int.random(in: 0..<operators.count, using: &structure)], value())
        }
        var query = StructuredQuery(scope: scope)
        if Bool.random(using: &structure) { query.filter = filter(2) }
        if Bool.random(using: &structure) { query.orders = [SortOrder(path: field(), direction: .descending)] }
        if Bool.random(using: &structure) { query.start = QueryBound(values: [value()], before: true) }
        if Bool.random(using: &structure) { query.end = QueryBound(values: [value()], before: false) }
        if Bool.random(using: &structure) { query.limit = Int.random(in: 1_000_000...9_000_000, using: &values) }
        if Bool.random(using: &structure) { query.offset = Int.random(in: 1_000_000...9_000_000, using: &values) }
        if Bool.random(using: &structure) {
            query.nearest = VectorSearch(field: field(), vector: [Double.random(in: 4e9...5e9, using: &values)], measure: .cosine, limit: 3)
        }
        return query
    }

    @Test(arguments: 0..<300) func `a query's shape has none of its values, and is that of the query with others`(seed: Int) {
        var (first, second) = (SeededGenerator(seed: UInt64(seed)), SeededGenerator(seed: UInt64(seed)))
        var (values, others) = (SeededGenerator(seed: UInt64(seed) + 1_000), SeededGenerator(seed: UInt64(seed) + 2_000))
        let query = self.query(&first, &values)
        let other = self.query(&second, &others)
        let aggregations = [Aggregation(.count(upTo: nil)), Aggregation(.sum(FieldPathSegments("total")))]
        let pairs: [(CallShape, CallShape)] = [
            (.query(query), .query(other)), (.watch(.query(query)), .watch(.query(other))),
            (.aggregation(aggregations, over: query), .aggregation(aggregations, over: other)),
        ]
        for (shape, like) in pairs {
            #expect(shape == like)
            #expect(!shape.text.contains(Self.secret))
            #expect(shape.text.firstMatch(of: /[0-9]{3}/) == nil, "\(shape.text)")
        }
    }

    @Test func `commits and reads have the kinds of their documents`() {
        let writes: [Write] = [.set("users/s3cret/orders/1"), .set("users/other/orders/2"), .delete("carts/s3cret")]
        #expect(CallShape.commit(writes).text == "delete carts/…, set users/…/orders/…")
        #expect(CallShape.documents([DocumentKey(trusted: "users/s3cret")]).text == "users/…")
        let many = (0..<20).map { Write.set("c\($0)/s3cret") }
        #expect(CallShape.commit(many).text.hasSuffix(" and 15 more"))
    }

    @Test func `a shape reads like a query`() {
        var query = StructuredQuery(scope: .collection(CollectionPath(trusted: "users/ada/orders")))
        query.filter = .and([
            .field(FieldPathSegments("status"), .equal, ValueBytes(.string("open"))),
            .or([.field(FieldPathSegments("total"), .greaterThan, ValueBytes(.integer(5))), .field(FieldPathSegments("gift"), .equal, ValueBytes(.boolean(true)))]),
        ])
        query.orders = [SortOrder(path: FieldPathSegments("total"), direction: .descending)]
        query.limit = 10
        #expect(CallShape.query(query).text == "users/…/orders where status == … and (total > … or gift == …) order by total desc limit …")
    }

    @Test func `a shape is bounded, however long the query`() {
        var query = StructuredQuery(scope: .collection(CollectionPath(parent: nil, id: "c")))
        let filters = (0..<100).map { number in
            QueryFilter.field(FieldPathSegments(String(repeating: "ä", count: 700) + "\(number)"), .equal, ValueBytes(.integer(1)))
        }
        query.filter = .and(filters)
        let shape = CallShape.query(query)
        #expect(shape.text.utf8.count < 2_010 && shape.text.hasPrefix("c where "))
    }
}
