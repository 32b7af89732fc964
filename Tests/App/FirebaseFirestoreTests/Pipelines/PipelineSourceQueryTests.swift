// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Pipelines made of queries (PT-208, PL-206).
@Suite struct PipelineSourceQueryTests {
    let db = Scratch.firestore()

    private var shop: CollectionReference { db.collection("shop") }

    private func check(_ query: Query, _ stages: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
        let text = try text(db.pipeline().create(from: query))
        #expect(text == stages.joined(separator: " "), sourceLocation: sourceLocation)
    }

    @Test func `a collection and a group are sorted by name`() throws {
        try check(shop, "collection(/shop)", "sort(__name__ ascending)")
        try check(db.collectionGroup("log"), "collection_group(reference(\"\"), \"log\")", "sort(__name__ ascending)")
    }

    @Test func `filters are true for documents with the field, except those that exclude values`() throws {
        try check(
            shop.whereField("c", isGreaterThan: 1), "collection(/shop)", "where(and(exists(c), greater_than(c, 1)))",
            "sort(c ascending, __name__ ascending)")
        try check(
            shop.whereField("c", isNotEqualTo: 3), "collection(/shop)", "where(not_equal(c, 3))", "sort(c ascending, __name__ ascending)")
        try check(
            shop.whereField("c", notIn: [1, 2]), "collection(/shop)", "where(not_equal_any(c, [1, 2]))", "sort(c ascending, __name__ ascending)")
        try check(
            shop.whereField("k", isEqualTo: NSNull()).whereField("l", arrayContains: 1), "collection(/shop)",
            "where(and(exists(k), equal(k, null)))", "where(and(exists(l), array_contains(l, 1)))", "sort(__name__ ascending)")
        try check(
            shop.whereField("k", in: ["a", "b"]).whereField("l", arrayContainsAny: [1]), "collection(/shop)",
            "where(and(exists(k), equal_any(k, [\"a\", \"b\"])))", "where(and(exists(l), array_contains_any(l, [1])))", "sort(__name__ ascending)")
    }

    @Test func `composite filters`() throws {
        let either = Filter.orFilter([
            .whereField("a", isEqualTo: 1), .andFilter([.whereField("b", isLessThanOrEqualTo: 2), .whereField("c", isGreaterOrEqualTo: 3)]),
        ])
        try check(
            shop.whereFilter(either).order(by: "b"), "collection(/shop)",
            "where(or(and(exists(a), equal(a, 1)), and(and(exists(b), less_than_or_equal(b, 2)), and(exists(c), greater_than_or_equal(c, 3)))))",
            "where(exists(b))", "sort(b ascending, c ascending, __name__ ascending)")
    }

    @Test func `orders, limits, and the last documents`() throws {
        try check(shop.order(by: "k"), "collection(/shop)", "where(exists(k))", "sort(k ascending, __name__ ascending)")
        try check(
            shop.order(by: "k", descending: true).order(by: "c").limit(to: 3), "collection(/shop)", "where(and(exists(k), exists(c)))",
            "sort(k descending, c ascending, __name__ ascending)", "limit(3)")
        try check(
            shop.order(by: "k").limit(toLast: 2), "collection(/shop)", "where(exists(k))", "sort(k descending, __name__ descending)", "limit(2)",
            "sort(k ascending, __name__ ascending)")
        #expect(fault(of: db.pipeline().create(from: shop.limit(toLast: 2)))?.domain == FirestoreErrorDomain)
    }

    @Test func `cursors compare all their columns`() throws {
        let sorted = shop.order(by: "k").order(by: "c", descending: true)
        let (exists, sort) = ("where(and(exists(k), exists(c)))", "sort(k ascending, c descending, __name__ descending)")
        try check(
            sorted.start(at: ["tea", 3]), "collection(/shop)", exists,
            "where(or(greater_than(k, \"tea\"), and(equal(k, \"tea\"), less_than_or_equal(c, 3))))", sort)
        try check(
            sorted.start(after: ["tea", 3]), "collection(/shop)", exists,
            "where(or(greater_than(k, \"tea\"), and(equal(k, \"tea\"), less_than(c, 3))))", sort)
        try check(sorted.end(at: ["tea"]), "collection(/shop)", exists, "where(less_than_or_equal(k, \"tea\"))", sort)
        try check(sorted.end(before: ["tea"]), "collection(/shop)", exists, "where(less_than(k, \"tea\"))", sort)
    }

    @Test func `null and NaN are positions of an order`() throws {
        try check(
            shop.order(by: "k").start(at: [NSNull()]), "collection(/shop)", "where(exists(k))",
            "where(greater_than_or_equal(cmp(k, null), 0))", "sort(k ascending, __name__ ascending)")
        try check(
            shop.order(by: "k").end(before: [Double.nan]), "collection(/shop)", "where(exists(k))", "where(less_than(cmp(k, NaN), 0))",
            "sort(k ascending, __name__ ascending)")
    }

    @Test func `stages are added to it`() throws {
        let pipeline = db.pipeline().create(from: shop).aggregate([CountAll().as("n")])
        #expect(try text(pipeline) == "collection(/shop) sort(__name__ ascending) aggregate(count() as n)")
    }
}
