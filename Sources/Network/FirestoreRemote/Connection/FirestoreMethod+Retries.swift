// SPDX-License-Identifier: Apache-2.0
import FirestoreWire

/// What a client may do when it does not know the result of a call.
extension FirestoreMethod {
    /// The effect of its calls, unless more is known about one.
    var effect: RetryPolicy.Effect {
        switch self {
        case .createDocument, .updateDocument, .deleteDocument, .commit, .batchWrite, .write: .change
        // A pipeline may write.
        case .executePipeline: .change
        // A transaction that was begun and is never used again expires (TX-8).
        case .beginTransaction, .rollback, .getDocument, .batchGetDocuments, .listDocuments, .listCollectionIDs, .runQuery,
            .runAggregationQuery, .partitionQuery, .listen:
            .none
        }
    }

    /// The time limit of a call without a deadline; nil for calls that take as long as their readers do. (Pings detect a dead
    /// connection.)
    func patience(_ policy: RetryPolicy) -> Duration? {
        switch self {
        case .getDocument, .createDocument, .updateDocument, .deleteDocument, .commit, .batchWrite, .beginTransaction, .rollback,
            .listDocuments, .listCollectionIDs, .partitionQuery:
            policy.patience
        case .batchGetDocuments, .runAggregationQuery: policy.readingPatience
        case .runQuery, .executePipeline, .listen, .write: nil
        }
    }
}
