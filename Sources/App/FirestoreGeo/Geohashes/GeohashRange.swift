// SPDX-License-Identifier: Apache-2.0

/// A range of geohashes in the order of strings, from `lowerBound`, inclusive, to `upperBound`, exclusive.
///
/// Beyond the Apple SDK.
public struct GeohashRange: Hashable, Sendable {
    /// The first geohash of the range.
    public let lowerBound: String
    /// The first string after the range; `~`, which sorts after every geohash, if the range includes the last of them.
    public let upperBound: String

    /// Whether a geohash lies in the range.
    public func contains(_ geohash: String) -> Bool {
        !geohash.utf8.lexicographicallyPrecedes(lowerBound.utf8) && geohash.utf8.lexicographicallyPrecedes(upperBound.utf8)
    }
}

extension GeohashRange: CustomStringConvertible {
    /// `9q8y..<9q8z`
    public var description: String { "\(lowerBound)..<\(upperBound)" }
}
