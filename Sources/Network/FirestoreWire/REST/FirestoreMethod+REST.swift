// SPDX-License-Identifier: Apache-2.0

/// The methods as offered over REST (HT-2).
extension FirestoreMethod {
    /// Whether the request and the answer have one message or many.
    package enum Streaming: Sendable { case none, answers, both }

    package var streaming: Streaming {
        switch self {
        case .batchGetDocuments, .runQuery, .runAggregationQuery, .executePipeline: .answers
        case .write, .listen: .both
        default: .none
        }
    }

    package var verb: String {
        switch self {
        case .getDocument, .listDocuments: "GET"
        case .updateDocument: "PATCH"
        case .deleteDocument: "DELETE"
        default: "POST"
        }
    }

    /// The content of the HTTP request's body.
    package enum Body: Sendable {
        case none
        /// The request message, without the fields in the path.
        case request
        /// The document of the request.
        case document
    }

    package var body: Body {
        switch self {
        case .getDocument, .listDocuments, .deleteDocument: .none
        case .createDocument, .updateDocument: .document
        default: .request
        }
    }

    /// The text after the last colon of the path; nil if there is none.
    package var suffix: String? {
        switch self {
        case .getDocument, .listDocuments, .createDocument, .updateDocument, .deleteDocument: nil
        case .batchGetDocuments: "batchGet"
        case .listCollectionIDs: "listCollectionIds"
        default: rawValue.prefix(1).lowercased() + rawValue.dropFirst()
        }
    }

    /// The field for the resource in the path.
    var resource: String {
        switch self {
        case .getDocument, .deleteDocument: "name"
        case .updateDocument: "document.name"
        case .listDocuments, .createDocument, .runQuery, .runAggregationQuery, .partitionQuery, .listCollectionIDs: "parent"
        default: "database"
        }
    }

    var messages: (request: MessageType, response: MessageType) {
        switch self {
        case .getDocument: (.getDocumentRequest, .document)
        case .listDocuments: (.listDocumentsRequest, .listDocumentsResponse)
        case .createDocument: (.createDocumentRequest, .document)
        case .updateDocument: (.updateDocumentRequest, .document)
        case .deleteDocument: (.deleteDocumentRequest, .empty)
        case .batchGetDocuments: (.batchGetDocumentsRequest, .batchGetDocumentsResponse)
        case .beginTransaction: (.beginTransactionRequest, .beginTransactionResponse)
        case .commit: (.commitRequest, .commitResponse)
        case .rollback: (.rollbackRequest, .empty)
        case .batchWrite: (.batchWriteRequest, .batchWriteResponse)
        case .executePipeline: (.executePipelineRequest, .executePipelineResponse)
        case .write: (.writeRequest, .writeResponse)
        case .listen: (.listenRequest, .listenResponse)
        case .runQuery: (.runQueryRequest, .runQueryResponse)
        case .runAggregationQuery: (.runAggregationQueryRequest, .runAggregationQueryResponse)
        case .partitionQuery: (.partitionQueryRequest, .partitionQueryResponse)
        case .listCollectionIDs: (.listCollectionIdsRequest, .listCollectionIdsResponse)
        }
    }
}
