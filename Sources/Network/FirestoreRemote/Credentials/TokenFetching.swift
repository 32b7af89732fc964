// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Gets tokens. Fails with `unavailable` if trying again may help, and with another code if not.
protocol TokenFetching: Sendable {
    func fetch() async throws(FirestoreError) -> AccessToken

    /// Gets a new token after a server has rejected the last one.
    func fetchAfterRejection() async throws(FirestoreError) -> AccessToken

    /// Calls `body` when the caller has changed, so that earlier tokens are not valid for the new one, until the result is released;
    /// nil if the caller never changes.
    func observe(_ body: @escaping @Sendable () -> Void) -> (any Sendable)?

    /// The id of the user whose tokens these are now; nil if none is signed in, or if the caller never changes.
    var user: String? { get }

    /// The owner of the tokens, for messages.
    var account: String { get }
    /// The project that is billed, if it is not the database's.
    var quotaProject: String? { get }
}

extension TokenFetching {
    var user: String? { nil }
    var quotaProject: String? { nil }

    func fetchAfterRejection() async throws(FirestoreError) -> AccessToken { try await fetch() }

    func observe(_ body: @escaping @Sendable () -> Void) -> (any Sendable)? { nil }
}

/// Tokens from a closure.
struct ProvidedTokens: TokenFetching {
    let provider: TokenProvider

    var account: String { "the token closure" }

    func fetch() async throws(FirestoreError) -> AccessToken {
        do {
            return try await provider.token()
        } catch let error as FirestoreError {
            throw error
        } catch {
            throw FirestoreError(.unauthenticated, "the closure in settings.credentials failed to get a token", cause: error)
        }
    }
}

/// Tokens of the signed-in user, or none.
struct UserTokens: TokenFetching {
    let source: UserTokenSource

    var user: String? { source.user() }
    var account: String { "the signed-in user" }

    func fetch() async throws(FirestoreError) -> AccessToken { try await token(forcingRefresh: false) }

    func fetchAfterRejection() async throws(FirestoreError) -> AccessToken { try await token(forcingRefresh: true) }

    private func token(forcingRefresh: Bool) async throws(FirestoreError) -> AccessToken {
        do {
            return try await source.token(forcingRefresh) ?? .anonymous
        } catch let error as FirestoreError {
            throw error
        } catch {
            throw FirestoreError(.unavailable, "there is no token for the signed-in user: \(error)", cause: error)
        }
    }

    func observe(_ body: @escaping @Sendable () -> Void) -> (any Sendable)? { source.observe(body) }
}
