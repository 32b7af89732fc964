// SPDX-License-Identifier: Apache-2.0

/// A query as the public API represents it, including `limit(toLast:)`.
package struct ClientQuery: Sendable, Hashable {
    /// The orders, bounds and limit as written, not reversed.
    package var query: StructuredQuery
    /// Whether `query.limit` counts from the end (QR-42).
    package var limitsToLast: Bool

    package init(_ query: StructuredQuery, limitsToLast: Bool = false) {
        self.query = query
        self.limitsToLast = limitsToLast
    }
}
