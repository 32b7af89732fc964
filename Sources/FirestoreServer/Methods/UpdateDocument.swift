// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreSemantics
import FirestoreWire

extension MethodContext {
    /// UpdateDocument: creates a missing document, changes the masked fields, and returns the result (WR-10).
    var updateDocument: RPCMethod {
        unary { (request: UpdateDocumentRequest, context) throws(FirestoreError) -> DocumentResponse in
            let service = try await self.service(request.database)
            let response = try await service.commit([request.write], context: context)
            let key = request.write.key
            let found = try await service.documents([key], options: .past(response.commitTime), context: context)
            guard let document = found.documents.first ?? nil else {
                throw FirestoreError(.internal, "the written document does not exist", at: key.path)
            }
            return DocumentResponse(database: request.database, document: document.masked(request.mask.map { Projection($0) }))
        }
    }
}
