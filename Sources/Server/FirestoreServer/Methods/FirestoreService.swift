// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC
package import FirestoreWire

/// `google.firestore.v1.Firestore` over a registry of databases.
package final class FirestoreService: RPCService {
    /// Paths are ASCII, so comparing them as strings compares bytes.
    private typealias Methods = [String: RPCMethod]

    private let methods: [ServerMetrics.Transport: Methods]
    /// The methods for calls that are not counted.
    private let uncounted: Methods
    /// Counts the documents that the methods have read and written.
    package let figures = DocumentFigures()
    /// Records all calls but those that are not counted; nil for a server that records none.
    package let recorder: (any CallRecorder)?
    package let databases: DatabaseRegistry
    /// The calls in flight that have a task.
    package let admission: CallAdmission
    package let identification: CallIdentification
    /// The streams that end with the identities of their callers.
    let streams: LiveStreams

    /// - Parameters:
    ///   - clock: The clock by which tokens expire while streams last.
    ///   - fronts: What stands in front of the databases for calls that are counted, the outermost first.
    ///   - address: Finds the addresses of clients, where callers without credentials are distinguished; nil where they are not.
    package init(
        databases: DatabaseRegistry, authentication: any CallAuthentication = UnprovedAuthentication(),
        tokens: TransactionTokens = TransactionTokens(), maximumCalls: Int = 10_000, workers: Int = 2,
        clock: any WallClock = SystemClock(), recorder: (any CallRecorder)? = nil, fronts: [any DatabaseFront] = [],
        address: (@Sendable (RPCCallInfo) -> String)? = nil
    ) {
        self.recorder = recorder
        self.databases = databases
        admission = CallAdmission(maximum: maximumCalls)
        identification = CallIdentification(authentication, address: address)
        streams = LiveStreams(authentication, clock: clock)
        let worker = LookupBatcher(threads: workers)
        let (identification, streams, admission) = (self.identification, self.streams, self.admission)
        func methods(_ figures: DocumentFigures?) -> Methods {
            let context = MethodContext(
                identification: identification, streams: streams, databases: databases, tokens: tokens, admission: admission,
                figures: figures, fronts: figures == nil ? [] : fronts)
            return Dictionary(uniqueKeysWithValues: FirestoreMethod.allCases.map { ($0.path, context.method($0, worker)) })
        }
        let counted = methods(figures)
        self.methods = Dictionary(
            uniqueKeysWithValues: ServerMetrics.Transport.allCases.map { transport in
                guard let recorder else { return (transport, counted) }
                var recorded = counted
                for name in FirestoreMethod.allCases {
                    recorded[name.path] = counted[name.path].map { recorder.recording($0, name, transport) }
                }
                return (transport, recorded)
            })
        uncounted = methods(nil)
    }

    package func method(at path: String) -> RPCMethod? { method(at: path, over: .grpc) }

    /// The method for calls that are not counted: the console's own.
    package func uncountedMethod(at path: String) -> RPCMethod? { uncounted[path] }

    package subscript(method: FirestoreMethod) -> RPCMethod? { self.method(at: method.path) }

    package func method(at path: String, over transport: ServerMetrics.Transport) -> RPCMethod? { methods[transport]?[path] }
}

extension MethodContext {
    fileprivate func method(_ method: FirestoreMethod, _ worker: LookupBatcher) -> RPCMethod {
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
