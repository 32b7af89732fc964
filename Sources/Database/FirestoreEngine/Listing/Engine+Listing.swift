// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSemantics

extension Engine {
    /// Skips through the directory of collections: costs a few steps for each id, and at a past moment one for each change below
    /// the parent since then.
    package func collectionIDs(
        under parent: DocumentKey?, after: String?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> CollectionIDsResponse {
        if let parent { try PathCheck.check(parent) }
        let operation = CollectionIDRead(parent: parent, after: after, limit: limit, database: core.databaseID)
        let found = try await read(operation, options, context)
        return CollectionIDsResponse(readTime: found.time, ids: found.answer)
    }

    /// Walks the keys of the collection, and skips through the directory for missing documents.
    package func documentKeys(
        in collection: CollectionPath, after: DocumentKey?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        try PathCheck.check(collection)
        if let after, after.collection != collection {
            throw .invalidArgument("a listing must continue after a document of the same collection", at: after.path)
        }
        let operation = DocumentKeyRead(collection: collection, after: after, limit: limit, database: core.databaseID)
        let found = try await read(operation, options, context)
        return DocumentKeysResponse(readTime: found.time, keys: found.answer)
    }

    /// Cuts by counting keys. At a past moment the current keys are counted: the parts are valid, their sizes approximate.
    package func partitions(
        of query: StructuredQuery, count: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        try QueryCheck.checkPartitionable(query, count: count, database: core.databaseID)
        let found = try await read(
            PartitionRead(scope: query.scope, count: count, database: core.databaseID), options, context)
        return DocumentKeysResponse(readTime: found.time, keys: found.answer)
    }
}
