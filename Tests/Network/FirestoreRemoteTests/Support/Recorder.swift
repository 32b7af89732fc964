// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRemote

/// Backoffs that do not wait, and note what they would have waited.
final class SleepRecorder: Sendable {
    private let slept = Mutex<[Duration]>([])

    var durations: [Duration] { slept.withLock { $0 } }

    func backoff(first: Duration, factor: Double = 2) -> Backoff {
        Backoff(first: first, factor: factor, jitter: 0, random: { 0.5 }) { [self] duration in
            slept.withLock { $0.append(duration) }
            await Task.yield()
        }
    }
}

/// Opens once.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}

/// The error a body throws; nil if it does not throw a `FirestoreError`.
func failure<Value>(_ body: () async throws -> Value) async -> FirestoreError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? FirestoreError
    }
}

/// Waits until something is so. The suite's time limit ends what never is.
func until(_ isSo: @Sendable () -> Bool) async {
    while !isSo(), !Task.isCancelled { await Task.yield() }
}
