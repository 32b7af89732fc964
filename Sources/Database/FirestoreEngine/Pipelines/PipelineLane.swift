// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Lets a few pipelines of a database read at the same time; the others wait in their order.
///
/// A pipeline may compute for as long as its caller waits, and all that time it has a reader of the store and one of the threads on which
/// everything is read, of which there are as many as processors. Half of them, and two readers, remain for queries and lookups. A pipeline
/// that streams waits for every page again.
final class PipelineLane: Sendable {
    /// Half of the processors, and fewer than the readers of any store.
    static let usualWidth = min(3, max(1, ProcessInfo.processInfo.activeProcessorCount / 2))

    private struct State {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let width: Int

    init(width: Int = PipelineLane.usualWidth) { self.width = width }

    /// Runs `body` when it is its turn.
    func run<R: Sendable>(_ body: () async -> R) async -> R {
        await enter()
        defer { leave() }
        return await body()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let mayRun = state.withLock { state in
                guard state.running == width else {
                    state.running += 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if mayRun { continuation.resume() }
        }
    }

    /// Hands the turn to the next one that waits.
    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
