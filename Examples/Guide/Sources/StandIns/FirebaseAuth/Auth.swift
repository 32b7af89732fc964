// SPDX-License-Identifier: Apache-2.0

/// The two calls of Firebase Authentication that the guide's sample app makes.
///
/// The embedded database has one user, the process it runs in, so signing in always succeeds.
public final class Auth: Sendable {
    private static let shared = Auth()

    public static func auth() -> Auth { shared }

    /// Accepted and unused: there is no authentication server to reach.
    public func useEmulator(withHost host: String, port: Int) {}

    public func signInAnonymously(completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil) {
        completion?(AuthDataResult(user: User(uid: "embedded", isAnonymous: true)), nil)
    }

    @discardableResult
    public func signInAnonymously() async throws -> AuthDataResult {
        AuthDataResult(user: User(uid: "embedded", isAnonymous: true))
    }
}

public struct AuthDataResult: Sendable {
    public let user: User
}

public struct User: Sendable {
    public let uid: String
    public let isAnonymous: Bool
}
