// SPDX-License-Identifier: Apache-2.0

/// Documents as a client sees them at one moment.
package struct LookupSnapshot: Sendable {
    package var readTime: DocumentVersion
    /// In the order of the keys; nil where missing.
    package var documents: [Document?]
    /// The keys whose documents show writes the authority has not acknowledged.
    package var pendingKeys: KeySet
    /// Whether the authority may have newer data.
    package var isFromCache: Bool

    package init(
        readTime: DocumentVersion, documents: [Document?], pendingKeys: KeySet = [], isFromCache: Bool = false
    ) {
        self.readTime = readTime
        self.documents = documents
        self.pendingKeys = pendingKeys
        self.isFromCache = isFromCache
    }
}
