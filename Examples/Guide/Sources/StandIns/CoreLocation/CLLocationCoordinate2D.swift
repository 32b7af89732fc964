// SPDX-License-Identifier: Apache-2.0
public typealias CLLocationDegrees = Double

/// A latitude and a longitude, as maps want them.
public struct CLLocationCoordinate2D: Sendable {
    public var latitude: CLLocationDegrees
    public var longitude: CLLocationDegrees

    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
