// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A request that rules are asked about.
package struct RulesRequest: Sendable {
    package enum Operation: Sendable {
        case get([DocumentKey])
        /// A query, an aggregation, a list of documents or a listener.
        indirect case list(StructuredQuery)
        /// A pipeline: every source is a list or a get. Without `request.query`, and always with strict lists, as in the service.
        indirect case pipeline(PipelineReads)
        case commit([Write])
    }

    package var operation: Operation
    package var caller: RequestContext.Caller
    package var database: DatabaseID
    /// `request.time`: of a commit the time that it will have.
    package var time: TimestampValue
    package var isInTransaction: Bool
    /// Rejects lists that a condition grants only because filters do not mention a field (SR-96).
    package var strictLists: Bool
    /// How long the answer is wanted.
    package var patience = Patience.endless

    package init(
        _ operation: Operation, caller: RequestContext.Caller, database: DatabaseID, time: TimestampValue, isInTransaction: Bool = false,
        strictLists: Bool = false
    ) {
        self.operation = operation
        self.caller = caller
        self.database = database
        self.time = time
        self.isInTransaction = isInTransaction
        self.strictLists = strictLists
    }

    var isOfPipeline: Bool { if case .pipeline = operation { true } else { false } }

    /// Every commit is treated as a transaction.
    var countsAsTransaction: Bool {
        if case .commit = operation { true } else { isInTransaction }
    }
}

extension RulesRequest.Operation {
    /// The request in a word and a path, for decisions without statements: `get cities/SF`.
    package var summary: String {
        switch self {
        case .get(let keys): "get \(keys.first?.path ?? "of no documents")"
        case .list(let query): "list \(query.scope.requestPath.isEmpty ? "documents" : query.scope.requestPath)"
        case .pipeline(let reads):
            reads.lists.first.map { RulesRequest.Operation.list($0).summary } ?? RulesRequest.Operation.get(reads.keys).summary
        case .commit(let writes): writes.first.map { "write \($0.key.path)" } ?? "commit without writes"
        }
    }
}

/// The answer of rules to a request.
package struct RulesDecision: Sendable {
    package var isGranted: Bool
    /// The documents that conditions have read. The answer may change when one of them does.
    package var readDocuments: [DocumentKey]
    /// Whether a condition looked at `request.time`: the answer may change as time passes.
    package var usesTime: Bool
    /// The arguments of `debug()`: the position, and the value as JSON.
    package var debugged: [(position: SourcePosition, value: JSON)]

    /// The decision of rules that grant everything.
    package static let open = RulesDecision(isGranted: true, readDocuments: [], usesTime: false, debugged: [])
}
