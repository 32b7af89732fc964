// SPDX-License-Identifier: Apache-2.0
@testable import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// `QueryPredicate` and `filter(using:)`.
@Suite struct QueryPredicateTests {
    let db = Scratch.firestore()

    /// Each predicate in its three spellings, and the query it means.
    static var rows: [(name: String, spellings: [QueryPredicate], meaning: (Query) -> Query)] {
        [
            ("equal", [.isEqualTo("a", 1), .whereField("a", isEqualTo: 1), .where("a", isEqualTo: 1)], { $0.whereField("a", isEqualTo: 1) }),
            ("in", [.isIn("a", [1, 2]), .whereField("a", isIn: [1, 2]), .where("a", isIn: [1, 2])], { $0.whereField("a", in: [1, 2]) }),
            ("not in", [.isNotIn("a", [1]), .whereField("a", isNotIn: [1]), .where("a", isNotIn: [1])], { $0.whereField("a", notIn: [1]) }),
            ("array contains", [.arrayContains("a", 1), .whereField("a", arrayContains: 1), .where(field: "a", arrayContains: 1)], { $0.whereField("a", arrayContains: 1) }),
            ("array contains any", [.arrayContainsAny("a", [1]), .whereField("a", arrayContainsAny: [1]), .where("a", arrayContainsAny: [1])], { $0.whereField("a", arrayContainsAny: [1]) }),
            ("less", [.isLessThan("a", 1), .whereField("a", isLessThan: 1), .where("a", isLessThan: 1)], { $0.whereField("a", isLessThan: 1) }),
            ("greater", [.isGreaterThan("a", 1), .whereField("a", isGreaterThan: 1), .where("a", isGreaterThan: 1)], { $0.whereField("a", isGreaterThan: 1) }),
            ("at most", [.isLessThanOrEqualTo("a", 1), .whereField("a", isLessThanOrEqualTo: 1), .where("a", isLessThanOrEqualTo: 1)], { $0.whereField("a", isLessThanOrEqualTo: 1) }),
            ("at least", [.isGreaterThanOrEqualTo("a", 1), .whereField("a", isGreaterThanOrEqualTo: 1), .where("a", isGreaterThanOrEqualTo: 1)], { $0.whereField("a", isGreaterThanOrEqualTo: 1) }),
            ("ascending", [.orderBy("a", false), .order(by: "a"), .order(by: "a", descending: false)], { $0.order(by: "a") }),
            ("descending", [.orderBy("a", true), .order(by: "a", descending: true)], { $0.order(by: "a", descending: true) }),
            ("first", [.limitTo(2), .limit(to: 2)], { $0.limit(to: 2) }),
            ("last", [.limitToLast(2), .limit(toLast: 2)], { $0.limit(toLast: 2) }),
        ]
    }

    @Test(arguments: rows.indices)
    func `a predicate means the query method of its name`(row: Int) {
        let (name, spellings, meaning) = Self.rows[row]
        let cities: Query = db.collection("cities")
        for predicate in spellings { #expect(cities.adding(predicate) == meaning(cities), "\(name)") }
    }

    @Test func `a predicate of Foundation makes a query that fails`() async {
        let query = db.collection("cities").filter(using: NSPredicate { _, _ in true })
        #expect(isFailure(await failure { try await query.getDocuments() }, .invalidArgument, naming: "filter(using:)"))
    }
}
