// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

extension MethodContext {
    /// Listen: listens to targets on one stream (LS-1 … LS-30).
    var listen: RPCMethod {
        let service = ListenService { (database: DatabaseID, context: RequestContext) async throws(FirestoreError) in
            try await self.service(database, context)
        }
        return .stream { call in
            LongLivedStreamHandler(call, identification, streams) { call, known in service.handler(for: call, known, figures) }
        }
    }
}
