// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
public import Foundation

/// A point on the globe: degrees of latitude and longitude.
///
/// A value outside ±90 and ±180 degrees can be created but not written: a write that contains it fails with
/// `invalidArgument`; the message names the field.
public final class GeoPoint: NSObject, NSCopying, Sendable {
    /// Degrees north of the equator, −90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, −180 to 180.
    public let longitude: Double

    /// Creates a point from its two coordinates.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
        super.init()
    }

    /// Equal when both coordinates are bitwise equal.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? GeoPoint else { return false }
        return latitude.bitPattern == other.latitude.bitPattern && longitude.bitPattern == other.longitude.bitPattern
    }

    /// Combines both coordinates.
    public override var hash: Int { Hasher.hash(latitude.bitPattern, longitude.bitPattern) }

    /// Both coordinates, readable.
    public override var description: String { "<GeoPoint: (\(latitude), \(longitude))>" }

    /// The object itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
