// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreRules
import FirestoreWire

extension MethodContext {
    /// ListCollectionIds, sorted, a page at a time (QR-51, DM-12).
    var listCollectionIDs: RPCMethod {
        unary { (request: ListCollectionIDsRequest, context) throws(FirestoreError) -> ListCollectionIDsMessage in
            guard request.pageSize >= 0 else { throw .invalidArgument("the page size must not be negative") }
            let service = try await self.service(request.database, context)
            var parameters = PageToken.Parameters(method: .listCollectionIDs, database: request.database, history: service.history)
            parameters.add(request.parent?.path)
            var after: String?
            if let token = try PageToken.read(request.pageToken, parameters) {
                guard token.values.count == 1, case .string(let id) = try token.values[0].value else {
                    throw .invalidArgument("invalid page token: it was not issued by this method")
                }
                after = id
            }
            // Ids are small: a page of ten thousand is some hundred kilobytes.
            let size = request.pageSize == 0 ? 300 : min(request.pageSize, 10_000)
            let found = try await service.collectionIDs(
                under: request.parent, after: after, limit: size + 1, options: try Self.options(request.readTime), context: context)
            let ids = Array(found.ids.prefix(size))
            var next = ""
            if found.ids.count > size, let last = ids.last {
                next = PageToken(values: [ValueBytes(.string(last))]).text(parameters, at: found.readTime)
            }
            return ListCollectionIDsMessage(ids: ids, nextPageToken: next)
        }
    }
}
