// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
import FirestoreCore

extension GeoPoint {
    /// The geohash of the point: a string whose prefixes name ever larger rectangles around it.
    ///
    /// Store it in a field beside the location; `query.getDocuments(near:radius:)` then finds the documents around a
    /// place.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameter precision: The number of characters, 1 to 12. Ten characters name a rectangle of 1.2 m × 0.6 m at
    ///   the equator.
    /// - Throws: `invalidArgument` for a precision outside 1 to 12, and for coordinates outside ±90 and ±180 degrees.
    public func geohash(precision: Int = 10) throws -> String {
        do throws(FirestoreError) {
            let level = try GeohashPrecision.level(precision)
            let cell = GeohashCell(around: try GlobePoint(self, role: "the point"), level: level)
            return GeohashCell.text(of: cell.code, level: level)
        } catch {
            throw error.publicError
        }
    }

    /// The ranges of geohashes that contain all places within a radius, at most nine.
    ///
    /// Every place of the circle is in one of them, also at a pole, across the antimeridian or half a world away. The
    /// converse does not hold: a query over the ranges can find places up to a few radii away, at the poles further, so
    /// check them with ``distance(to:)``. The ranges are sorted and do not overlap.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameters:
    ///   - radius: Metres, 0 or more; infinity means the whole world.
    ///   - precision: The minimum number of characters of the stored geohashes.
    /// - Throws: `invalidArgument` for a radius that is negative or not a number, for a precision outside 1 to 12, and
    ///   for coordinates outside ±90 and ±180 degrees.
    public func geohashRanges(within radius: Double, precision: Int = 10) throws -> [GeohashRange] {
        do throws(FirestoreError) {
            guard radius >= 0 else { throw .invalidArgument("a radius must be a number of metres, 0 or more") }
            return CircleCover.ranges(
                around: try GlobePoint(self, role: "the centre"), radius: min(radius, GlobePoint.halfCircumference),
                level: try GeohashPrecision.level(precision))
        } catch {
            throw error.publicError
        }
    }

    /// The distance to another place in metres, along the great circle of a sphere with the earth's mean radius.
    ///
    /// Because the earth is not a sphere, the error is up to about half a percent. NaN if a coordinate is not a number.
    ///
    /// Beyond the Apple SDK.
    public func distance(to other: GeoPoint) -> Double {
        GlobePoint(latitude: latitude, longitude: longitude)
            .distance(to: GlobePoint(latitude: other.latitude, longitude: other.longitude))
    }
}

enum GeohashPrecision {
    /// The number of halvings that a number of characters represents.
    static func level(_ precision: Int) throws(FirestoreError) -> Int {
        guard (1...12).contains(precision) else { throw .invalidArgument("the precision of a geohash must be 1 to 12 characters") }
        return precision * GeohashCell.bitsPerCharacter
    }
}
