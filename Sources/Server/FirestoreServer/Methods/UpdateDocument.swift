// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreRules
import FirestoreSemantics
import FirestoreWire

extension MethodContext {
    /// UpdateDocument: creates a missing document, changes the masked fields, and returns the result (WR-10).
    var updateDocument: RPCMethod {
        unary { (request: UpdateDocumentRequest, context) throws(FirestoreError) -> DocumentResponse in
            let service = try await self.service(request.database, context)
            let response = try await service.commit([request.write], context: context)
            figures?.wrote([request.write])
            let key = request.write.key
            let document = try await written(request.write, at: response.commitTime, in: service, context)
            guard let document else { throw FirestoreError(.internal, "the written document does not exist", at: key.path) }
            return DocumentResponse(database: request.database, document: document.masked(request.mask.map { Projection($0) }))
        }
    }

    /// The document after a write: the whole of it for a caller that may get it, and otherwise what the caller has written. The write is
    /// done, so this must not fail.
    private func written(
        _ write: Write, at time: DocumentVersion, in service: any JudgedService, _ context: RequestContext
    ) async throws(FirestoreError) -> Document? {
        do throws(FirestoreError) {
            return try await service.documents([write.key], options: .past(time), context: context).documents.first ?? nil
        } catch {
            guard service.judges(context), error.code == .permissionDenied else { throw error }
        }
        let document = try await service.unjudged.documents([write.key], options: .past(time), context: context).documents.first ?? nil
        guard case .patch(_, let mask) = write.operation else { return document }
        return document?.masked(Projection(mask + write.transforms.map(\.path)))
    }
}
