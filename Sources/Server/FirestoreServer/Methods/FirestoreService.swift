// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC
package import FirestoreWire

/// `google.firestore.v1.Firestore` over a registry of databases.
package final class FirestoreService: RPCService {
    /// Paths are ASCII, so comparing them as strings compares bytes.
    private let methods: [String: RPCMethod]
    /// The methods by path, for calls that are not counted.
    private let uncounted: [String: RPCMethod]
    /// Counts the documents that the methods have read and written.
    let figures = DocumentFigures()
    private let names: [String: FirestoreMethod]
    /// The calls that the console shows; nil without a console.
    package let requests: ConsoleRequests?
    package let databases: DatabaseRegistry
    /// The calls in flight that have a task.
    package let admission: CallAdmission
    let identification: CallIdentification
    /// The streams that end with the identities of their callers.
    let streams: LiveStreams

    /// - Parameter clock: The clock by which tokens expire while streams last.
    package init(
        databases: DatabaseRegistry, authentication: any CallAuthentication = UnprovedAuthentication(),
        tokens: TransactionTokens = TransactionTokens(), maximumCalls: Int = 10_000, workers: Int = 2,
        clock: any WallClock = SystemClock(), requests: ConsoleRequests? = nil
    ) {
        self.requests = requests
        self.databases = databases
        admission = CallAdmission(maximum: maximumCalls)
        identification = CallIdentification(authentication)
        streams = LiveStreams(authentication, clock: clock)
        let worker = CallWorker(threads: workers)
        let (identification, streams, admission) = (self.identification, self.streams, self.admission)
        func methods(_ figures: DocumentFigures?) -> [String: RPCMethod] {
            let context = MethodContext(
                identification: identification, streams: streams, databases: databases, tokens: tokens, admission: admission,
                figures: figures)
            return Dictionary(uniqueKeysWithValues: FirestoreMethod.allCases.map { ($0.path, context.method($0, worker)) })
        }
        self.methods = methods(figures)
        uncounted = methods(nil)
        names = Dictionary(uniqueKeysWithValues: FirestoreMethod.allCases.map { ($0.path, $0) })
    }

    package func method(at path: String) -> RPCMethod? { method(at: path, over: .grpc) }

    /// The method for calls that are not counted: the console's own.
    func uncountedMethod(at path: String) -> RPCMethod? { uncounted[path] }

    package subscript(method: FirestoreMethod) -> RPCMethod? { self.method(at: method.path) }

    /// Every transport gets its methods here, so that the console sees all calls.
    package func method(at path: String, over transport: ServerMetrics.Transport) -> RPCMethod? {
        guard let method = methods[path] else { return nil }
        guard let requests, let name = names[path] else { return method }
        return requests.collecting(method, name, transport)
    }
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
