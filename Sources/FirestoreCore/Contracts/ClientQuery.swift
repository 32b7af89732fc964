// SPDX-License-Identifier: Apache-2.0

/// A query as the public API means it: `limit(toLast:)` included.
package struct ClientQuery: Sendable, Hashable {
    /// Orders, bounds and limit as the user wrote them, not flipped.
    package var query: StructuredQuery
    /// `query.limit` counts from the end (QR-42).
    package var limitsToLast: Bool

    package init(_ query: StructuredQuery, limitsToLast: Bool = false) {
        self.query = query
        self.limitsToLast = limitsToLast
    }
}
