// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// One attempt of a transaction: reads, then writes, then the commit (TX-12 … TX-19).
///
/// The first read begins a transaction of the service; an attempt without reads needs none. Writes have no
/// preconditions on single documents, because the service checks everything that was read.
package final class TransactionAttempt: Sendable {
    private struct State {
        var content: TransactionState
        var id: TransactionID?
        var claim: TransactionClaim?
        /// The places it has read.
        var places: Set<DocumentKey> = []
    }

    private let backend: any ClientBackend
    private let mode: TransactionMode
    private let turns: TransactionTurns
    private let state: Mutex<State>

    /// `claim`: the turns for which the attempt has waited.
    package init(
        _ mode: TransactionMode, on backend: any ClientBackend, turns: TransactionTurns, claim: TransactionClaim?
    ) {
        self.backend = backend
        self.mode = mode
        self.turns = turns
        state = Mutex(State(content: TransactionState(isReadOnly: mode.isReadOnly), claim: claim))
    }

    // MARK: Reads

    package func document(_ key: DocumentKey) async throws(FirestoreError) -> Document? {
        let id = try await beginReading(at: key.path)
        let document = try await backend.documents([key], at: .transaction(id)).documents.first ?? nil
        state.withLock { $0.content.read(key, document) }
        return document
    }

    package func run(_ query: ClientQuery) async throws(FirestoreError) -> ViewSnapshot {
        let id = try await beginReading(at: query.query.scope.place)
        return try await backend.run(query, at: .transaction(id))
    }

    /// Runs a pipeline. What it writes is written by the commit.
    package func execute(_ pipeline: PipelineRequest) async throws(FirestoreError) -> PipelinePage {
        if mode.isReadOnly, pipeline.writes { throw .invalidArgument("a read-only transaction cannot run a pipeline that writes") }
        let id = try await beginReading(at: pipeline.source ?? "the root")
        return try await backend.execute(pipeline, from: .server, options: PipelineOptions(.transaction(id)))
    }

    private func beginReading(at place: String) async throws(FirestoreError) -> TransactionID {
        try state.withLock { state throws(FirestoreError) in
            try state.content.checkMayRead(place)
            state.places.insert(DocumentKey(trusted: place))
        }
        if let id = state.withLock({ $0.id }) { return id }
        // Before the snapshot is taken: its data must not be old when the turn comes.
        if !mode.isReadOnly, state.withLock({ $0.claim == nil }), let claim = await turns.claim(beginningAt: place) {
            state.withLock { $0.claim = claim }
        }
        let begun = try await backend.beginTransaction(mode)
        let id = state.withLock { state in
            let id = state.id ?? begun
            state.id = id
            return id
        }
        // Two concurrent reads have begun one transaction each.
        if id != begun { await backend.rollback(begun) }
        return id
    }

    // MARK: Writes

    package func write(_ write: Write) { state.withLock { $0.content.write(write) } }

    /// Makes the commit fail.
    package func fail(_ error: FirestoreError) { state.withLock { $0.content.fail(error) } }

    // MARK: Ending

    /// Commits, or fails immediately if the commit cannot succeed.
    package func commit(_ completion: @escaping @Sendable (Result<Void, FirestoreError>) -> Void) {
        let (content, id) = state.withLock { ($0.content, $0.id) }
        do throws(FirestoreError) {
            let writes = try content.commit()
            // A read-only transaction has nothing to commit (TX-6).
            if mode.isReadOnly {
                abandon()
                return completion(.success(()))
            }
            backend.commit(writes, in: id) { completion($0.map { _ in () }) }
        } catch {
            abandon()
            completion(.failure(error))
        }
    }

    /// Ends the attempt without a commit.
    package func abandon() {
        guard let id = state.withLock({ $0.id }) else { return }
        Task { [backend] in await backend.rollback(id) }
    }

    /// Ends the turns of the attempt.
    package func endTurns() {
        let claim = state.withLock { state in
            defer { state.claim = nil }
            return state.claim
        }
        claim?.end()
    }

    /// How the next attempt begins: a server that others use, too, learns which transaction is tried again, so that it can keep its
    /// place in line.
    package var modeOfRetry: TransactionMode {
        guard backend.isShared, case .readWrite(let earlier) = mode else { return mode }
        return .readWrite(retrying: earlier ?? state.withLock { $0.id })
    }

    /// The turns for the next attempt, after waiting for them, and whether the wait replaces the backoff: a transaction
    /// that fails in spite of its turns conflicts with another process, which does not take turns.
    package func claim(after error: FirestoreError) async -> (claim: TransactionClaim?, hasWaited: Bool) {
        let (places, held) = state.withLock { state in
            defer { state.claim = nil }
            return (state.places, state.claim)
        }
        let claim = await turns.claim(after: error, at: places, held: held)
        guard let claim, claim.differs(from: held) else { return (claim, false) }
        return (claim, !backend.isShared || claim.losses == 1)
    }
}

extension TransactionMode {
    var isReadOnly: Bool { if case .readOnly = self { true } else { false } }
}
