// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreRules
import FirestoreWire

extension MethodContext {
    /// DeleteDocument: succeeds even if the document does not exist (WR-20).
    var deleteDocument: RPCMethod {
        unary { (request: DeleteDocumentRequest, context) throws(FirestoreError) -> EmptyMessage in
            let service = try await self.service(request.database, context)
            _ = try await service.commit([request.write], context: context)
            figures?.wrote([request.write])
            return EmptyMessage()
        }
    }
}
