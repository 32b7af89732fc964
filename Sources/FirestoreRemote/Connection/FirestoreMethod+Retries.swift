// SPDX-License-Identifier: Apache-2.0
import FirestoreWire

/// What a client may do when it does not hear how a call went.
extension FirestoreMethod {
    var effect: RetryPolicy.Effect {
        switch self {
        case .createDocument, .updateDocument, .deleteDocument, .commit, .batchWrite, .write: .change
        // A transaction that was begun and never heard of again ends by itself (TX-8).
        case .beginTransaction, .rollback, .getDocument, .batchGetDocuments, .listDocuments, .listCollectionIDs, .runQuery,
            .runAggregationQuery, .partitionQuery, .executePipeline, .listen:
            .none
        }
    }

    /// How long a call without a deadline may take; nil for those that take as long as their readers do. (A connection that
    /// is dead is found by pings.)
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
