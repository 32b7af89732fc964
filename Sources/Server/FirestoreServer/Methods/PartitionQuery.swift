// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreRules
import FirestoreSemantics
import FirestoreWire

extension MethodContext {
    /// More cut points are not useful, and page tokens contain the remaining ones.
    private static var mostPartitions: Int { 1_000 }

    /// PartitionQuery: where to split the result of a collection group query (QR-70). All pages are parts of one answer, so that they are
    /// consistent.
    var partitionQuery: RPCMethod {
        unary { (request: PartitionQueryRequest, context) throws(FirestoreError) -> PartitionQueryResponse in
            guard request.pageSize >= 0 else { throw .invalidArgument("the page size must not be negative") }
            try QueryCheck.checkPartitionable(request.query, count: request.partitionCount, database: request.database)
            let service = try await self.service(request.database, context)
            var parameters = PageToken.Parameters(method: .partitionQuery, database: request.database, history: service.history)
            parameters.add(request.query.scope.place)
            parameters.add(request.query.scope.parent?.path)
            parameters.add(request.partitionCount)
            parameters.add(request.readTime?.text)
            let cuts: [DocumentKey]
            // Later pages are parts of the first answer.
            let time: DocumentVersion
            if let token = try PageToken.read(request.pageToken, parameters) {
                (cuts, time) = (try token.keys(in: request.database), token.time)
            } else {
                let found = try await service.partitions(
                    of: request.query, count: min(request.partitionCount, Self.mostPartitions),
                    options: try Self.options(request.readTime), context: context)
                (cuts, time) = (found.keys, found.readTime)
            }
            let size = request.pageSize == 0 ? cuts.count : min(request.pageSize, cuts.count)
            let rest = cuts[size...]
            let next = rest.isEmpty ? "" : PageToken(keys: rest, in: request.database).text(parameters, at: time)
            return PartitionQueryResponse(database: request.database, cuts: Array(cuts[..<size]), nextPageToken: next)
        }
    }
}
