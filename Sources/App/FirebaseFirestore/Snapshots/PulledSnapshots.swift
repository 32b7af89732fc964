// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Turns a listener into a source that is asked for the next snapshot.
///
/// The listener's jobs do not run when they are enqueued but when the consumer asks: a listener has at most one waiting
/// job, and merges the changes the consumer missed into it, so nothing accumulates.
final class PulledSnapshots: Sendable {
    private struct State {
        var job: (@Sendable () -> Void)?
        var waiting: CheckedContinuation<(@Sendable () -> Void)?, Never>?
        var event: Result<ViewSnapshot, any Error>?
        var handle: (any ListenHandle)?
        var isFinished = false
    }

    private let state = Mutex(State())

    init(_ target: Result<ClientTarget, FirestoreError>, options: ListenOptions, firestore: Firestore) {
        var options = options
        options.isPulled = true
        do throws(FirestoreError) {
            let target = try target.get()
            let handle = try firestore.backend().listen(
                to: target, options: options, schedule: { [weak self] in self?.schedule($0) },
                onEvent: { [weak self] event in self?.receive(event) })
            state.withLock { $0.handle = handle }
        } catch {
            let error = error.publicError
            schedule { [weak self] in self?.receive(.failure(error)) }
        }
    }

    deinit { finish() }

    private func schedule(_ job: @escaping @Sendable () -> Void) {
        let waiting = state.withLock { state -> CheckedContinuation<(@Sendable () -> Void)?, Never>? in
            if state.isFinished { return nil }
            guard let waiting = state.waiting else {
                state.job = job
                return nil
            }
            state.waiting = nil
            return waiting
        }
        waiting?.resume(returning: job)
    }

    private func receive(_ event: Result<ViewSnapshot, FirestoreError>) {
        receive(event.mapError { $0.publicError as any Error })
    }

    private func receive(_ event: Result<ViewSnapshot, any Error>) {
        state.withLock { $0.event = event }
    }

    /// The next snapshot; nil when cancelled.
    func next() async throws -> ViewSnapshot? {
        try await withTaskCancellationHandler {
            while let job = await nextJob() {
                job()
                let event = state.withLock { $0.event.take() }
                switch event {
                case nil: continue
                case .success(let view)?: return view
                case .failure(let error)?:
                    finish()
                    throw error
                }
            }
            return nil
        } onCancel: {
            finish()
        }
    }

    private func nextJob() async -> (@Sendable () -> Void)? {
        await withCheckedContinuation { continuation in
            let result: (@Sendable () -> Void)?? = state.withLock { state in
                if state.isFinished { return .some(nil) }
                if let job = state.job {
                    state.job = nil
                    return job
                }
                // Two tasks share the iterator: the earlier one gets nil.
                let earlier = state.waiting
                state.waiting = continuation
                earlier?.resume(returning: nil)
                return nil
            }
            if let result { continuation.resume(returning: result) }
        }
    }

    private func finish() {
        let (handle, waiting) = state.withLock { state in
            state.isFinished = true
            state.job = nil
            defer {
                state.handle = nil
                state.waiting = nil
            }
            return (state.handle, state.waiting)
        }
        handle?.remove()
        waiting?.resume(returning: nil)
    }
}
