// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
package import FirestoreRPC
package import FirestoreWire

/// `google.firestore.v1.Firestore` over a registry of databases.
package final class FirestoreService: RPCService {
    /// Paths are ASCII, so comparing them as strings compares bytes.
    private let methods: [String: RPCMethod]
    package let databases: DatabaseRegistry
    /// The calls in flight that have a task.
    package let admission: CallAdmission

    package init(
        databases: DatabaseRegistry, tokens: TransactionTokens = TransactionTokens(), maximumCalls: Int = 10_000,
        workers: Int = 2
    ) {
        self.databases = databases
        admission = CallAdmission(maximum: maximumCalls)
        let context = MethodContext(databases: databases, tokens: tokens, admission: admission)
        let worker = CallWorker(threads: workers)
        methods = Dictionary(
            uniqueKeysWithValues: FirestoreMethod.allCases.map { ($0.path, context.method($0, worker)) })
    }

    package func method(at path: String) -> RPCMethod? { methods[path] }

    package subscript(method: FirestoreMethod) -> RPCMethod? { methods[method.path] }
}

extension MethodContext {
    fileprivate func method(_ method: FirestoreMethod, _ worker: CallWorker) -> RPCMethod {
        switch method {
        case .getDocument: getDocument
        case .listDocuments: listDocuments
        case .createDocument: createDocument
        case .updateDocument: updateDocument
        case .deleteDocument: deleteDocument
        case .batchGetDocuments: batchGetDocuments(on: worker)
        case .beginTransaction: beginTransaction
        case .commit: commit
        case .rollback: rollback
        case .runQuery: runQuery
        case .runAggregationQuery: runAggregationQuery
        case .partitionQuery: partitionQuery
        case .write: write
        case .listen: listen
        case .listCollectionIDs: listCollectionIDs
        case .batchWrite: batchWrite
        case .executePipeline: executePipeline
        }
    }
}
