// SPDX-License-Identifier: Apache-2.0

/// The role of a service that lists collections and documents by name.
package protocol ListingService: Sendable {
    /// Ids of the collections directly below a document (nil: below the root), sorted, including those below missing documents
    /// (DM-12): at most `limit`, starting after `after`.
    func collectionIDs(
        under parent: DocumentKey?, after: String?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> CollectionIDsResponse

    /// Documents of a collection in `__name__` order, including missing ones that have documents below them (DM-11): at most
    /// `limit`, starting after `after`.
    func documentKeys(
        in collection: CollectionPath, after: DocumentKey?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse

    /// At most `count` keys, in order, that split the result of a collection group query by `__name__` into parts of
    /// approximately equal size (QR-70).
    func partitions(
        of query: StructuredQuery, count: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse
}

package struct CollectionIDsResponse: Sendable {
    package var readTime: DocumentVersion
    package var ids: [String]

    package init(readTime: DocumentVersion, ids: [String]) {
        self.readTime = readTime
        self.ids = ids
    }
}

package struct DocumentKeysResponse: Sendable {
    package var readTime: DocumentVersion
    package var keys: [DocumentKey]

    package init(readTime: DocumentVersion, keys: [DocumentKey]) {
        self.readTime = readTime
        self.keys = keys
    }
}
