// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreGeo
import Foundation
import Testing

struct DistanceTests {
    static let quarter = Double.pi / 2 * 6_371_008.8

    static let known: [(from: GeoPoint, to: GeoPoint, metres: Double, tolerance: Double)] = [
        (GeoPoint(latitude: 12, longitude: 34), GeoPoint(latitude: 12, longitude: 34), 0, 0),
        (GeoPoint(latitude: 0, longitude: 0), GeoPoint(latitude: 0, longitude: 90), quarter, 1e-6),
        (GeoPoint(latitude: 0, longitude: 77), GeoPoint(latitude: 90, longitude: -12), quarter, 1e-6),
        (GeoPoint(latitude: 90, longitude: 0), GeoPoint(latitude: -90, longitude: 99), 2 * quarter, 1e-6),
        (GeoPoint(latitude: 30, longitude: 40), GeoPoint(latitude: -30, longitude: -140), 2 * quarter, 1e-6),
        (GeoPoint(latitude: 90, longitude: 0), GeoPoint(latitude: 90, longitude: 179), 0, 1e-6),
        (GeoPoint(latitude: 10, longitude: 180), GeoPoint(latitude: 10, longitude: -180), 0, 1e-6),
        (GeoPoint(latitude: 0, longitude: 179.5), GeoPoint(latitude: 0, longitude: -179.5), quarter / 90, 1e-6),
        // A tenth of a millimetre, where the cosine of the angle is 1.
        (GeoPoint(latitude: 48, longitude: 11), GeoPoint(latitude: 48.000000001, longitude: 11), quarter / 90e9, 1e-8),
        // London to Paris, Tokyo to Osaka.
        (GeoPoint(latitude: 51.5074, longitude: -0.1278), GeoPoint(latitude: 48.8566, longitude: 2.3522), 343_557, 50),
        (GeoPoint(latitude: 35.6895, longitude: 139.69171), GeoPoint(latitude: 34.69379, longitude: 135.50107), 396_800, 500),
    ]

    @Test(arguments: known)
    func `known distances`(from: GeoPoint, to: GeoPoint, metres: Double, tolerance: Double) {
        #expect(abs(from.distance(to: to) - metres) <= tolerance, "\(from.distance(to: to))")
        #expect(from.distance(to: to) == to.distance(to: from) || abs(from.distance(to: to) - to.distance(to: from)) < 1e-6)
    }

    @Test func `agrees with the angle between vectors`() {
        var places = RandomPlaces(seed: 11)
        for _ in 0..<10_000 {
            let (left, right) = (places.next(), places.next())
            let expected = 6_371_008.8 * angle(vector(left), vector(right))
            #expect(abs(left.distance(to: right) - expected) < 1e-5, "\(left) \(right)")
        }
    }

    private func vector(_ point: GeoPoint) -> [Double] {
        let (north, east) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
        return [cos(north) * cos(east), cos(north) * sin(east), sin(north)]
    }

    private func angle(_ left: [Double], _ right: [Double]) -> Double {
        let dot = left[0] * right[0] + left[1] * right[1] + left[2] * right[2]
        let cross = [
            left[1] * right[2] - left[2] * right[1], left[2] * right[0] - left[0] * right[2], left[0] * right[1] - left[1] * right[0],
        ]
        return atan2((cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]).squareRoot(), dot)
    }
}
