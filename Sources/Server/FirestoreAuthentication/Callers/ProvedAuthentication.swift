// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC
package import FirestoreServer

/// Authenticates the callers of a server in production: administrators by key, users by a verified token. A call without credentials is
/// anonymous.
package final class ProvedAuthentication: CallAuthentication {
    private let keys: AdministratorKeys?
    private let tokens: any BearerTokens
    private let proxies: TrustedProxies
    private let usesTLS: Bool
    private let advice: OperatorAdvice
    private let observers = Mutex<[@Sendable () -> Void]>([])

    package init(
        keys: AdministratorKeys? = nil, tokens: (any BearerTokens)? = nil, proxies: TrustedProxies, usesTLS: Bool,
        advice: OperatorAdvice = .none
    ) {
        self.keys = keys
        self.tokens = tokens ?? NoBearerTokens(advice: advice)
        self.proxies = proxies
        self.usesTLS = usesTLS
        self.advice = advice
    }

    // MARK: CallAuthentication

    package func identifyNow(_ call: RPCCallInfo) throws(FirestoreError) -> CallIdentity? {
        guard let token = try BearerHeader.token(call.metadata) else { return CallIdentity(.anonymous) }
        if let administrator = try administrator(token, call) { return administrator }
        return try tokens.identifyNow(token, call.memory)
    }

    package func identify(_ call: RPCCallInfo) async throws(FirestoreError) -> CallIdentity {
        guard let token = try BearerHeader.token(call.metadata) else { return CallIdentity(.anonymous) }
        if let administrator = try administrator(token, call) { return administrator }
        return try await tokens.identify(token, call.memory)
    }

    package func observe(_ body: @escaping @Sendable () -> Void) { observers.withLock { $0.append(body) } }

    /// Identities may have ended before their time: streams are checked again.
    package func identitiesChanged() {
        for observer in observers.withLock({ $0 }) { observer() }
    }

    // MARK: Administrators

    /// nil for what looks like a JSON web token, which has dots.
    private func administrator(_ token: Substring, _ call: RPCCallInfo) throws(FirestoreError) -> CallIdentity? {
        guard !token.hasDots else {
            guard token.isAccessTokenOfGoogle else { return nil }
            throw FirestoreError(.unauthenticated, "access tokens of Google are not accepted; send an ID token or an administrator key")
        }
        if token.lowercased() == "owner" {
            throw FirestoreError(
                .unauthenticated,
                "\"owner\" is the administrator in development mode only; send an administrator key\(advice(.administratorKeys))")
        }
        guard let keys else {
            throw FirestoreError(
                .unauthenticated,
                "the bearer token is not a JSON web token, and this server has no administrator keys\(advice(.administratorKeys))")
        }
        // Before the key is compared: the answer to an unprotected request must not reveal whether the key is right.
        guard isProtected(call) else {
            throw FirestoreError(
                .unauthenticated,
                "administrator keys are accepted over TLS, from this machine and from a trusted proxy only\(advice(.protectedKeys))")
        }
        let refusal = FirestoreError(.unauthenticated, "the bearer token is neither a JSON web token nor a current administrator key")
        guard keys.accept(token) else { throw refusal }
        let key = String(token)
        let check = IdentityCheck { [keys] () throws(FirestoreError) in
            guard keys.accept(key) else { throw refusal }
        }
        return CallIdentity(.administrator, check: check)
    }

    /// Whether a key in this call has crossed no network in the clear.
    package func isProtected(_ call: RPCCallInfo) -> Bool {
        if usesTLS { return true }
        guard let peer = TrustedProxies.peer(of: call.peer) else { return false }
        if proxies.contains(peer) { return true }
        // Requests that a proxy on this machine passes on come from elsewhere.
        return peer.isLoopback && !TrustedProxies.isForwarded(call.metadata)
    }
}
