#if Remote
import FirestoreCore
import FirestoreRPC
import FirestoreWire

extension MethodContext {
    /// More cut points serve nobody.
    private static var mostPartitions: Int { 10_000 }

    /// PartitionQuery: where to cut the result of a collection group query (QR-70). All pages are from the moment of the
    /// first, so that they fit together.
    var partitionQuery: RPCMethod {
        unary { (request: PartitionQueryRequest, context) throws(FirestoreError) -> PartitionQueryResponse in
            guard request.partitionCount > 0 else { throw .invalidArgument("the partition count must be positive (QR-70)") }
            guard request.pageSize >= 0 else { throw .invalidArgument("the page size must not be negative") }
            try Self.check(request.query)
            let service = try await self.service(request.database)
            var parameters = PageToken.Parameters(method: .partitionQuery, database: request.database)
            parameters.add(request.query.scope.place)
            parameters.add(request.partitionCount)
            let token = try PageToken.read(request.pageToken, parameters)
            var moment = try Self.moment(request.readTime)
            if let token { moment = .past(token.readTime) }
            let found = try await service.partitions(
                of: request.query, count: min(request.partitionCount, Self.mostPartitions), at: moment, context: context)
            var cuts = found.keys[...]
            if let last = try token?.key(in: request.database) { cuts = cuts.drop { $0 <= last } }
            let size = request.pageSize == 0 ? cuts.count : request.pageSize
            let page = Array(cuts.prefix(size))
            var next = ""
            if cuts.count > size, let last = page.last {
                next = PageToken(key: last, in: request.database, readTime: found.readTime).text(parameters)
            }
            return PartitionQueryResponse(database: request.database, cuts: page, nextPageToken: next)
        }
    }

    private static func check(_ query: StructuredQuery) throws(FirestoreError) {
        guard case .collectionGroup = query.scope else {
            throw .invalidArgument("only a query over a collection group can be partitioned: all_descendants must be set (QR-70)")
        }
        guard query.orders == [SortOrder(path: .documentID)] || query.orders.isEmpty else {
            throw .invalidArgument("a query that is partitioned is ordered by __name__, ascending (QR-70)")
        }
        guard query.filter == nil, query.limit == nil, query.offset == 0, query.start == nil, query.end == nil, query.nearest == nil
        else {
            throw .invalidArgument("a query that is partitioned has no filters, limit, offset, cursors (QR-70)")
        }
    }
}
#endif
