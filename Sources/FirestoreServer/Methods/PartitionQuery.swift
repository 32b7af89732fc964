// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreRules
import FirestoreWire

extension MethodContext {
    /// More cut points are not useful, and page tokens contain the remaining ones.
    private static var mostPartitions: Int { 1_000 }

    /// PartitionQuery: where to split the result of a collection group query (QR-70). All pages are parts of one answer, so that they are
    /// consistent.
    var partitionQuery: RPCMethod {
        unary { (request: PartitionQueryRequest, context) throws(FirestoreError) -> PartitionQueryResponse in
            guard request.partitionCount > 0 else { throw .invalidArgument("the partition count must be positive") }
            guard request.pageSize >= 0 else { throw .invalidArgument("the page size must not be negative") }
            try Self.check(request.query)
            let service = try await self.service(request.database, context)
            var parameters = PageToken.Parameters(method: .partitionQuery, database: request.database, history: service.history)
            parameters.add(request.query.scope.place)
            parameters.add(request.query.scope.parent?.path)
            parameters.add(request.partitionCount)
            parameters.add(request.readTime?.text)
            let cuts: [DocumentKey]
            if let token = try PageToken.read(request.pageToken, parameters) {
                cuts = try token.keys(in: request.database)
            } else {
                cuts = try await service.partitions(
                    of: request.query, count: min(request.partitionCount, Self.mostPartitions),
                    options: try Self.options(request.readTime), context: context
                ).keys
            }
            let size = request.pageSize == 0 ? cuts.count : min(request.pageSize, cuts.count)
            let rest = cuts[size...]
            let next = rest.isEmpty ? "" : PageToken(keys: rest, in: request.database).text(parameters)
            return PartitionQueryResponse(database: request.database, cuts: Array(cuts[..<size]), nextPageToken: next)
        }
    }

    private static func check(_ query: StructuredQuery) throws(FirestoreError) {
        guard case .collectionGroup = query.scope else {
            throw .invalidArgument("only a query over a collection group can be partitioned: all_descendants must be set")
        }
        guard query.orders == [SortOrder(path: .documentID)] || query.orders.isEmpty else {
            throw .invalidArgument("a partitioned query must be ordered by __name__, ascending")
        }
        guard query.filter == nil, query.limit == nil, query.offset == 0, query.start == nil, query.end == nil, query.nearest == nil
        else {
            throw .invalidArgument("a partitioned query must not have filters, a limit, an offset or cursors")
        }
    }
}
