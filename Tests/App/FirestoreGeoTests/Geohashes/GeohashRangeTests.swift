// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreGeo
import Testing

struct GeohashRangeTests {
    @Test(arguments: [UInt64](1...8))
    func `every point within the radius is in one of at most nine sorted, separate ranges`(seed: UInt64) throws {
        var places = RandomPlaces(seed: seed)
        for _ in 0..<250 {
            let (center, radius) = (places.next(), places.radius())
            let precision = Int.random(in: 1...12, using: &places.generator)
            let ranges = try center.geohashRanges(within: radius, precision: precision)
            #expect((1...9).contains(ranges.count))
            #expect(ranges.allSatisfy { $0.lowerBound < $0.upperBound })
            #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            for round in 0..<60 {
                let point = round < 40 ? places.next(near: center, about: radius) : places.next()
                guard point.distance(to: center) <= radius else { continue }
                for stored in Set([precision, min(12, precision + 1), 12]) {
                    let geohash = try point.geohash(precision: stored)
                    let isFound = ranges.contains { $0.contains(geohash) }
                    #expect(isFound, "seed \(seed): \(geohash) of \(point), \(radius) m around \(center), in \(ranges)")
                }
            }
        }
    }

    @Test func `away from the poles nothing beyond four radii is in a range`() throws {
        var places = RandomPlaces(seed: 21)
        var inRange = 0
        var within = 0
        for _ in 0..<2_000 {
            let center = GeoPoint(
                latitude: Double.random(in: -60...60, using: &places.generator),
                longitude: Double.random(in: -180...180, using: &places.generator))
            let radius = Double.random(in: 10...1_000_000, using: &places.generator)
            let ranges = try center.geohashRanges(within: radius)
            for _ in 0..<20 {
                let point = places.next(near: center, about: radius * 4)
                let geohash = try point.geohash()
                guard ranges.contains(where: { $0.contains(geohash) }) else { continue }
                let distance = point.distance(to: center)
                #expect(distance <= 4 * radius, "\(point), \(radius) m around \(center)")
                inRange += 1
                within += distance <= radius ? 1 : 0
            }
        }
        #expect(Double(within) > 0.5 * Double(inRange), "\(within) of \(inRange)")
    }

    static let corners: [(center: GeoPoint, radius: Double, inside: [GeoPoint])] = [
        // Across the antimeridian.
        (GeoPoint(latitude: -17, longitude: 179.99), 5_000, [GeoPoint(latitude: -17, longitude: -179.99), GeoPoint(latitude: -17, longitude: 180)]),
        // A pole, from both sides and on it.
        (GeoPoint(latitude: 89.99, longitude: 10), 5_000, [GeoPoint(latitude: 89.99, longitude: -170), GeoPoint(latitude: 90, longitude: 77)]),
        (GeoPoint(latitude: -90, longitude: 0), 1_000, [GeoPoint(latitude: -89.995, longitude: 123), GeoPoint(latitude: -90, longitude: -180)]),
        // Half the world, and all of it.
        (GeoPoint(latitude: 0, longitude: 0), 10_010_000, [GeoPoint(latitude: 0, longitude: 90), GeoPoint(latitude: 90, longitude: 0)]),
        (GeoPoint(latitude: 12, longitude: 34), .infinity, [GeoPoint(latitude: -12, longitude: -146), GeoPoint(latitude: 90, longitude: 180)]),
        // A point, on the corner of four cells.
        (GeoPoint(latitude: 0, longitude: 0), 0, [GeoPoint(latitude: 0, longitude: 0)]),
        (GeoPoint(latitude: 45, longitude: 180), 0, [GeoPoint(latitude: 45, longitude: -180)]),
    ]

    @Test(arguments: corners)
    func `poles, the antimeridian, huge and tiny radii`(center: GeoPoint, radius: Double, inside: [GeoPoint]) throws {
        let ranges = try center.geohashRanges(within: radius)
        for point in inside {
            let geohash = try point.geohash()
            #expect(ranges.contains { $0.contains(geohash) }, "\(point) in \(ranges)")
        }
    }

    @Test func `the whole world is one range`() throws {
        let ranges = try GeoPoint(latitude: 1, longitude: 2).geohashRanges(within: .infinity)
        #expect(ranges.map(\.description) == ["0..<~"])
    }
}
