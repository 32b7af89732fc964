package import FirestoreCore

/// One run of a transaction: reads, then writes, then the commit (TX-12 … TX-19).
///
/// A transaction of the service is begun with the first read: who only writes needs none. Without preconditions on
/// single documents, because the service checks everything that was read.
package final class TransactionAttempt: Sendable {
    private struct State {
        var content: TransactionState
        var id: TransactionID?
        var claim: TransactionClaim?
        /// Where it has read.
        var places: Set<DocumentKey> = []
    }

    private let backend: any ClientBackend
    private let mode: TransactionMode
    private let turns: TransactionTurns
    private let state: Mutex<State>

    /// `claim`: the turns the attempt has waited for.
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

    private func beginReading(at place: String) async throws(FirestoreError) -> TransactionID {
        try state.withLock { state throws(FirestoreError) in
            try state.content.checkMayRead(place)
            state.places.insert(DocumentKey(trusted: place))
        }
        if let id = state.withLock({ $0.id }) { return id }
        // Before there is a snapshot: what it shows must not be old when the turn comes.
        if !mode.isReadOnly, state.withLock({ $0.claim == nil }), let claim = await turns.claim(beginningAt: place) {
            state.withLock { $0.claim = claim }
        }
        let begun = try await backend.beginTransaction(mode)
        let id = state.withLock { state in
            let id = state.id ?? begun
            state.id = id
            return id
        }
        // Two reads at once have begun one each.
        if id != begun { await backend.rollback(begun) }
        return id
    }

    // MARK: Writes

    package func write(_ write: Write) { state.withLock { $0.content.write(write) } }

    /// Makes the commit fail.
    package func fail(_ error: FirestoreError) { state.withLock { $0.content.fail(error) } }

    // MARK: The end

    /// Commits, or fails without trying when that cannot succeed.
    package func commit(_ completion: @escaping @Sendable (Result<Void, FirestoreError>) -> Void) {
        let (content, id) = state.withLock { ($0.content, $0.id) }
        do throws(FirestoreError) {
            let writes = try content.commit()
            // There is nothing a read-only transaction could commit (TX-6).
            if mode.isReadOnly {
                abandon()
                return completion(.success(()))
            }
            backend.write(writes, in: id) { completion($0.map { _ in () }) }
        } catch {
            abandon()
            completion(.failure(error))
        }
    }

    /// Gives up without a commit.
    package func abandon() {
        guard let id = state.withLock({ $0.id }) else { return }
        Task { [backend] in await backend.rollback(id) }
    }

    /// Ends the turns the attempt had.
    package func endTurns() {
        let claim = state.withLock { state in
            defer { state.claim = nil }
            return state.claim
        }
        claim?.end()
    }

    /// What the next attempt may go ahead with, once it has waited for that, and whether it has waited enough: who loses in
    /// spite of a turn has lost to another process, which knows no turns.
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
