// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

extension MethodContext {
    /// Listen: listens to targets on one stream (LS-1 … LS-30).
    var listen: RPCMethod {
        let streams = ListenService { (database: DatabaseID) async throws(FirestoreError) in try await service(database) }
        return .stream { call in streams.handler(for: call) }
    }
}
