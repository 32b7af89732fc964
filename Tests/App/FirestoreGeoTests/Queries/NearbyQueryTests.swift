// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreGeo
import Foundation
import Testing

struct NearbyQueryTests {
    let places = StoredPlaces()
    var stops: CollectionReference { places.db.collection("stops") }

    @Test(arguments: [UInt64](1...3))
    func `finds what comparing every document finds, nearest first`(seed: UInt64) async throws {
        var random = RandomPlaces(seed: seed)
        var points: [GeoPoint] = []
        for _ in 0..<200 { points.append(random.next()) }
        for index in 0..<200 { points.append(random.next(near: points[index], about: random.radius())) }
        try await places.store(points)
        for round in 0..<40 {
            let center = round.isMultiple(of: 2) ? random.next() : points.randomElement(using: &random.generator) ?? points[0]
            let radius = random.radius()
            let expected = points.indices.filter { center.distance(to: points[$0]) <= radius }
            let limit = round.isMultiple(of: 3) ? Int.random(in: 1...20, using: &random.generator) : nil

            let found = try await stops.getDocuments(near: center, radius: radius, limit: limit)
            let place: Comment = "seed \(seed): \(radius) m around \(center)"
            #expect(found.map(\.distance) == Array(found.map(\.distance).sorted()), place)
            #expect(found.allSatisfy { $0.distance == center.distance(to: $0.location) }, place)
            #expect(found.map(\.distance) == Array(expected.map { center.distance(to: points[$0]) }.sorted().prefix(limit ?? .max)), place)
            if limit == nil { #expect(Set(found.map(\.document.documentID)) == Set(expected.map(String.init)), place) }
        }
    }

    static let center = GeoPoint(latitude: 48.137, longitude: 11.575)

    /// 0 m, then 111 m further north each.
    static let line = (0..<20).map { GeoPoint(latitude: center.latitude + Double($0) / 1_000, longitude: center.longitude) }

    @Test func `the query's own filters apply, also those that fit no OR`() async throws {
        try await places.store(Self.line)
        let filters: [(Query, [String])] = [
            (stops.whereField("number", isLessThan: 3), ["0", "1", "2"]),
            (stops.whereField("number", in: Array(0..<30).filter { !$0.isMultiple(of: 2) }), ["1", "3", "5"]),
            (stops.whereField("number", notIn: [0, 2, 4]), ["1", "3", "5"]),
            (stops.whereField("number", isNotEqualTo: 0), ["1", "2", "3", "4", "5"]),
            (stops.order(by: "number", descending: true), ["0", "1", "2", "3", "4", "5"]),
        ]
        for (query, expected) in filters {
            let found = try await query.getDocuments(near: Self.center, radius: 600)
            #expect(found.map(\.document.documentID) == expected)
        }
    }

    @Test func `collection groups are searched across collections`() async throws {
        try await places.store([Self.line[0], Self.line[2]], in: "cities/muc/stops")
        try await places.store([Self.line[1]], in: "cities/other/stops")
        let found = try await places.db.collectionGroup("stops").getDocuments(near: Self.center, radius: 1_000)
        #expect(found.map(\.document.reference.path) == ["cities/muc/stops/0", "cities/other/stops/0", "cities/muc/stops/1"])
    }

    @Test func `values are decoded, and documents that do not decode are listed beside them`() async throws {
        try await places.store(Array(Self.line.prefix(3)))
        try await stops.document("1").updateData(["number": "one"])
        let found = try await stops.getDocuments(near: Self.center, radius: 1_000, as: StoredPlaces.Stop.self)
        #expect(found.matches.map(\.value.id) == ["0", "2"])
        #expect(found.matches.map { Int($0.distance.rounded()) } == [0, 222])
        #expect(found.failures.map(\.document.documentID) == ["1"])
    }

    @Test func `fields may have other names and lie in maps`() async throws {
        let point = Self.line[1]
        try await stops.document("x").setData(["address": ["point": point, "hash": try point.geohash(precision: 6)]])
        let found = try await stops.getDocuments(
            near: Self.center, radius: 150, geohashField: "address.hash", locationField: "address.point", precision: 6)
        #expect(found.map(\.document.documentID) == ["x"])
    }

    @Test func `documents without a location, or with something else there, are not found`() async throws {
        let geohash = try Self.center.geohash()
        try await stops.document("none").setData(["geohash": geohash])
        try await stops.document("text").setData(["geohash": geohash, "location": "here"])
        try await stops.document("number").setData(["geohash": 9, "location": Self.center])
        #expect(try await stops.getDocuments(near: Self.center, radius: 10).isEmpty)
        try await stops.document("good").setData(["geohash": geohash, "location": Self.center])
        #expect(try await stops.getDocuments(near: Self.center, radius: 0).map(\.document.documentID) == ["good"])
    }

    @Test func `a limit or cursor of the query itself is rejected`() async throws {
        let refused: [Query] = [
            stops.limit(to: 3), stops.order(by: "number").limit(toLast: 3), stops.order(by: "number").start(at: [1]),
            stops.order(by: "number").end(before: [1]), stops.whereField("..", isEqualTo: 1),
        ]
        for query in refused {
            await #expect { try await query.getDocuments(near: Self.center, radius: 10) } throws: { FirestoreErrorCode.invalidArgument ~= $0 }
        }
        await #expect { try await stops.getDocuments(near: Self.center, radius: -1) } throws: { FirestoreErrorCode.invalidArgument ~= $0 }
        await #expect { try await stops.getDocuments(near: Self.center, radius: 1, limit: 0) } throws: { FirestoreErrorCode.invalidArgument ~= $0 }
    }
}
