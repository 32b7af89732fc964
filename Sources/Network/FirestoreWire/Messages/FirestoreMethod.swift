// SPDX-License-Identifier: Apache-2.0

/// The methods of `google.firestore.v1.Firestore`, with their names there.
package enum FirestoreMethod: String, CaseIterable, Sendable {
    case getDocument = "GetDocument"
    case listDocuments = "ListDocuments"
    case createDocument = "CreateDocument"
    case updateDocument = "UpdateDocument"
    case deleteDocument = "DeleteDocument"
    case batchGetDocuments = "BatchGetDocuments"
    case beginTransaction = "BeginTransaction"
    case commit = "Commit"
    case rollback = "Rollback"
    case runQuery = "RunQuery"
    case runAggregationQuery = "RunAggregationQuery"
    case partitionQuery = "PartitionQuery"
    case write = "Write"
    case listen = "Listen"
    case listCollectionIDs = "ListCollectionIds"
    case batchWrite = "BatchWrite"
    case executePipeline = "ExecutePipeline"

    package static let service = "google.firestore.v1.Firestore"

    /// The name in gRPC: `/google.firestore.v1.Firestore/GetDocument`.
    package var path: String { "/\(Self.service)/\(rawValue)" }
}
