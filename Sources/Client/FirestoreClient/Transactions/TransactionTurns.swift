// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Lets conflicting transactions run one after the other.
///
/// The database uses optimistic concurrency control: of the transactions that read and write the same document at the
/// same time, one commits and all others have to be repeated. Sixty-four concurrent transactions would need sixty-four
/// rounds, and each has five attempts. Therefore, after a conflict a transaction waits for its turn at every place it
/// has read, and while a place has a queue, transactions that begin by reading there wait as well. If a transaction
/// fails in spite of that, because of one that began elsewhere, all transactions that have not begun wait until it has
/// finished. Other transactions are not delayed.
///
/// A turn is advisory, not a lock: only the database decides whether a commit succeeds. Turns are taken in the order of
/// the places, so a deadlock cannot occur. A wait ends after `patience` if no queue moves, and after twenty times that
/// in any case: a slow block does not delay others indefinitely.
package final class TransactionTurns: Sendable {
    private typealias Ticket = TransactionLanes.Ticket

    private struct State {
        var lanes: TransactionLanes
        var waiting: [Ticket: CheckedContinuation<Ticket?, Never>] = [:]
        /// When a turn last ended.
        var lastMove = ContinuousClock.now
    }

    private let state: Mutex<State>
    private let patience: Duration

    package init(patience: Duration = .seconds(1), capacity: Int = 128) {
        state = Mutex(State(lanes: TransactionLanes(capacity: capacity)))
        self.patience = patience
    }

    /// Before the first read at a place: waits if the place has a queue.
    func claim(beginningAt place: String) async -> TransactionClaim? {
        let deadline = ContinuousClock.now + patience
        // A transaction in trouble runs first, alone; afterwards all others may begin together.
        await turn(at: TransactionClaim.everywhere, opensLane: false, until: deadline)?.end()
        let turn = await turn(at: DocumentKey(trusted: place), opensLane: false, until: deadline)
        return turn.map { TransactionClaim(losses: 0, turns: [$0]) }
    }

    /// The turns for the next attempt, after an attempt that has read at some places has failed; nil if it needs none.
    /// The previous ones if there are no better ones. A server does not report the place of the conflict.
    func claim(
        after error: FirestoreError, at places: Set<DocumentKey>, held: TransactionClaim?
    ) async -> TransactionClaim? {
        let lost = error.location.map { DocumentKey(trusted: $0) }
        guard error.code == .aborted, lost != nil || !places.isEmpty else { return held }
        let losses = (held?.losses ?? 0) + 1
        let wanted = TransactionClaim.places(losses: losses, at: lost, among: places)
        if let held, held.covers(wanted) { return TransactionClaim(losses: losses, turns: held.turns) }
        held?.end()
        let deadline = ContinuousClock.now + patience
        var turns: [TransactionTurn] = []
        for place in wanted {
            if let turn = await turn(at: place, opensLane: true, until: deadline) { turns.append(turn) }
        }
        return TransactionClaim(losses: losses, turns: turns)
    }

    /// nil if the turn did not come in time, or if the place has no queue and none is to be created.
    private func turn(
        at place: DocumentKey, opensLane: Bool, until deadline: ContinuousClock.Instant
    ) async -> TransactionTurn? {
        let ticket: Ticket? = await withCheckedContinuation { continuation in
            let entry = state.withLock { state in
                let entry = state.lanes.enter(place, opensLane: opensLane)
                if case .wait(let ticket) = entry { state.waiting[ticket] = continuation }
                return entry
            }
            switch entry {
            case .free, .full: continuation.resume(returning: nil)
            case .turn(let ticket): continuation.resume(returning: ticket)
            case .wait(let ticket): setTimer(for: ticket, at: place, until: deadline)
            }
        }
        return ticket.map { TransactionTurn($0, at: place, of: self) }
    }

    private func setTimer(for ticket: Ticket, at place: DocumentKey, until deadline: ContinuousClock.Instant) {
        let last = deadline + patience * 19
        Task { [patience] in
            var deadline = deadline
            while true {
                // This task is never cancelled; cancellation would only shorten the wait.
                try? await Task.sleep(until: deadline, clock: .continuous)
                // While the queue moves, the wait continues, however slow the machine is.
                let isOver = state.withLock { state in
                    guard state.waiting[ticket] != nil else { return true }
                    let next = min(last, state.lastMove + patience)
                    guard next > deadline else { return true }
                    deadline = next
                    return false
                }
                if isOver { break }
            }
            let continuation =
                state.withLock { state in
                    guard let continuation = state.waiting.removeValue(forKey: ticket) else { return .none }
                    _ = state.lanes.leave(place, ticket)
                    return continuation
                } as CheckedContinuation<Ticket?, Never>?
            continuation?.resume(returning: nil)
        }
    }

    fileprivate func end(_ ticket: TransactionLanes.Ticket, at place: DocumentKey) {
        let next = state.withLock { state -> (Ticket, CheckedContinuation<Ticket?, Never>)? in
            state.lastMove = .now
            guard let next = state.lanes.leave(place, ticket), let continuation = state.waiting.removeValue(forKey: next)
            else { return nil }
            return (next, continuation)
        }
        if let (ticket, continuation) = next { continuation.resume(returning: ticket) }
    }
}

/// The right to retry at one place; ends with `end` or when it is released.
final class TransactionTurn: Sendable {
    let place: DocumentKey
    private let ticket: TransactionLanes.Ticket
    private let turns: TransactionTurns
    private let isOver = Mutex(false)

    fileprivate init(_ ticket: TransactionLanes.Ticket, at place: DocumentKey, of turns: TransactionTurns) {
        self.ticket = ticket
        self.place = place
        self.turns = turns
    }

    deinit { end() }

    func end() {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        if isFirst { turns.end(ticket, at: place) }
    }
}
