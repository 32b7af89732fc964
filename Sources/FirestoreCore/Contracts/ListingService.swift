// SPDX-License-Identifier: Apache-2.0

/// The role of a service that lists what there is, by name.
package protocol ListingService: Sendable {
    /// Ids of the collections right below a document (nil: of the root), sorted, those that lie below missing documents
    /// included (DM-12): at most `limit`, beginning behind `after`.
    func collectionIDs(
        under parent: DocumentKey?, after: String?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> CollectionIDsResponse

    /// Documents of a collection in `__name__` order, and among them those that are missing but have something below them
    /// (DM-11): at most `limit`, beginning behind `after`.
    func documentKeys(
        in collection: CollectionPath, after: DocumentKey?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse

    /// At most `count` keys, in order, that cut the result of a collection group query by `__name__` into parts of about
    /// the same size (QR-70).
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
