// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseFirestore
import FirestoreCore

/// The snapshots of one listener that have not been requested yet, or the requests that wait for the next one.
final class SnapshotStream<Snapshot: Sendable>: Sendable {
    private typealias Waiter = (number: Int, continuation: CheckedContinuation<Snapshot, any Error>)

    private struct State {
        var events: [Result<Snapshot, any Error>] = []
        /// In the order of the requests.
        var waiters: [Waiter] = []
        var lastNumber = 0
        var hasFailed = false
        var registration: (any ListenerRegistration)?
    }

    private let state = Mutex(State())

    deinit { state.withLock { $0.registration }?.remove() }

    /// The failure was delivered: nothing follows.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    func attach(_ registration: any ListenerRegistration) { state.withLock { $0.registration = registration } }

    func receive(_ event: Result<Snapshot, any Error>) {
        let waiter = state.withLock { state -> Waiter? in
            guard !state.waiters.isEmpty else {
                state.events.append(event)
                return nil
            }
            if case .failure = event { state.hasFailed = true }
            return state.waiters.removeFirst()
        }
        waiter?.continuation.resume(with: event)
    }

    nonisolated(nonsending) func next(
        of name: String, within timeout: Duration, where condition: (Snapshot) throws -> Bool
    ) async throws -> Snapshot {
        let deadline = ContinuousClock.now + timeout
        var passedOver = 0
        while true {
            let snapshot = try await next(until: deadline) {
                let missed = passedOver == 0 ? "no snapshot arrived" : "no snapshot met the condition (snapshots seen: \(passedOver))"
                return FirestoreError(.deadlineExceeded, "\(missed) within \(timeout)", at: name).publicError
            }
            if try condition(snapshot) { return snapshot }
            passedOver += 1
        }
    }

    private nonisolated(nonsending) func next(
        until deadline: ContinuousClock.Instant, orFail timeoutError: () -> any Error
    ) async throws -> Snapshot {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let timeoutError = timeoutError()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enqueue((number, continuation))
                let seconds = max(0, (deadline - .now) / .seconds(1))
                DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
                    self?.giveUp(number, timeoutError)
                }
            }
        } onCancel: {
            giveUp(number, CancellationError())
        }
    }

    private func enqueue(_ waiter: Waiter) {
        let event = state.withLock { state -> Result<Snapshot, any Error>? in
            // Cancelled before the waiter was registered.
            if Task.isCancelled { return .failure(CancellationError()) }
            guard !state.events.isEmpty else {
                state.waiters.append(waiter)
                return nil
            }
            let event = state.events.removeFirst()
            if case .failure = event { state.hasFailed = true }
            return event
        }
        if let event { waiter.continuation.resume(with: event) }
    }

    private func giveUp(_ number: Int, _ error: any Error) {
        let waiter = state.withLock { state -> Waiter? in
            state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(throwing: error)
    }
}
