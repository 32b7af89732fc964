// SPDX-License-Identifier: Apache-2.0

/// A rectangle of degrees that contains all geohashes with the same prefix.
///
/// Longitude and latitude are halved alternately, longitude first; `code` has one bit per halving. All values are
/// exact: an edge is 45 times a power of two, and there are at most 30 halvings per side.
struct GeohashCell {
    /// A character of a geohash represents five halvings.
    static let bitsPerCharacter = 5
    static let alphabet = [UInt8]("0123456789bcdefghjkmnpqrstuvwxyz".utf8)

    private(set) var code: UInt64 = 0
    private(set) var level = 0
    private(set) var south = -90.0
    private(set) var north = 90.0
    private(set) var west = -180.0
    private(set) var east = 180.0

    static let world = GeohashCell()

    /// The western and eastern, or southern and northern half, in the order of their codes.
    var halves: (lower: GeohashCell, upper: GeohashCell) {
        var lower = self
        var upper = self
        lower.level += 1
        upper.level += 1
        lower.code = code << 1
        upper.code = code << 1 | 1
        if level.isMultiple(of: 2) {
            lower.east = (west + east) / 2
            upper.west = lower.east
        } else {
            lower.north = (south + north) / 2
            upper.south = lower.north
        }
        return (lower, upper)
    }

    /// The cell of a level around a place. A place on an edge belongs to the cell north or east of it.
    init(around place: GlobePoint, level: Int) {
        self = .world
        while self.level < level {
            let halves = self.halves
            let isUpper =
                self.level.isMultiple(of: 2)
                ? place.longitude >= halves.upper.west : place.latitude >= halves.upper.south
            self = isUpper ? halves.upper : halves.lower
        }
    }

    private init() {}

    /// The characters of a code with the given number of bits, padded with zeros.
    static func text(of code: UInt64, level: Int) -> String {
        let characters = (level + bitsPerCharacter - 1) / bitsPerCharacter
        let bits = code << UInt64(characters * bitsPerCharacter - level)
        return String(unsafeUninitializedCapacity: characters) { buffer in
            for index in 0..<characters {
                let digit = Int(truncatingIfNeeded: bits >> UInt64((characters - 1 - index) * bitsPerCharacter)) & 31
                buffer[index] = alphabet[digit]
            }
            return characters
        }
    }

    /// The least distance from a place to a place in the cell, in metres.
    func distance(from place: GlobePoint) -> Double {
        // On a parallel, the nearest place is the one nearest in longitude, so it lies on the place's own meridian or
        // on the nearer edge.
        if place.longitude >= west, place.longitude <= east {
            return GlobePoint(latitude: min(max(place.latitude, south), north), longitude: place.longitude).distance(to: place)
        }
        return min(distance(from: place, toMeridian: west), distance(from: place, toMeridian: east))
    }

    private func distance(from place: GlobePoint, toMeridian longitude: Double) -> Double {
        let ends = min(
            GlobePoint(latitude: south, longitude: longitude).distance(to: place),
            GlobePoint(latitude: north, longitude: longitude).distance(to: place))
        // The point of the meridian that is nearest: the foot of the perpendicular.
        let latitude = place.latitudeOfFoot(onMeridian: longitude)
        guard latitude > south, latitude < north else { return ends }
        return min(ends, GlobePoint(latitude: latitude, longitude: longitude).distance(to: place))
    }
}
