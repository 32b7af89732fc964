// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreRules
import FirestoreSemantics
import FirestoreWire

extension MethodContext {
    /// CreateDocument: fails with `alreadyExists` if the document exists (WR-10).
    var createDocument: RPCMethod {
        unary { (request: CreateDocumentRequest, context) throws(FirestoreError) -> DocumentResponse in
            // Without an id the server chooses one (DM-14).
            let id = request.documentID.isEmpty ? AutoID.make() : request.documentID
            let collection = CollectionPath(parent: request.parent, id: request.collectionID)
            let write = Write(
                key: DocumentKey(collection: collection, id: id), operation: .set(request.fields), precondition: .exists(false))
            let service = try await self.service(request.database, context)
            let response = try await service.commit([write], context: context)
            figures?.wrote([write])
            let time = response.results.first?.updateTime ?? response.commitTime
            let document = Document(key: write.key, createTime: time, updateTime: time, fields: request.fields)
            return DocumentResponse(database: request.database, document: document.masked(request.mask.map { Projection($0) }))
        }
    }
}
