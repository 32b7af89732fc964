// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// What decides whether the tokens of an account are in force, in memory: every request asks.
final class StandingCache: Sendable {
    struct Standing: Sendable {
        /// nil if there is no such account.
        let validSince: Int64?
        let isDisabled: Bool
    }

    private struct State {
        var standings: [[UInt8]: Standing] = [:]
        var generation = 0
    }

    private static let capacity = 50_000
    private let state = Mutex(State())

    /// What is in memory.
    func known(_ id: String) -> Standing? { state.withLock { $0.standings[[UInt8](id.utf8)] } }

    func standing(of id: String, load: () throws(AccountError) -> Standing) throws(AccountError) -> Standing {
        // By bytes: equal strings may be different ids.
        let key = [UInt8](id.utf8)
        let (known, generation) = state.withLock { ($0.standings[key], $0.generation) }
        if let known { return known }
        let loaded = try load()
        state.withLock { state in
            // What was read before a change must not be kept after it.
            guard state.generation == generation else { return }
            if state.standings.count >= Self.capacity { state.standings.removeAll(keepingCapacity: true) }
            state.standings[key] = loaded
        }
        return loaded
    }

    /// Called after a change is stored and before it is answered. nil for all accounts.
    func forget(_ id: String?) {
        state.withLock { state in
            state.generation += 1
            if let id { state.standings[[UInt8](id.utf8)] = nil } else { state.standings.removeAll() }
        }
    }
}
