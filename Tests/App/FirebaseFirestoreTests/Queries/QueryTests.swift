// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Every operator in both spellings, orders, limits, cursors.
@Suite struct QueryTests {
    let db = Scratch.firestore()
    var cities: CollectionReference { db.collection("cities") }

    private func fill() async throws {
        let batch = db.batch()
        for (id, population, state, tags) in [
            ("a", 10, "CA", ["sea", "fog"]), ("b", 20, "CA", ["sun"]), ("c", 30, "NY", ["sea"]), ("d", 40, "WA", []),
        ] {
            batch.setData(
                ["population": population, "state": state, "tags": tags, "info": ["rank": population / 10]],
                forDocument: cities.document(id))
        }
        batch.setData(["state": "TX"], forDocument: cities.document("e"))
        try await batch.commit()
    }

    private func ids(_ query: Query) async throws -> String {
        try await query.getDocuments().documents.map(\.documentID).joined()
    }

    @Test func `every operator finds its documents, by name and by path`() async throws {
        try await fill()
        let rank = FieldPath(["info", "rank"])
        let tags = FieldPath(["tags"])
        let expectations: [(Query, String)] = [
            (cities.whereField("population", isEqualTo: 20), "b"),
            (cities.whereField(rank, isEqualTo: 2), "b"),
            (cities.whereField("population", isNotEqualTo: 20), "acd"),
            (cities.whereField(rank, isNotEqualTo: 2), "acd"),
            (cities.whereField("info.rank", isLessThan: 2), "a"),
            (cities.whereField(rank, isLessThan: 2), "a"),
            (cities.whereField("population", isLessThanOrEqualTo: 20), "ab"),
            (cities.whereField(rank, isLessThanOrEqualTo: 2), "ab"),
            (cities.whereField("population", isGreaterThan: 20), "cd"),
            (cities.whereField(rank, isGreaterThan: 2), "cd"),
            (cities.whereField("population", isGreaterThanOrEqualTo: 20), "bcd"),
            (cities.whereField(rank, isGreaterThanOrEqualTo: 2), "bcd"),
            (cities.whereField("tags", arrayContains: "sea"), "ac"),
            (cities.whereField(tags, arrayContains: "sea"), "ac"),
            (cities.whereField("tags", arrayContainsAny: ["fog", "sun"]), "ab"),
            (cities.whereField(tags, arrayContainsAny: ["fog", "sun"]), "ab"),
            (cities.whereField("state", in: ["NY", "WA"]), "cd"),
            (cities.whereField(FieldPath(["state"]), in: ["NY", "WA"]), "cd"),
            (cities.whereField("state", notIn: ["NY", "WA"]), "abe"),
            (cities.whereField(FieldPath(["state"]), notIn: ["NY", "WA"]), "abe"),
            (cities.whereField("tags", in: [["sun"], ["sea"]]), "bc"),
            (cities.whereField("state", isEqualTo: "CA").whereField("population", isGreaterThan: 10), "b"),
            (cities.whereField(FieldPath.documentID(), isEqualTo: "c"), "c"),
            (cities.whereField(FieldPath.documentID(), in: ["c", cities.document("a")]), "ac"),
            (cities.whereField(FieldPath.documentID(), isGreaterThan: "c"), "de"),
        ]
        for (query, expected) in expectations { #expect(try await ids(query) == expected, "\(query)") }
    }

    @Test func `filters combine to trees`() async throws {
        try await fill()
        let tree = Filter.orFilter([
            .whereField("state", isEqualTo: "NY"),
            .andFilter([
                .whereField(FieldPath(["population"]), isGreaterOrEqualTo: 10),
                .whereField("population", isLessThan: 20),
            ]),
        ])
        #expect(try await ids(cities.whereFilter(tree)) == "ac")
        let all = cities
        #expect(all.whereFilter(.orFilter([])) === all)
        #expect(try await ids(cities.whereFilter(.andFilter([.orFilter([]), .whereField("state", isEqualTo: "TX")]))) == "e")
    }

    @Test func `orders and limits`() async throws {
        try await fill()
        #expect(try await ids(cities.order(by: "population")) == "abcd")
        #expect(try await ids(cities.order(by: FieldPath(["population"]), descending: true)) == "dcba")
        #expect(try await ids(cities.order(by: "state").order(by: "population", descending: true)) == "bacd")
        #expect(try await ids(cities.order(by: FieldPath(["state"]))) == "abced")
        #expect(try await ids(cities.order(by: "population").limit(to: 2)) == "ab")
        #expect(try await ids(cities.order(by: "population").limit(toLast: 2)) == "cd")
        #expect(try await ids(cities.limit(to: 3).limit(to: .max)) == "abcde")
    }

    @Test func `cursors by values and by documents`() async throws {
        try await fill()
        let byPopulation = cities.order(by: "population")
        #expect(try await ids(byPopulation.start(at: [20])) == "bcd")
        #expect(try await ids(byPopulation.start(after: [20])) == "cd")
        #expect(try await ids(byPopulation.end(at: [20])) == "ab")
        #expect(try await ids(byPopulation.end(before: [20])) == "a")
        #expect(try await ids(byPopulation.start(at: [20]).end(before: [40])) == "bc")
        #expect(try await ids(byPopulation.start(at: [40]).end(at: [10])) == "")
        let b = try await cities.document("b").getDocument()
        #expect(try await ids(byPopulation.start(atDocument: b)) == "bcd")
        #expect(try await ids(byPopulation.start(afterDocument: b)) == "cd")
        #expect(try await ids(byPopulation.end(atDocument: b)) == "ab")
        #expect(try await ids(byPopulation.end(beforeDocument: b)) == "a")
        #expect(try await ids(cities.start(afterDocument: b)) == "cde")
        #expect(try await ids(byPopulation.limit(toLast: 1).end(beforeDocument: b)) == "a")
        #expect(try await ids(cities.order(by: FieldPath.documentID()).start(at: ["d"])) == "de")
        #expect(try await ids(cities.order(by: "population", descending: true).start(afterDocument: b)) == "a")
    }

    @Test func `collection groups look at every depth`() async throws {
        for path in ["landmarks/x", "cities/SF/landmarks/y", "cities/SF/areas/1/landmarks/z"] {
            try await db.document(path).setData(["n": path])
        }
        #expect(try await ids(db.collectionGroup("landmarks").order(by: "n")) == "zyx")
        let group = db.collectionGroup("landmarks")
        #expect(try await ids(group.whereField(FieldPath.documentID(), isEqualTo: "cities/SF/landmarks/y")) == "y")
    }

    @Test func `queries are equal when they ask the same`() {
        let query = cities.whereField("a", isEqualTo: 1).order(by: "b").limit(to: 3)
        #expect(query == cities.whereField("a", isEqualTo: Int64(1)).order(by: "b", descending: false).limit(to: 3))
        #expect(query.hash == cities.whereField("a", isEqualTo: 1).order(by: "b").limit(to: 3).hash)
        #expect(query != cities.whereField("a", isEqualTo: 2).order(by: "b").limit(to: 3))
        #expect(query != cities.whereField("a", isEqualTo: 1).order(by: "b").limit(toLast: 3))
        #expect(query.firestore === db)
        #expect(FieldPath(["a", "b"]) == FieldPath(["a", "b"]))
        #expect(FieldPath(["a", "b"]) != FieldPath(["a.b"]))
        #expect(FieldPath.documentID() == FieldPath.documentID())
    }
}
