// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreWire

/// Listings. The protocol pages by tokens and does not report the moment of a page. So a listing after a name requests pages from
/// the first one on, and the time is known only if the caller has given it.
extension RemoteService {
    private static var pageSize: Int { 300 }

    package func collectionIDs(
        under parent: DocumentKey?, after: String?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> CollectionIDsResponse {
        try await admit(context, seesSubmitted: options.seesSubmitted)
        let readTime = try time(of: options.moment)
        var request = ListCollectionIDsRequest(
            database: connection.database, parent: parent, pageSize: min(limit, Self.pageSize), readTime: readTime?.timestamp)
        var ids: [String] = []
        repeat {
            if limit <= 0 { break }
            let page: ListCollectionIDsMessage = try await connection.unary(.listCollectionIDs, request, context.deadline)
            ids += page.ids.filter { id in after.map { $0.utf8.lexicographicallyPrecedes(id.utf8) } ?? true }
            request.pageToken = page.nextPageToken
        } while ids.count < limit && !request.pageToken.isEmpty
        return CollectionIDsResponse(readTime: readTime ?? .none, ids: Array(ids.prefix(limit)))
    }

    package func documentKeys(
        in collection: CollectionPath, after: DocumentKey?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        try await admit(context, seesSubmitted: options.seesSubmitted)
        if let after, after.collection != collection {
            throw .invalidArgument("a listing must continue after a document of the same collection", at: after.path)
        }
        var request = ListDocumentsRequest(
            database: connection.database, parent: collection.parent, collectionID: collection.id,
            pageSize: min(limit, Self.pageSize), mask: [.documentID], consistency: try consistency(of: options.moment), showMissing: true)
        var keys: [DocumentKey] = []
        repeat {
            if limit <= 0 { break }
            let page: ListDocumentsResponse = try await connection.unary(.listDocuments, request, context.deadline)
            for entry in page.entries {
                let key =
                    switch entry {
                    case .document(let document): document.key
                    case .missing(let key): key
                    }
                if after.map({ $0 < key }) ?? true { keys.append(key) }
            }
            request.pageToken = page.nextPageToken
        } while keys.count < limit && !request.pageToken.isEmpty
        var time = DocumentVersion.none
        if case .past(let known) = options.moment { time = known }
        return DocumentKeysResponse(readTime: time, keys: Array(keys.prefix(limit)))
    }

    package func partitions(
        of query: StructuredQuery, count: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        try await admit(context, seesSubmitted: options.seesSubmitted)
        let readTime = try time(of: options.moment)
        var request = PartitionQueryRequest(
            database: connection.database, query: query, partitionCount: count, readTime: readTime?.timestamp)
        var cuts: [DocumentKey] = []
        repeat {
            let page: PartitionQueryResponse = try await connection.unary(.partitionQuery, request, context.deadline)
            cuts += page.cuts
            request.pageToken = page.nextPageToken
        } while !request.pageToken.isEmpty
        // Pages need not be in order (QR-70).
        return DocumentKeysResponse(readTime: readTime ?? .none, keys: cuts.sorted())
    }

    /// nil for the latest.
    private func time(of moment: ReadMoment) throws(FirestoreError) -> DocumentVersion? {
        switch moment {
        case .latest: return nil
        case .past(let time): return time
        case .transaction:
            throw .invalidArgument("the protocol has no such listing in a transaction; list documents instead, or use a read time")
        }
    }
}
