import FirestoreCore

/// Gets a token from where tokens come from. Fails with `unavailable` if trying again may help, and with another code if not.
protocol TokenFetching: Sendable {
    func fetch() async throws(FirestoreError) -> AccessToken

    /// Whose tokens they are, for messages.
    var account: String { get }
    /// The project that pays, if it is another one than the database's.
    var quotaProject: String? { get }
}

extension TokenFetching {
    var quotaProject: String? { nil }
}

/// Tokens of a closure.
struct ProvidedTokens: TokenFetching {
    let provider: TokenProvider

    var account: String { "the token closure" }

    func fetch() async throws(FirestoreError) -> AccessToken {
        do {
            return try await provider.token()
        } catch let error as FirestoreError {
            throw error
        } catch {
            throw FirestoreError(.unauthenticated, "the closure in settings.credentials has failed to get a token", cause: error)
        }
    }
}
