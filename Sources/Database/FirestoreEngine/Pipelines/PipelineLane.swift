// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Lets a few pipelines of a database read at the same time. Callers take turns, each with the pipelines that it has sent in their order.
///
/// A pipeline may compute for as long as its caller waits, and all that time it has a reader of the store and a thread. Two readers remain
/// for queries and lookups. One caller never has all turns, so that another one's pipeline begins immediately, and while others wait it has
/// one. A pipeline that streams waits for every page again. A turn is held while the store is read and for nothing else: a transaction that
/// waits for another one would otherwise keep all pipelines waiting, perhaps those of that one.
final class PipelineLane: Sendable {
    /// Half of the processors, two at least, and fewer than the readers of any store. The system shares the processors among them.
    static let usualWidth = min(3, max(2, ProcessInfo.processInfo.activeProcessorCount / 2))

    private typealias Turn = Result<Void, FirestoreError>
    private typealias Waiting = (ticket: Int, continuation: CheckedContinuation<Turn, Never>)

    private struct State {
        var running = 0
        /// How many of each caller run.
        var byCaller: [String: Int] = [:]
        var lastTicket = 0
        /// Those of each caller in their order.
        var lines: [String: [Waiting]] = [:]
        /// The callers that wait, in the order of their turns.
        var turns: [String] = []
        var waiting = 0
    }

    private let state = Mutex(State())
    private let width: Int
    /// How many of one caller run beside those of no other.
    private let widthOfCaller: Int
    private let mostWaiting: Int
    private let mostOfCaller: Int

    init(width: Int = PipelineLane.usualWidth, mostWaiting: Int = 1_000, mostOfCaller: Int? = nil) {
        (self.width, self.mostWaiting) = (width, mostWaiting)
        self.mostOfCaller = mostOfCaller ?? max(1, mostWaiting / 4)
        widthOfCaller = max(1, width - 1)
    }

    /// How many run or wait.
    var count: Int { state.withLock { $0.running + $0.waiting } }

    /// Runs `body` when it is its turn. A caller that no longer waits leaves the line.
    func run<R: Sendable>(
        of caller: String, until deadline: ContinuousClock.Instant?, _ body: () async throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        try await enter(caller, until: deadline)
        defer { leave(caller) }
        return try await body()
    }

    private func enter(_ caller: String, until deadline: ContinuousClock.Instant?) async throws(FirestoreError) {
        let ticket = state.withLock { state -> Int? in
            if begins(caller, &state) { return nil }
            state.lastTicket += 1
            return state.lastTicket
        }
        guard let ticket else { return }
        let alarm = deadline.map { deadline in
            Task {
                try await Task.sleep(until: deadline, clock: .continuous)
                refuse(ticket, of: caller, .deadlineExceeded)
            }
        }
        defer { alarm?.cancel() }
        let turn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                join(ticket, caller, continuation)
                // A cancellation, or a deadline, before it stood in the line has found nothing.
                if Task.isCancelled { refuse(ticket, of: caller, Self.cancelled) }
                if let deadline, deadline <= .now { refuse(ticket, of: caller, .deadlineExceeded) }
            }
        } onCancel: {
            refuse(ticket, of: caller, Self.cancelled)
        }
        try turn.get()
    }

    private static let cancelled = FirestoreError(.cancelled, "the pipeline was cancelled")

    /// Gives the caller a turn if one is free for it.
    private func begins(_ caller: String, _ state: inout State) -> Bool {
        let own = state.byCaller[caller, default: 0]
        guard state.running < width, own < (state.waiting == 0 ? widthOfCaller : 1) else { return false }
        state.running += 1
        state.byCaller[caller] = own + 1
        return true
    }

    private func join(_ ticket: Int, _ caller: String, _ continuation: CheckedContinuation<Turn, Never>) {
        let turn = state.withLock { state -> Turn? in
            if begins(caller, &state) { return .success(()) }
            let own = state.lines[caller]?.count ?? 0
            guard own < mostOfCaller else {
                return .failure(
                    FirestoreError(.resourceExhausted, "\(own) pipelines of this caller wait already; try again later"))
            }
            guard state.waiting < mostWaiting else {
                return .failure(
                    FirestoreError(.resourceExhausted, "\(mostWaiting) pipelines of this database wait already; try again later"))
            }
            if own == 0 { state.turns.append(caller) }
            state.lines[caller, default: []].append((ticket, continuation))
            state.waiting += 1
            return nil
        }
        if let turn { continuation.resume(returning: turn) }
    }

    private func refuse(_ ticket: Int, of caller: String, _ error: FirestoreError) {
        let waiting = state.withLock { state in
            state.lines[caller]?.firstIndex { $0.ticket == ticket }.map { take($0, of: caller, &state) }
        }
        waiting?.resume(returning: .failure(error))
    }

    /// Takes one that waits out of its line, and its caller behind the others.
    private func take(_ index: Int, of caller: String, _ state: inout State) -> CheckedContinuation<Turn, Never> {
        var line = state.lines[caller] ?? []
        let taken = line.remove(at: index)
        state.lines[caller] = line.isEmpty ? nil : line
        if line.isEmpty { state.turns.removeAll { $0 == caller } }
        state.waiting -= 1
        return taken.continuation
    }

    /// Hands the turn to the next caller that has none. If all that wait have one, it goes to the first of them that may have another.
    private func leave(_ caller: String) {
        let next = state.withLock { state -> CheckedContinuation<Turn, Never>? in
            state.running -= 1
            let own = state.byCaller[caller, default: 1] - 1
            state.byCaller[caller] = own > 0 ? own : nil
            let place =
                state.turns.firstIndex { state.byCaller[$0] == nil }
                ?? state.turns.firstIndex { state.byCaller[$0, default: 0] < widthOfCaller }
            guard let place else { return nil }
            let chosen = state.turns.remove(at: place)
            state.turns.append(chosen)
            state.running += 1
            state.byCaller[chosen, default: 0] += 1
            return take(0, of: chosen, &state)
        }
        next?.resume(returning: .success(()))
    }
}
