import FirestoreCore

/// Lets transactions that get in each other's way go one after the other.
///
/// The database is optimistic: of those that read and write the same document at the same time one commits and all
/// others have worked in vain. Sixty-four that try at once need sixty-four rounds, and a transaction has five. So after
/// a conflict a transaction waits for its turn at the place of the conflict, and while there is a line at a place, those
/// who read there for the first time queue up as well. Everybody else is not slowed down.
///
/// A turn is a courtesy, not a lock: whether a commit holds is decided by the database alone. A transaction has at most
/// one turn, so nobody waits in a circle, and nobody waits longer than `patience`, so a block that takes its time holds
/// nobody up for good.
package final class TransactionTurns: Sendable {
    private typealias Ticket = TransactionLanes.Ticket

    private struct State {
        var lanes: TransactionLanes
        var waiting: [Ticket: CheckedContinuation<Ticket?, Never>] = [:]
    }

    private let state: Mutex<State>
    private let patience: Duration

    package init(patience: Duration = .seconds(1), capacity: Int = 128) {
        state = Mutex(State(lanes: TransactionLanes(capacity: capacity)))
        self.patience = patience
    }

    /// A turn at a place; nil if it did not come in time or, unless there was a conflict, if nobody queues there.
    package func turn(at place: String, afterConflict: Bool) async -> TransactionTurn? {
        let place = DocumentKey(trusted: place)
        let ticket: Ticket? = await withCheckedContinuation { continuation in
            let entry = state.withLock { state in
                let entry = state.lanes.enter(place, opensLane: afterConflict)
                if case .wait(let ticket) = entry { state.waiting[ticket] = continuation }
                return entry
            }
            switch entry {
            case .free, .full: continuation.resume(returning: nil)
            case .turn(let ticket): continuation.resume(returning: ticket)
            case .wait(let ticket): setTimer(for: ticket, at: place)
            }
        }
        return ticket.map { TransactionTurn($0, at: place, of: self) }
    }

    private func setTimer(for ticket: Ticket, at place: DocumentKey) {
        Task { [patience] in
            // Nobody cancels this task; if somebody could, the wait would only be shorter.
            try? await Task.sleep(for: patience)
            let continuation = state.withLock { state in
                guard let continuation = state.waiting.removeValue(forKey: ticket) else { return .none }
                _ = state.lanes.leave(place, ticket)
                return continuation
            } as CheckedContinuation<Ticket?, Never>?
            continuation?.resume(returning: nil)
        }
    }

    fileprivate func end(_ ticket: TransactionLanes.Ticket, at place: DocumentKey) {
        let next = state.withLock { state -> (Ticket, CheckedContinuation<Ticket?, Never>)? in
            guard let next = state.lanes.leave(place, ticket), let continuation = state.waiting.removeValue(forKey: next)
            else { return nil }
            return (next, continuation)
        }
        if let (ticket, continuation) = next { continuation.resume(returning: ticket) }
    }
}

/// The right to try alone at one place; ends with `end` or when it is dropped.
package final class TransactionTurn: Sendable {
    private let ticket: TransactionLanes.Ticket
    private let place: DocumentKey
    private let turns: TransactionTurns
    private let isOver = Mutex(false)

    fileprivate init(_ ticket: TransactionLanes.Ticket, at place: DocumentKey, of turns: TransactionTurns) {
        self.ticket = ticket
        self.place = place
        self.turns = turns
    }

    deinit { end() }

    func isAt(_ place: String) -> Bool { self.place == DocumentKey(trusted: place) }

    package func end() {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        if isFirst { turns.end(ticket, at: place) }
    }
}
