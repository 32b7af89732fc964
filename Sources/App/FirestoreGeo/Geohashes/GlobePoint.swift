// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import Foundation

/// A validated geopoint: finite, and on the globe.
struct GlobePoint {
    /// The mean radius of the earth, in metres.
    static let earthRadius = 6_371_008.8
    /// The distance between opposite places, the largest possible one.
    static let halfCircumference = Double.pi * earthRadius

    let latitude: Double
    let longitude: Double

    init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    init(_ point: GeoPoint, role: String) throws(FirestoreError) {
        // NaN is not in any range.
        guard (-90...90).contains(point.latitude), (-180...180).contains(point.longitude) else {
            throw .invalidArgument("a latitude must lie within ±90 and a longitude within ±180 degrees", at: role)
        }
        self.init(latitude: point.latitude, longitude: point.longitude)
    }

    /// Metres along the great circle. The form with `atan2` is accurate for near, far and opposite places.
    func distance(to other: GlobePoint) -> Double {
        let (north, otherNorth) = (latitude.radians, other.latitude.radians)
        let east = (other.longitude - longitude).radians
        let across = cos(otherNorth) * sin(east)
        // sin(a − b), in a form that preserves the difference of two close points.
        let half = sin(east / 2)
        let along = sin(otherNorth - north) + 2 * sin(north) * cos(otherNorth) * half * half
        let toward = sin(north) * sin(otherNorth) + cos(north) * cos(otherNorth) * cos(east)
        return Self.earthRadius * atan2((across * across + along * along).squareRoot(), toward)
    }

    /// The latitude at which the great circle of a meridian comes nearest; beyond ±90 if that is on its other half.
    func latitudeOfFoot(onMeridian longitude: Double) -> Double {
        let east = (longitude - self.longitude).radians
        return atan2(sin(latitude.radians), cos(latitude.radians) * cos(east)).degrees
    }
}

extension Double {
    fileprivate var radians: Double { self * .pi / 180 }
    fileprivate var degrees: Double { self * 180 / .pi }
}
