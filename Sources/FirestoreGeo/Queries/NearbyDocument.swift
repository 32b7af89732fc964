public import FirebaseFirestore

/// A document found near a place, and how far from it.
public struct NearbyDocument: Sendable {
    /// The document.
    public let document: QueryDocumentSnapshot
    /// Where its location field says it is.
    public let location: GeoPoint
    /// Metres from the centre of the query.
    public let distance: Double
}

/// The documents near a place as values, and the ones that would not decode.
///
/// One bad document does not cost the others: `matches` has everything that decoded, nearest first, and `failures` says
/// what is wrong with the rest.
public struct NearbyValues<Value> {
    /// A decoded document and how far away it is.
    public struct Match {
        /// The document's value.
        public let value: Value
        /// Where its location field says it is.
        public let location: GeoPoint
        /// Metres from the centre of the query.
        public let distance: Double
    }

    /// A document that did not decode, and why.
    public struct Failure: Sendable {
        /// The document.
        public let document: QueryDocumentSnapshot
        /// A `DecodingError`, or what the type's own `init(from:)` threw.
        public let error: any Error
    }

    /// What decoded, nearest first.
    public let matches: [Match]
    /// What did not, nearest first.
    public let failures: [Failure]
}

extension NearbyValues: Sendable where Value: Sendable {}
extension NearbyValues.Match: Sendable where Value: Sendable {}
