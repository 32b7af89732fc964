// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore

/// A document found near a place, with its distance.
///
/// Beyond the Apple SDK.
public struct NearbyDocument: Sendable {
    /// The document.
    public let document: QueryDocumentSnapshot
    /// The value of its location field.
    public let location: GeoPoint
    /// The distance from the centre of the query, in metres.
    public let distance: Double
}

/// The documents near a place as values, and the documents that could not be decoded.
///
/// One invalid document does not affect the others: `matches` contains everything that was decoded, nearest first, and
/// `failures` contains the errors of the others.
///
/// Beyond the Apple SDK.
public struct NearbyValues<Value> {
    /// A decoded document and its distance.
    public struct Match {
        /// The document's value.
        public let value: Value
        /// The value of its location field.
        public let location: GeoPoint
        /// The distance from the centre of the query, in metres.
        public let distance: Double
    }

    /// A document that could not be decoded, and the reason.
    public struct Failure: Sendable {
        /// The document.
        public let document: QueryDocumentSnapshot
        /// A `DecodingError`, or the error that the type's `init(from:)` threw.
        public let error: any Error
    }

    /// The decoded documents, nearest first.
    public let matches: [Match]
    /// The documents that could not be decoded, nearest first.
    public let failures: [Failure]
}

extension NearbyValues: Sendable where Value: Sendable {}
extension NearbyValues.Match: Sendable where Value: Sendable {}
