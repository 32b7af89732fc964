// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC
package import FirestoreServer

/// Authenticates the callers of a server in development mode: tokens are accepted without proof, as by the emulators. Administrator keys
/// are accepted too, and users whose account was disabled are not.
package struct DevelopmentAuthentication: CallAuthentication {
    private let unproved = UnprovedAuthentication()
    private let keys: AdministratorKeys?
    /// Tokens of a server with accounts: read without proof, but checked against the accounts.
    private let tokens: (any BearerTokens)?
    private let proved: ProvedAuthentication

    /// - Parameter proved: Reports when identities have ended.
    package init(keys: AdministratorKeys?, tokens: (any BearerTokens)?, proved: ProvedAuthentication) {
        self.keys = keys
        self.tokens = tokens
        self.proved = proved
    }

    package func identifyNow(_ call: RPCCallInfo) throws(FirestoreError) -> CallIdentity? {
        guard let token = try BearerHeader.token(call.metadata) else { return CallIdentity(.anonymous) }
        if let keys, keys.accept(token) { return CallIdentity(.administrator) }
        if let tokens, isWebToken(token) { return try tokens.identifyNow(token, call.memory) }
        return try unproved.identifyNow(call)
    }

    package func identify(_ call: RPCCallInfo) async throws(FirestoreError) -> CallIdentity {
        if let tokens, let token = try BearerHeader.token(call.metadata), isWebToken(token) {
            return try await tokens.identify(token, call.memory)
        }
        if let identity = try identifyNow(call) { return identity }
        return try await unproved.identify(call)
    }

    package func observe(_ body: @escaping @Sendable () -> Void) { proved.observe(body) }

    /// Access tokens of Google are the administrator's.
    private func isWebToken(_ token: Substring) -> Bool { token.hasDots && !token.isAccessTokenOfGoogle }
}
