// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreGeo
import Foundation
import TestSupport

/// Points as awkward as possible: all over the globe, and crowded around the poles, the antimeridian and the edges of
/// large geohash cells.
struct RandomPlaces {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func next() -> GeoPoint {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: GeoPoint(latitude: 90 - small(), longitude: anyLongitude())
        case 1: GeoPoint(latitude: -90 + small(), longitude: anyLongitude())
        case 2: GeoPoint(latitude: anyLatitude(), longitude: Bool.random(using: &generator) ? 180 - small() : -180 + small())
        case 3: GeoPoint(latitude: small() - small(), longitude: small() - small())
        case 4:
            [
                GeoPoint(latitude: 90, longitude: 0), GeoPoint(latitude: -90, longitude: 180), GeoPoint(latitude: 0, longitude: 0),
                GeoPoint(latitude: 0, longitude: -180), GeoPoint(latitude: 0, longitude: 180), GeoPoint(latitude: 45, longitude: 90),
            ].randomElement(using: &generator) ?? GeoPoint(latitude: 0, longitude: 0)
        default: GeoPoint(latitude: anyLatitude(), longitude: anyLongitude())
        }
    }

    /// A point about as far from another as a distance in metres, in any direction.
    mutating func next(near center: GeoPoint, about distance: Double) -> GeoPoint {
        let angle = distance * Double.random(in: 0...2, using: &generator) / 6_371_000
        let bearing = Double.random(in: 0..<2 * .pi, using: &generator)
        let (north, east) = (center.latitude * .pi / 180, center.longitude * .pi / 180)
        let latitude = asin(min(1, max(-1, sin(north) * cos(angle) + cos(north) * sin(angle) * cos(bearing))))
        let turn = atan2(sin(bearing) * sin(angle) * cos(north), cos(angle) - sin(north) * sin(latitude))
        let longitude = ((east + turn) * 180 / .pi + 540).truncatingRemainder(dividingBy: 360) - 180
        return GeoPoint(latitude: min(90, max(-90, latitude * 180 / .pi)), longitude: min(180, max(-180, longitude)))
    }

    /// From a decimetre to more than half the way around the globe, each order of magnitude as often.
    mutating func radius() -> Double { pow(10, Double.random(in: -1...7.35, using: &generator)) }

    private mutating func anyLatitude() -> Double { Double.random(in: -90...90, using: &generator) }
    private mutating func anyLongitude() -> Double { Double.random(in: -180...180, using: &generator) }
    private mutating func small() -> Double { pow(10, Double.random(in: -9...1, using: &generator)) }
}
