// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Lets a few pipelines of a database read at the same time; the others wait in their order.
///
/// A pipeline may compute for as long as its caller waits, and all that time it has a reader of the store and one of the threads on which
/// everything is read, of which there are as many as processors. Half of them, and two readers, remain for queries and lookups. A pipeline
/// that streams waits for every page again. A turn is held while the store is read and for nothing else: a transaction that waits for
/// another one would otherwise keep all pipelines waiting, perhaps those of that one.
final class PipelineLane: Sendable {
    /// Half of the processors, and fewer than the readers of any store.
    static let usualWidth = min(3, max(1, ProcessInfo.processInfo.activeProcessorCount / 2))

    private typealias Turn = Result<Void, FirestoreError>

    private struct State {
        var running = 0
        var lastTicket = 0
        /// In their order.
        var waiting: [(ticket: Int, continuation: CheckedContinuation<Turn, Never>)] = []
    }

    private let state = Mutex(State())
    private let width: Int
    private let mostWaiting: Int

    init(width: Int = PipelineLane.usualWidth, mostWaiting: Int = 1_000) { (self.width, self.mostWaiting) = (width, mostWaiting) }

    /// Runs `body` when it is its turn. A caller that no longer waits leaves the line.
    func run<R: Sendable>(
        until deadline: ContinuousClock.Instant?, _ body: () async throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        try await enter(until: deadline)
        defer { leave() }
        return try await body()
    }

    private func enter(until deadline: ContinuousClock.Instant?) async throws(FirestoreError) {
        let isFree = state.withLock { state in
            guard state.running < width else { return false }
            state.running += 1
            return true
        }
        guard !isFree else { return }
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let alarm = deadline.map { deadline in
            Task {
                try await Task.sleep(until: deadline, clock: .continuous)
                refuse(ticket, .deadlineExceeded)
            }
        }
        defer { alarm?.cancel() }
        let turn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                join(ticket, continuation)
                // A cancellation, or a deadline, before it stood in the line has found nothing.
                if Task.isCancelled { refuse(ticket, Self.cancelled) }
                if let deadline, deadline <= .now { refuse(ticket, .deadlineExceeded) }
            }
        } onCancel: {
            refuse(ticket, Self.cancelled)
        }
        try turn.get()
    }

    private static let cancelled = FirestoreError(.cancelled, "the pipeline was cancelled")

    private func join(_ ticket: Int, _ continuation: CheckedContinuation<Turn, Never>) {
        let turn = state.withLock { state -> Turn? in
            if state.running < width {
                state.running += 1
                return .success(())
            }
            guard state.waiting.count < mostWaiting else {
                return .failure(
                    FirestoreError(.resourceExhausted, "\(mostWaiting) pipelines of this database wait already; try again later"))
            }
            state.waiting.append((ticket, continuation))
            return nil
        }
        if let turn { continuation.resume(returning: turn) }
    }

    private func refuse(_ ticket: Int, _ error: FirestoreError) {
        let waiting = state.withLock { state in
            state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0) }
        }
        waiting?.continuation.resume(returning: .failure(error))
    }

    /// Hands the turn to the next one that waits.
    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Turn, Never>? in
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: .success(()))
    }
}
