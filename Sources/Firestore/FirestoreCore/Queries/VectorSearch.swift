// SPDX-License-Identifier: Apache-2.0

/// A search for the documents with the vectors nearest to a given one (QR-55 … QR-61).
package struct VectorSearch: Sendable, Hashable {
    package enum Measure: String, Sendable, Hashable, CaseIterable {
        /// Straight-line distance, smaller is nearer.
        case euclidean
        /// 1 − cos θ, smaller is nearer.
        case cosine
        /// Larger is nearer.
        case dotProduct
    }

    package var field: FieldPathSegments
    package var vector: [Double]
    package var measure: Measure
    package var limit: Int
    /// The field of the results that receives the distance (QR-60).
    package var resultField: FieldPathSegments?
    /// Inclusive (QR-59).
    package var threshold: Double?

    package init(
        field: FieldPathSegments, vector: [Double], measure: Measure, limit: Int,
        resultField: FieldPathSegments? = nil, threshold: Double? = nil
    ) {
        self.field = field
        self.vector = vector
        self.measure = measure
        self.limit = limit
        self.resultField = resultField
        self.threshold = threshold
    }
}
