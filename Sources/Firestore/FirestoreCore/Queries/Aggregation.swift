// SPDX-License-Identifier: Apache-2.0

/// One aggregation over a query's result (QR-62).
package struct Aggregation: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Counts up to `upTo` (QR-64).
        case count(upTo: Int?)
        case sum(FieldPathSegments)
        case average(FieldPathSegments)
    }

    package var kind: Kind
    /// The name of the result; nil becomes `field_1`, `field_2`, … by position among the unnamed.
    package var alias: String?

    package init(_ kind: Kind, alias: String? = nil) {
        self.kind = kind
        self.alias = alias
    }
}

/// The results, in the requested order.
package struct AggregationResponse: Sendable {
    package var readTime: DocumentVersion
    package var values: [(alias: String, value: Value)]
    /// Whether the authority may have other values.
    package var isFromCache: Bool

    package init(readTime: DocumentVersion, values: [(alias: String, value: Value)], isFromCache: Bool = false) {
        self.readTime = readTime
        self.values = values
        self.isFromCache = isFromCache
    }
}
