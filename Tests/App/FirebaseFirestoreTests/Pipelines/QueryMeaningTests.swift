// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import TestSupport
import Testing

/// Queries as pipelines that keep the meaning of their conditions, for typed pipelines.
@Suite(.only(.pipelines)) struct QueryMeaningTests {
    @Test func `null and NaN are operands as in a query`() throws {
        let shop = Scratch.firestore().collection("shop")
        let rows: [(Query, String)] = [
            (shop.whereField("c", isEqualTo: NSNull()), "where(equal(c, null))"),
            (shop.whereField("c", isEqualTo: Double.nan), "where(equal(c, NaN))"),
            (shop.whereField("c", isNotEqualTo: Double.nan), "where(and(exists(c), not_equal(c, null), not_equal(c, NaN)))"),
            (shop.whereField("c", isLessThanOrEqualTo: Double.nan), "where(false)"),
            (shop.whereField("c", in: [NSNull(), 1, Double.nan]), "where(equal_any(c, [1]))"),
            (shop.whereField("c", notIn: [NSNull(), 1]), "where(false)"),
            (shop.whereField("c", notIn: [Double.nan]), "where(and(exists(c), not_equal(c, null), not_equal_any(c, [NaN])))"),
            (shop.whereField("c", arrayContains: NSNull()), "where(false)"),
            (shop.whereField("c", arrayContainsAny: [NSNull()]), "where(false)"),
        ]
        for (query, condition) in rows {
            #expect(try text(query.pipeline).hasPrefix("collection(/shop) \(condition)"), "\(condition)")
        }
        #expect(try text(shop.pipeline) == "collection(/shop)")
    }

    @Test func `the field of an inequality exists, also where another condition holds`() throws {
        let shop = Scratch.firestore().collection("shop")
        let filters: [Filter] = [.whereField("a", isLessThan: 3), .whereField("b", isEqualTo: 1)]
        let sorted = "sort(a ascending, __name__ ascending)"
        let either = try text(shop.whereFilter(.orFilter(filters)).pipeline)
        #expect(either == "collection(/shop) where(and(or(less_than(a, 3), equal(b, 1)), exists(a))) \(sorted)")
        let both = try text(shop.whereFilter(.andFilter(filters)).pipeline)
        #expect(both == "collection(/shop) where(less_than(a, 3)) where(equal(b, 1)) \(sorted)")
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a query and its pipeline find the same documents in the same order`(seed: UInt64) async throws {
        let db = Scratch.firestore()
        let things = db.collection("things")
        var random = RandomQueries(seed: seed)
        let batch = db.batch()
        for number in 0..<50 { batch.setData(random.document(), forDocument: things.document("t\(number)")) }
        try await batch.commit()
        var compared = 0
        for number in 0..<200 {
            let query = random.query(things)
            guard let documents = try? await query.getDocuments().documents else { continue }
            compared += 1
            let rows = try await query.pipeline.execute().results
            #expect(rows.compactMap(\.id) == documents.map(\.documentID), "seed \(seed), query \(number)")
        }
        #expect(compared > 100, "\(compared) compared")
    }
}

private struct RandomQueries {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    mutating func document() -> [String: Any] {
        var fields: [String: Any] = [:]
        for name in ["a", "b"] where below(5) > 0 { fields[name] = below(4) == 0 ? (0..<below(3)).map { _ in value() } : value() }
        return fields
    }

    private mutating func value() -> Any {
        switch below(8) {
        case 0: NSNull()
        case 1: Double.nan
        case 2: ["", "a", "b"][below(3)]
        case 3: Double(below(4)) + 0.5
        default: below(4)
        }
    }

    mutating func query(_ collection: Query) -> Query {
        var query = collection
        for _ in 0..<below(3) { query = query.whereFilter(filter(depth: 1)) }
        var orders = 0
        for field in ["a", "b"] where below(2) == 0 {
            query = query.order(by: field, descending: below(2) == 0)
            orders += 1
        }
        if orders > 0, below(3) == 0 { query = query.start(at: (0..<orders).map { _ in value() }) }
        if orders > 0, below(3) == 0 { query = query.end(before: [value()]) }
        if below(3) == 0 { query = orders > 0 && below(2) == 0 ? query.limit(toLast: 1 + below(9)) : query.limit(to: 1 + below(9)) }
        return query
    }

    private mutating func filter(depth: Int) -> Filter {
        if depth > 0, below(3) == 0 {
            let filters = [filter(depth: depth - 1), filter(depth: depth - 1)]
            return below(2) == 0 ? .orFilter(filters) : .andFilter(filters)
        }
        let field = ["a", "b"][below(2)]
        switch below(10) {
        case 0: return .whereField(field, isEqualTo: value())
        case 1: return .whereField(field, isNotEqualTo: value())
        case 2: return .whereField(field, isLessThan: value())
        case 3: return .whereField(field, isLessThanOrEqualTo: value())
        case 4: return .whereField(field, isGreaterThan: value())
        case 5: return .whereField(field, isGreaterOrEqualTo: value())
        case 6: return .whereField(field, in: [value(), value()])
        case 7: return .whereField(field, notIn: [value(), value()])
        case 8: return .whereField(field, arrayContains: value())
        default: return .whereField(field, arrayContainsAny: [value(), value()])
        }
    }
}
