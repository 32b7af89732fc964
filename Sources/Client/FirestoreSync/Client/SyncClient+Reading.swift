// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension SyncClient {
    package func documents(
        _ keys: [DocumentKey], from source: ReadSource, at moment: ReadMoment
    ) async throws(FirestoreError) -> LookupSnapshot {
        guard case .latest = moment else {
            try admitToServer("a read at a moment or in a transaction")
            let response = try await service.documents(keys, options: ReadOptions(moment), context: context)
            return LookupSnapshot(readTime: response.readTime, documents: response.documents)
        }
        if let error = terminationError() { throw error }
        if source == .cache { return try await cached(keys) }
        var result = LookupSnapshot(readTime: .none, documents: [])
        for key in keys {
            let snapshot = try await once(.document(key), source)
            if let error = Self.refusal(of: snapshot, for: key, source) { throw await explained(error) }
            result.documents.append(snapshot.documents.first)
            result.pendingKeys.formUnion(snapshot.pendingKeys)
            result.isFromCache = result.isFromCache || snapshot.isFromCache
            result.readTime = max(result.readTime, snapshot.readTime)
        }
        return result
    }

    package func run(
        _ query: ClientQuery, from source: ReadSource, at moment: ReadMoment
    ) async throws(FirestoreError) -> ViewSnapshot {
        if source == .cache, case .latest = moment { return try await cached(query) }
        // What a listener cannot show, and moments that the cache does not have, are the server's to answer.
        guard case .latest = moment, query.query.nearest == nil, query.query.projection == nil, query.query.offset == 0 else {
            try admitToServer("this query")
            let response = try await service.run(query.serviceQuery, options: ReadOptions(moment), context: context)
            let documents = query.limitsToLast ? response.documents.reversed() : response.documents
            return ViewSnapshot(documents: DocumentList(sharing: documents), changes: nil, readTime: response.readTime)
        }
        if let error = terminationError() { throw error }
        let snapshot = try await once(.query(query), source)
        if source == .server, snapshot.isFromCache {
            throw await explained(
                FirestoreError(
                    .unavailable,
                    "Failed to get documents from server. However, these documents may exist in the local cache; "
                        + "run the query again without the source .server to get them.",
                    at: query.query.scope.place))
        }
        return snapshot
    }

    package func aggregate(
        _ query: ClientQuery, _ aggregations: [Aggregation], from source: ReadSource
    ) async throws(FirestoreError) -> AggregationResponse {
        switch source {
        case .server: return try await aggregateOnServer(query, aggregations)
        case .cache: return try await aggregateInCache(query, aggregations)
        case .default:
            // A client that is known to be offline does not wait for the server.
            if try await onStore({ (engine) throws(FirestoreError) in engine.isOffline }) {
                return try await aggregateInCache(query, aggregations)
            }
            do throws(FirestoreError) {
                return try await aggregateOnServer(query, aggregations)
            } catch {
                guard error.code == .unavailable || error.code == .deadlineExceeded else { throw error }
                return try await aggregateInCache(query, aggregations)
            }
        }
    }

    private func aggregateOnServer(
        _ query: ClientQuery, _ aggregations: [Aggregation]
    ) async throws(FirestoreError) -> AggregationResponse {
        try admitToServer("an aggregation")
        return try await service.aggregate(query.serviceQuery, aggregations, options: .latest, context: context)
    }

    private func aggregateInCache(
        _ query: ClientQuery, _ aggregations: [Aggregation]
    ) async throws(FirestoreError) -> AggregationResponse {
        try await onStore { (engine) throws(FirestoreError) in
            AggregationResponse(
                readTime: engine.readTime, values: try engine.store.aggregate(query.serviceQuery, aggregations), isFromCache: true)
        }
    }

    package func explainFromCache(_ query: ClientQuery, analyze: Bool) async throws(FirestoreError) -> QueryExplanation? {
        try await onStore { (engine) throws(FirestoreError) in try engine.store.explain(query, analyze: analyze) }
    }

    package func completeness(of query: ClientQuery) async throws(FirestoreError) -> CacheCompleteness? {
        try await onStore { (engine) throws(FirestoreError) in CacheCompleteness(asOf: try engine.store.completeVersion(of: query)) }
    }

    package func explain(_ query: ClientQuery, analyze: Bool) async throws(FirestoreError) -> QueryExplanation {
        try admitToServer("an explanation")
        return try await service.explain(query.serviceQuery, analyze: analyze, options: .latest, context: context)
    }

    // MARK: From the cache

    /// Reads of up to this many documents are cheaper than a hop to the engine's queue and back.
    private static let few = 32

    private func cached(_ keys: [DocumentKey]) async throws(FirestoreError) -> LookupSnapshot {
        if keys.count <= Self.few,
            let found = try runner.now({ (engine) throws(FirestoreError) in try Self.lookup(keys, in: engine) })
        {
            return found
        }
        return try await onStore { (engine) throws(FirestoreError) in try Self.lookup(keys, in: engine) }
    }

    private static func lookup(_ keys: [DocumentKey], in engine: SyncEngine) throws(FirestoreError) -> LookupSnapshot {
        var result = LookupSnapshot(readTime: engine.readTime, documents: [], isFromCache: true)
        for document in try engine.store.documents(keys) {
            switch document.content {
            case .found(let found):
                result.documents.append(found)
                if document.hasLocalMutations { result.pendingKeys.insert(document.key) }
            case .missing: result.documents.append(nil)
            case .unknown, .none:
                throw FirestoreError(
                    .unavailable,
                    "Failed to get document from cache. However, this document may exist on the server; "
                        + "run the read again without the source .cache to get it.",
                    at: document.key.path)
            }
        }
        return result
    }

    private func cached(_ query: ClientQuery) async throws(FirestoreError) -> ViewSnapshot {
        let few = try runner.now { (engine) throws(FirestoreError) in
            try engine.localResult(of: query, ifAtMost: Self.few).map { Self.snapshot(of: $0, in: engine) }
        }
        if let few { return few }
        return try await onStore { (engine) throws(FirestoreError) in
            Self.snapshot(of: try engine.localResult(of: .query(query)), in: engine)
        }
    }

    private static func snapshot(of documents: [LocalDocument], in engine: SyncEngine) -> ViewSnapshot {
        ViewSnapshot(
            documents: DocumentList(sharing: documents.compactMap(\.document)), changes: nil, readTime: engine.readTime,
            pendingKeys: KeySet(documents.lazy.filter(\.hasLocalMutations).map(\.key)), isFromCache: true)
    }

    /// Runs `body` on the engine's queue.
    func onStore<R: Sendable>(
        _ body: @escaping @Sendable (SyncEngine) throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        try await runner.call(body)
    }

    // MARK: From the server, or from the cache if it cannot be reached

    /// The first event of a listener that waits for the server while the client may be online (SY-130). An answer of the cache that
    /// did not wait is followed by the server's, which the cache takes. Acknowledged writes that the watch has not reported yet are
    /// waited for: of a document that the cache did not hold, the acknowledgement leaves the written fields only.
    private func once(_ target: ClientTarget, _ source: ReadSource) async throws(FirestoreError) -> ViewSnapshot {
        let registration = SyncRegistration(runner)
        let prefersCache = isCacheFirst && source == .default
        let options = SyncListener.Options(
            source: source, includeMetadataChanges: true, waitsForSync: true, prefersCache: prefersCache, confirmsWrites: true)
        let answer = OneAnswer()
        let following = Following()
        defer { if !prefersCache || !following.isWanted(registration, in: followed) { registration.end() } }
        readStarted(answer)
        defer { readEnded(answer) }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.wait(continuation)
                registration.begin(target, options) { event in
                    following.take(event)
                    switch event {
                    case .snapshot(let snapshot), .replacement(let snapshot): answer.give(.success(snapshot))
                    case .failure(let error): answer.give(.failure(error))
                    }
                }
            }
        } onCancel: {
            answer.give(.failure(FirestoreError(.cancelled, "the read was canceled")))
        }
        return try result.get()
    }

    /// Why the answer to a read of one document is none (SY-131).
    private static func refusal(of snapshot: ViewSnapshot, for key: DocumentKey, _ source: ReadSource) -> FirestoreError? {
        guard snapshot.isFromCache else { return nil }
        if snapshot.documents.isEmpty {
            return FirestoreError(.unavailable, "Failed to get document because the client is offline.", at: key.path)
        }
        guard source == .server else { return nil }
        return FirestoreError(
            .unavailable,
            "Failed to get document from server. However, this document does exist in the local cache; "
                + "run the read again without the source .server to get it.",
            at: key.path)
    }

    /// The error with the reason why the server gave no answer: with wrong credentials the code is that of a missing network, as in the
    /// original.
    private func explained(_ error: FirestoreError) async -> FirestoreError {
        var error = error
        if let reason = try? await onStore({ $0.streams.offlineReason }) { error.message += " " + reason }
        return error
    }
}

/// The first of several answers.
final class OneAnswer: Sendable {
    typealias Answer = Result<ViewSnapshot, FirestoreError>

    private enum State {
        case nothing
        case waiting(CheckedContinuation<Answer, Never>)
        case answered(Answer)
        case done
    }

    private let state = Mutex(State.nothing)

    func wait(_ continuation: CheckedContinuation<Answer, Never>) {
        let answer = state.withLock { state -> Answer? in
            guard case .answered(let answer) = state else {
                state = .waiting(continuation)
                return nil
            }
            state = .done
            return answer
        }
        if let answer { continuation.resume(returning: answer) }
    }

    func give(_ answer: Answer) {
        let waiting = state.withLock { state -> CheckedContinuation<Answer, Never>? in
            switch state {
            case .nothing:
                state = .answered(answer)
                return nil
            case .waiting(let continuation):
                state = .done
                return continuation
            case .answered, .done: return nil
            }
        }
        waiting?.resume(returning: answer)
    }
}
