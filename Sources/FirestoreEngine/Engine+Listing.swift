package import FirestoreCore

extension Engine {
    package func collectionIDs(
        under parent: DocumentKey?, after: String?, limit: Int, at moment: ReadMoment, context: RequestContext
    ) async throws(FirestoreError) -> CollectionIDsResponse {
        throw FirestoreError(.unimplemented, "on its way")
    }

    package func documentKeys(
        in collection: CollectionPath, after: DocumentKey?, limit: Int, at moment: ReadMoment, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        throw FirestoreError(.unimplemented, "on its way")
    }

    package func partitions(
        of query: StructuredQuery, count: Int, at moment: ReadMoment, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        throw FirestoreError(.unimplemented, "on its way")
    }
}
