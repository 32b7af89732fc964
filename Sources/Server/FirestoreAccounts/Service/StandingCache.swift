// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The data that decides whether the tokens of an account are valid, in memory: every request reads it.
final class StandingCache: Sendable {
    struct Standing: Sendable {
        /// nil if the account does not exist.
        let validSince: Int64?
        let isDisabled: Bool
    }

    private struct State {
        var standings: [[UInt8]: Standing] = [:]
        var generation = 0
    }

    private static let capacity = 50_000
    private let state = Mutex(State())

    /// The cached standing, without a read.
    func known(_ id: String) -> Standing? { look(up: id).known }

    /// The cached standing, and a number to pass to `keep`.
    func look(up id: String) -> (known: Standing?, generation: Int) {
        // By bytes: equal strings may be different ids.
        state.withLock { ($0.standings[[UInt8](id.utf8)], $0.generation) }
    }

    /// Caches data that was read after `look`, unless an account has changed since: data read before a change must not be cached after it.
    func keep(_ standing: Standing, of id: String, readAt generation: Int) {
        state.withLock { state in
            guard state.generation == generation else { return }
            if state.standings.count >= Self.capacity { state.standings.removeAll(keepingCapacity: true) }
            state.standings[[UInt8](id.utf8)] = standing
        }
    }

    /// Called after a change is stored and before it is answered. nil for all accounts.
    func forget(_ id: String?) {
        state.withLock { state in
            state.generation += 1
            if let id { state.standings[[UInt8](id.utf8)] = nil } else { state.standings.removeAll() }
        }
    }
}
