// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreRules
import FirestoreSemantics

/// A database under rules: hands the requests that the rules grant on to another service.
///
/// Rules do not apply to administrators. Only administrators may list the ids of collections, which rules cannot describe. A read is judged
/// on the state that its answer comes from, and if that is an earlier one also on the present state; a commit on the state that it is
/// applied to, and a listener for as long as it lasts. Malformed requests fail as such, before rules are asked.
package final class RuledService: DocumentService {
    package let service: any DocumentService
    let enforcement: RuleEnforcement
    let deliveries = DeliveryOrder()
    /// The listeners of this caller.
    let watches = LiveWatches()
    /// Whether `judgeListeners(as:)` may turn administrators into others, so that their listeners have to be judged, too.
    let callerMayChange: Bool

    package init(_ service: any DocumentService, _ enforcement: RuleEnforcement, callerMayChange: Bool = false) {
        self.service = service
        self.enforcement = enforcement
        self.callerMayChange = callerMayChange
    }

    deinit { for watch in watches.all { watch.cancel() } }

    /// How many requests and listeners of all callers were denied since the database was opened.
    package var denials: Int { enforcement.denials }

    package var indexAdministration: (any IndexAdministration)? { service.indexAdministration }

    package var facts: (any FactService)? { service.facts }

    package var followed: (any FollowedDatabase)? { service.followed }

    package var expiryAdministration: (any ExpiryAdministration)? { service.expiryAdministration }

    package var storeAdministration: (any StoreAdministration)? { service.storeAdministration }

    package var history: DatabaseHistory? { service.history }

    package var isShared: Bool { service.isShared }

    package func session() throws(FirestoreError) -> any DocumentService {
        RuledService(try service.session(), enforcement, callerMayChange: callerMayChange)
    }

    package func shutdown() async {
        for watch in watches.all { watch.cancel() }
        await enforcement.documents.close()
        await service.shutdown()
    }

    // MARK: Commits and transactions

    package func submit(
        _ writes: [Write], options: CommitOptions, context: RequestContext,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        var options = options
        // First: other conditions would reveal documents to which the rules do not grant the caller access. Also while
        // everything is granted:
        // rules may take effect before the commit is applied.
        if !context.isAdministrator, options.refusal == nil {
            options.conditions.insert(CommitRules(enforcement: enforcement, caller: context.caller), at: 0)
        }
        service.submit(writes, options: options, context: context, completion: completion)
    }

    package func beginTransaction(_ mode: TransactionMode, context: RequestContext) async throws(FirestoreError) -> TransactionID {
        try await service.beginTransaction(mode, context: context)
    }

    package func rollback(_ transaction: TransactionID, context: RequestContext) async throws(FirestoreError) {
        try await service.rollback(transaction, context: context)
    }

    // MARK: Queries

    package func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryResponse {
        try await underSteadyRules(context) { () async throws(FirestoreError) in
            let options = try await admit(query, options, context)
            return try await service.run(query, options: options, context: context)
        }
    }

    package func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext,
        page: @Sendable (QueryResponse) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        let version = enforcement.rules.current.number
        let options = try await admit(query, options, context)
        try await service.run(query, options: options, context: context) { (response) async throws(FirestoreError) in
            // What was sent before is of the time before.
            if !context.isAdministrator, enforcement.rules.current.number != version {
                _ = try await admit(query, options, context)
            }
            return try await page(response)
        }
    }

    package func aggregate(
        _ query: StructuredQuery, _ aggregations: [Aggregation], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> AggregationResponse {
        try AggregationCheck.check(aggregations, over: query)
        return try await underSteadyRules(context) { () async throws(FirestoreError) in
            let options = try await admit(query, options, context)
            return try await service.aggregate(query, aggregations, options: options, context: context)
        }
    }

    /// Repeats a read during which the rules were replaced: what was read afterwards must be granted by the new ones.
    func underSteadyRules<R>(
        _ context: RequestContext, _ read: () async throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        while true {
            let version = enforcement.rules.current.number
            let result = try await read()
            if context.isAdministrator || enforcement.rules.current.number == version { return result }
        }
    }

    // MARK: Explanations

    /// Checks that a caller may have queries explained: counters such as the number of scanned documents include documents to which
    /// the rules do not grant the caller access. Throws if not.
    package func admitExplanation(_ context: RequestContext) throws(FirestoreError) {
        guard context.isAdministrator || enforcement.settings.explainsToCallers else {
            throw FirestoreError(
                .permissionDenied,
                "explain_options is for administrators, because it also counts documents that are hidden from other callers; "
                    + "send an administrator's key, or ask a server in development mode")
        }
    }

    /// Judged before and after: only the latest state can be explained, which may be later than what conditions have read.
    package func explain(
        _ query: StructuredQuery, analyze: Bool, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation {
        try admitExplanation(context)
        let judged = try await admit(query, options, context)
        let explanation = try await service.explain(query, analyze: analyze, options: options, context: context)
        if judged != options { _ = try await admit(query, options, context) }
        return explanation
    }

    package func explain(
        _ query: StructuredQuery, _ aggregations: [Aggregation], analyze: Bool, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation {
        try admitExplanation(context)
        let judged = try await admit(query, options, context)
        let explanation = try await service.explain(query, aggregations, analyze: analyze, options: options, context: context)
        if judged != options { _ = try await admit(query, options, context) }
        return explanation
    }

    // MARK: Listings

    package func collectionIDs(
        under parent: DocumentKey?, after: String?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> CollectionIDsResponse {
        try await underSteadyRules(context) { () async throws(FirestoreError) in
            guard context.isAdministrator || enforcement.rules.current.isOpen else { throw .permissionDenied }
            return try await service.collectionIDs(under: parent, after: after, limit: limit, options: options, context: context)
        }
    }

    /// Judged as a list of the whole collection. A grant covers every document that the collection could have, and so the ids of missing
    /// ones.
    package func documentKeys(
        in collection: CollectionPath, after: DocumentKey?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        try await underSteadyRules(context) { () async throws(FirestoreError) in
            let options = try await admit(StructuredQuery(scope: .collection(collection), limit: limit), options, context)
            return try await service.documentKeys(in: collection, after: after, limit: limit, options: options, context: context)
        }
    }

    package func partitions(
        of query: StructuredQuery, count: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        try QueryCheck.checkPartitionable(query, count: count, database: enforcement.database)
        return try await underSteadyRules(context) { () async throws(FirestoreError) in
            let options = try await admit(query, options, context)
            return try await service.partitions(of: query, count: count, options: options, context: context)
        }
    }
}

extension RequestContext {
    var isAdministrator: Bool { if case .administrator = caller { true } else { false } }

    /// The context in which conditions read documents: rules do not apply to these reads (SR-88).
    var forRules: RequestContext { RequestContext(caller: .administrator, deadline: deadline, trace: trace) }
}

extension RulesInForce.Version {
    var isOpen: Bool { if case .open = rules { true } else { false } }

    /// Whether the time of a request makes a difference. Coverage shows whole requests.
    var mayReadTime: Bool { if case .ruleSet(let ruleSet) = rules { coverage != nil || ruleSet.mayReadTime } else { false } }
}
