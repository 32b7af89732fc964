/// Methods of `google.firestore.v1.Firestore`, by their names there.
enum RemoteMethod: String, CaseIterable {
    case commit = "Commit"
    case beginTransaction = "BeginTransaction"
    case rollback = "Rollback"
    case batchGetDocuments = "BatchGetDocuments"
    case listDocuments = "ListDocuments"
    case listCollectionIDs = "ListCollectionIds"
    case runQuery = "RunQuery"
    case runAggregationQuery = "RunAggregationQuery"
    case partitionQuery = "PartitionQuery"
    case listen = "Listen"
    case write = "Write"

    var path: String { "/google.firestore.v1.Firestore/" + rawValue }

    var effect: RetryPolicy.Effect {
        switch self {
        case .commit, .write: .change
        // A transaction that was begun and never heard of again ends by itself (TX-8).
        case .beginTransaction, .rollback, .batchGetDocuments, .listDocuments, .listCollectionIDs, .runQuery, .runAggregationQuery,
            .partitionQuery, .listen:
            .none
        }
    }

    /// How long a call without a deadline may take; nil for those that take as long as their readers do. (A connection that
    /// is dead is found by pings.)
    func patience(_ policy: RetryPolicy) -> Duration? {
        switch self {
        case .commit, .beginTransaction, .rollback, .listDocuments, .listCollectionIDs, .partitionQuery: policy.patience
        case .batchGetDocuments, .runAggregationQuery: policy.readingPatience
        case .runQuery, .listen, .write: nil
        }
    }
}
