// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Aggregations in the public API (QR-62 … QR-69).
@Suite struct AggregateQueryTests {
    let db = Scratch.firestore()
    var cities: CollectionReference { db.collection("cities") }

    private func fill() async throws {
        let batch = db.batch()
        for (id, population, area) in [("a", 10, 1.5), ("b", 20, 2.5), ("c", 30, 4)] {
            batch.setData(["population": population, "info": ["area": area, "a.b": 1]], forDocument: cities.document(id))
        }
        batch.setData(["name": "nowhere"], forDocument: cities.document("d"))
        try await batch.commit()
    }

    @Test func `count, sum and average of a query`() async throws {
        try await fill()
        let count = try await cities.count.getAggregation(source: .server)
        #expect(count.count == 4)
        #expect(count.get(.count()) as? Int64 == 4)
        let query = cities.whereField("population", isGreaterThan: 10).aggregate([
            .count(), .sum("population"), .average("population"), .sum(FieldPath(["info", "area"])), .average("info.area"),
        ])
        let snapshot = try await query.getAggregation(source: .server)
        #expect(snapshot.query === query && query.query == cities.whereField("population", isGreaterThan: 10))
        #expect(snapshot.count == 2)
        #expect(snapshot.get(.sum("population")) as? Int == 50)
        #expect(snapshot.get(.sum(FieldPath(["population"]))) as? Double == 50)
        #expect(snapshot.get(.average("population")) as? Double == 25)
        #expect(snapshot.get(.sum("info.area")) as? Double == 6.5)
        #expect(snapshot.get(.average(FieldPath(["info", "area"]))) as? NSNumber == 3.25)
        #expect(try await query.getAggregation(source: .server) == snapshot)
    }

    @Test func `the completion form runs on the callback queue`() async throws {
        try await fill()
        let count: Int? = await completion { done in
            cities.limit(to: 3).count.getAggregation(source: .server) { snapshot, _ in done(snapshot?.count.intValue) }
        }
        #expect(count == 3)
        let refused: (any Error)? = await completion { done in
            cities.aggregate([]).getAggregation(source: .server) { _, error in done(error) }
        }
        #expect(isFailure(refused, .invalidArgument, naming: "can not be empty"))  // QR-62
    }

    @Test func `the last of a result can be counted and summed`() async throws {
        try await fill()
        let last = cities.order(by: "population").limit(toLast: 2)
        let snapshot = try await last.aggregate([.sum("population"), .count()]).getAggregation(source: .server)
        #expect(snapshot.get(.sum("population")) as? Int == 50 && snapshot.count == 2)
    }

    @Test func `nothing to add up is 0, its mean is null`() async throws {  // QR-65, QR-66
        let snapshot = try await cities.aggregate([.sum("x"), .average("x")]).getAggregation(source: .server)
        #expect(snapshot.get(.sum("x")) as? Int == 0)
        #expect(snapshot.get(.average("x")) is NSNull)
    }

    @Test func `an aggregate that was not requested is null, a count 0`() async throws {
        let snapshot = try await cities.aggregate([.sum("x")]).getAggregation(source: .server)
        #expect(snapshot.count == 0 && snapshot.get(.sum("y")) is NSNull && snapshot.get(.count()) is NSNull)
    }

    @Test func `names of any shape and repeated fields do not collide`() async throws {  // QR-69
        try await fill()
        let long = FieldPath(["info", String(repeating: "x", count: 1_400)])
        let odd = FieldPath(["info", "a.b"])
        let snapshot = try await cities.aggregate([.sum(odd), .sum(odd), .average(odd), .count()]).getAggregation(source: .server)
        #expect(snapshot.get(.sum(odd)) as? Int == 3 && snapshot.get(.average(odd)) as? Double == 1 && snapshot.count == 3)
        let none = try await cities.aggregate([.sum(long), .sum("aggregation_0"), .sum("field_1")]).getAggregation(source: .server)
        #expect(none.get(.sum(long)) as? Int == 0)
    }

    @Test func `invalid queries fail`() async throws {
        let refused: [(AggregateQuery, String)] = [
            (cities.aggregate([]), "can not be empty"),  // QR-62
            (cities.aggregate([.sum("a..b")]), "dot"),
            (cities.aggregate([.average(FieldPath([]))]), "name"),
            (cities.aggregate([.sum(FieldPath.documentID())]), "cannot be summed"),  // QR-65
            (cities.limit(to: 0).count, "limit"),
            (cities.limit(toLast: 1).count, "order"),
        ]
        for (query, word) in refused {
            #expect(isFailure(await failure { try await query.getAggregation(source: .server) }, .invalidArgument, naming: word))
        }
    }

    @Test(.only(.manyAggregations)) func `more than five aggregations fail`() async throws {
        let query = cities.aggregate([.count(), .sum("a"), .sum("b"), .sum("c"), .sum("d"), .sum("e")])
        #expect(isFailure(await failure { try await query.getAggregation(source: .server) }, .invalidArgument, naming: "at most 5"))  // QR-62
    }

    @Test func `fields and queries are equal when they ask for the same`() {
        #expect(AggregateField.sum("a.b") == AggregateField.sum(FieldPath(["a", "b"])))
        #expect(AggregateField.sum("a") != AggregateField.average("a") && AggregateField.sum("a") != AggregateField.sum("b"))
        #expect(AggregateField.count() == AggregateField.count())
        #expect(AggregateField.count().hash == AggregateField.count().hash)
        #expect(cities.count == cities.aggregate([.count()]))
        #expect(cities.count != cities.limit(to: 1).count)
        #expect(cities.count.hash == cities.count.hash)
        #expect(AggregateSource.server.rawValue == 0)
    }
}
