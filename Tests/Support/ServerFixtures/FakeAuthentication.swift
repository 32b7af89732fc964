// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC
package import FirestoreServer

/// Knows tokens by their text. They can expire, be revoked, and take time to find out about.
package final class FakeAuthentication: CallAuthentication {
    private struct State {
        var known: [String: (caller: RequestContext.Caller, lastUse: Int64)] = [:]
        var isSlow = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
        var observers: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    package init(slow: Bool = false) { state.withLock { $0.isSlow = slow } }

    package func add(_ token: String, _ caller: RequestContext.Caller, until lastUse: Int64 = .max) {
        state.withLock { $0.known["Bearer " + token] = (caller, lastUse) }
    }

    /// The token is no longer valid, and streams are notified.
    package func revoke(_ token: String) {
        let observers = state.withLock { state in
            state.known["Bearer " + token] = nil
            return state.observers
        }
        for observer in observers { observer() }
    }

    /// Resumes all calls that wait for an answer, and answers immediately from now on.
    package func answer() {
        let waiting = state.withLock { state in
            state.isSlow = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when a call waits.
    package func untilAsked() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isAsked = state.withLock { state in
                if state.waiting.isEmpty { state.watchers.append(continuation) }
                return !state.waiting.isEmpty
            }
            if isAsked { continuation.resume() }
        }
    }

    private func identity(_ call: RPCCallInfo) throws(FirestoreError) -> CallIdentity {
        guard let header = call.metadata["authorization"] else { return CallIdentity(.anonymous) }
        guard let known = state.withLock({ $0.known[header] }) else { throw Self.unknown }
        let check = IdentityCheck { [weak self] () throws(FirestoreError) in
            guard self?.state.withLock({ $0.known[header] }) != nil else { throw Self.unknown }
        }
        return CallIdentity(known.caller, lastUse: known.lastUse, check: check)
    }

    private static let unknown = FirestoreError(.unauthenticated, "the token is not known")

    package func identifyNow(_ call: RPCCallInfo) throws(FirestoreError) -> CallIdentity? {
        if state.withLock({ $0.isSlow }) { return nil }
        return try identity(call)
    }

    package func identify(_ call: RPCCallInfo) async throws(FirestoreError) -> CallIdentity {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let (isSlow, watchers) = state.withLock { state in
                if state.isSlow { state.waiting.append(continuation) }
                defer { state.watchers = [] }
                return (state.isSlow, state.watchers)
            }
            if !isSlow { continuation.resume() }
            for watcher in watchers { watcher.resume() }
        }
        return try identity(call)
    }

    package func observe(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.observers.append(body) } }
}
