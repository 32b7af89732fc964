// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreIndexing
import FirestoreSemantics
import FirestoreSQLite
import FirestoreStorage

/// The embedded database: everything a Firestore server does, in this process, on one SQLite file or in memory.
///
/// Opening a file that is already open in this process returns another handle on the same engine; the file is closed when the
/// last handle shuts down. A second process is rejected.
package final class Engine: DocumentService {
    let core: EngineCore
    let handle: EngineHandle

    init(_ handle: EngineHandle) { (core, self.handle) = (handle.core, handle) }

    /// Takes over one of the core's counted handles.
    convenience init(core: EngineCore) { self.init(EngineHandle(core: core)) }

    package static func open(_ configuration: EngineConfiguration) throws(FirestoreError) -> Engine {
        switch configuration.location {
        case .memory:
            let store = try SQLiteStore.openInMemory(databaseID: configuration.databaseID, opening: configuration.opening)
            let core = EngineCore(store: store, configuration: configuration)
            try core.start()
            core.retain()
            return Engine(core: core)
        case .file(let path):
            return Engine(core: try EngineRegistry.shared.open(path, configuration))
        case .cluster(let cluster):
            return Engine(core: try EngineRegistry.shared.open(cluster, configuration))
        }
    }

    deinit { handle.startRelease() }

    package var indexAdministration: (any IndexAdministration)? { self }

    package var facts: (any FactService)? { self }

    package var followed: (any FollowedDatabase)? { self }

    package var expiryAdministration: (any ExpiryAdministration)? { self }

    package var storeAdministration: (any StoreAdministration)? { self }

    package var history: DatabaseHistory? { core.store.history }

    /// Calls `body` once, when this engine cannot continue because the history of a shared database was cut: shut it down, and open the
    /// database again.
    package func whenEnded(_ body: @escaping @Sendable () -> Void) { core.end.whenEnded(body) }

    /// A second process cannot open a file.
    package var isShared: Bool { core.isShared }

    // MARK: DocumentService

    package func submit(
        _ writes: [Write], options: CommitOptions, context: RequestContext,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        submit(writes, most: Limits.requestBytes, options: options, context: context, completion: completion)
    }

    /// Submits a commit of at most so many bytes.
    func submit(
        _ writes: [Write], most: Int, options: CommitOptions, context: RequestContext,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        var rejection: FirestoreError?
        var end: EngineCore.TransactionEnd?
        // The caller's come first: they may decide what the caller gets to know about the others.
        var conditions = options.conditions
        var sequencePlace = options.place
        do throws(FirestoreError) {
            do throws(FirestoreError) {
                try admit(context)
                if let refusal = options.refusal { throw refusal }
                try core.writeAdmission?.admit(writes, for: context.caller)
            } catch {
                // The failure says nothing about the commit, so it is not recorded as its outcome.
                sequencePlace = options.place.map { SequencePlace($0.sequence, number: $0.number) }
                throw error
            }
            // First: even if the writes are invalid, the transaction ends (TX-9).
            if let transaction = options.transaction {
                let ended = try core.end(transaction, for: writes)
                conditions += ended.conditions
                end = ended
            }
            try WriteCheck.check(writes, most: most)
        } catch {
            rejection = error
        }
        var finish = completion
        let staged = end?.staged ?? []
        if let transaction = options.transaction {
            finish = { [core, end, count = staged.count] result in
                // Before the caller can try again.
                core.committed(transaction, end, result)
                // The writes of pipelines were answered before.
                completion(count == 0 ? result : result.map { $0.droppingResults(count) })
            }
        }
        let place = core.committer.submit(
            PendingCommit(
                writes: staged + writes, conditions: conditions, endsTransaction: options.transaction != nil, deadline: context.deadline,
                rejection: rejection, place: sequencePlace, completion: finish))
        handle.submitted(place)
    }

    package func documents(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> LookupResponse {
        let found = try await read(DocumentRead(keys: keys), options, context)
        return LookupResponse(readTime: found.time, documents: found.answer)
    }

    package func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryResponse {
        try QueryCheck.check(query, database: core.databaseID)
        try core.indexes.admit(query)
        let read = QueryRead(query: query, database: core.databaseID, indexes: core.indexes, report: ReadReport(context.meter))
        let found = try await self.read(read, options, context)
        return QueryResponse(readTime: found.time, documents: found.answer)
    }

    package func aggregate(
        _ query: StructuredQuery, _ aggregations: [Aggregation], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> AggregationResponse {
        try QueryCheck.check(query, database: core.databaseID)
        try AggregationCheck.check(aggregations, over: query)
        try core.indexes.admit(query)
        let found = try await read(
            AggregationRead(
                query: query, aggregations: aggregations, database: core.databaseID, indexes: core.indexes,
                report: ReadReport(context.meter)), options, context)
        return AggregationResponse(readTime: found.time, values: found.answer)
    }

    package func beginTransaction(
        _ mode: TransactionMode, context: RequestContext
    ) async throws(FirestoreError) -> TransactionID {
        try admit(context)
        return try await core.beginTransaction(mode, owner: handle.number, caller: context.caller)
    }

    package func rollback(_ transaction: TransactionID, context: RequestContext) async throws(FirestoreError) {
        try admit(context)
        try core.rollback(transaction)
    }

    package func watch(
        _ target: WatchTarget, from resumption: WatchResumption?, context: RequestContext, sink: any WatchSink
    ) -> any WatchHandle {
        let registration = core.hub.register(target, from: resumption, owner: handle.number, sink: sink)
        do {
            try admit(context)
            if case .query(let query) = target {
                try QueryCheck.checkListenable(query, database: core.databaseID)
                try core.indexes.admit(query)
            }
            // The view starts from a state that includes everything submitted before this call.
            core.committer.afterPendingCommits { [core] in
                core.feed.afterAcknowledged { result in
                    switch result {
                    case .success: core.hub.start(registration)
                    case .failure(let error): core.hub.reject(registration, error)
                    }
                }
            }
        } catch {
            core.hub.reject(registration, error)
        }
        return registration
    }

    package func watchRounds(context: RequestContext, _ body: @escaping @Sendable (DocumentVersion) -> Void) -> any WatchHandle {
        core.hub.observeRounds(owner: handle.number, body)
    }

    package func shutdown() async { await handle.release() }

    package func shutdownSessions() async { await handle.releaseFamily() }

    /// Checks the database for inconsistencies; empty if there are none. Reads all of it.
    package func check() throws(FirestoreError) -> [String] {
        try DatabaseInspection.report(of: core.store).findings.map(\.description)
    }

    /// Limits the size of the database; writes beyond it fail with `resourceExhausted`. nil removes the limit.
    package func limitSize(toPages pages: Int?) throws(FirestoreError) { try core.file("limiting its size").limitSize(toPages: pages) }

    /// Every read goes through here, at any moment.
    func read<Operation: ReadOperation>(
        _ operation: Operation, _ options: ReadOptions, _ context: RequestContext
    ) async throws(FirestoreError) -> Timed<Operation.Answer> {
        try admit(context)
        if try core.mustWait(for: options.moment, seesSubmitted: options.seesSubmitted) {
            await core.committer.pendingCommits()
            try admit(context)
        }
        return try await core.read(operation, at: options.moment, meter: context.meter)
    }

    /// Whether transactions are open, through any handle.
    package var hasOpenTransactions: Bool { core.openTransactions > 0 }

    package func abandon() async { await core.abandon() }

    package func finishCommits() async { await core.committer.pendingCommits() }

    func checkIsOpen() throws(FirestoreError) {
        if handle.isReleased { throw core.end.closedError }
    }

    /// Checks every call first.
    func admit(_ context: RequestContext) throws(FirestoreError) {
        try checkIsOpen()
        if let deadline = context.deadline, deadline <= .now { throw .deadlineExceeded }
    }
}

extension CommitResponse {
    /// Without the results of the first writes.
    fileprivate func droppingResults(_ count: Int) -> CommitResponse {
        CommitResponse(commitTime: commitTime, results: Array(results.dropFirst(count)))
    }
}

extension FirestoreError {
    static let earlierWriteFailed = FirestoreError(.aborted, "an earlier write of the sequence has failed")
    static let deadlineExceeded = FirestoreError(.deadlineExceeded, "the deadline of the request has passed")
}
