// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The current keys of an issuer: configured, or fetched from its key set and cached for as long as the answer allows.
///
/// An unknown key id causes a fetch, because issuers rotate their keys, but at most one a minute, so that forged tokens cannot make this
/// server send requests. If a fetch fails, the previous keys stay in use.
package final class IssuerKeys: Sendable {
    package struct Fetched: Sendable {
        package let document: [UInt8]
        /// Seconds for which the answer may be cached: `max-age` of `Cache-Control`; nil if it has none.
        package let lifetime: Int64?

        package init(document: [UInt8], lifetime: Int64?) {
            self.document = document
            self.lifetime = lifetime
        }
    }

    /// Fetches the key set from a configured address. The transport bounds size and time, and does not follow redirects.
    package typealias Fetch = @Sendable () async throws -> Fetched

    enum Lookup: Sendable {
        case found(VerificationKeySet)
        /// Newer keys have to be fetched first.
        case mustFetch
        /// There are no keys, and it is too early to try again.
        case unavailable
    }

    private struct State {
        var keys: VerificationKeySet?
        var freshUntil: Int64
        var lastFetch: Int64?
        var running: Task<Void, Never>?
    }

    private static let second: Int64 = 1_000_000
    private static let pause = 60 * second
    /// Bounds of the lifetime that an answer may state.
    private static let lifetimes: ClosedRange<Int64> = 60...86_400

    private let state: Mutex<State>
    private let fetch: Fetch?
    private let clock: any WallClock

    /// Keys that change only when the configuration is read again.
    package init(_ keys: VerificationKeySet) {
        state = Mutex(State(keys: keys, freshUntil: .max))
        fetch = nil
        clock = SystemClock()
    }

    package init(clock: any WallClock, fetch: @escaping Fetch) {
        state = Mutex(State(freshUntil: .min))
        self.fetch = fetch
        self.clock = clock
    }

    func lookup(keyID: String?) -> Lookup {
        let now = clock.now()
        return state.withLock { state in
            let isFresh = now < state.freshUntil && state.keys != nil
            if let keys = state.keys, isFresh, keys.knows(keyID: keyID) { return .found(keys) }
            // A clock that was set back must not stop fetching.
            let mayFetch = fetch != nil && (state.lastFetch.map { now - $0 >= Self.pause || now < $0 } ?? true)
            if mayFetch || state.running != nil { return .mustFetch }
            return state.keys.map { .found($0) } ?? .unavailable
        }
    }

    /// Fetches the keys, together with other callers that want the same.
    func refresh() async {
        guard let fetch else { return }
        let now = clock.now()
        let task = state.withLock { state in
            if let running = state.running { return running }
            state.lastFetch = now
            let task = Task { await self.load(fetch) }
            state.running = task
            return task
        }
        await task.value
    }

    private func load(_ fetch: Fetch) async {
        let fetched = try? await fetch()
        let keys = fetched.flatMap { try? VerificationKeySet(document: $0.document) }
        let now = clock.now()
        state.withLock { state in
            state.running = nil
            guard let fetched, let keys else { return }
            let lifetime = min(max(fetched.lifetime ?? 3_600, Self.lifetimes.lowerBound), Self.lifetimes.upperBound)
            state.keys = keys
            state.freshUntil = now + lifetime * Self.second
        }
    }
}
