// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A handler that receives a token, or an error.
public typealias AuthTokenCallback = (String?, (any Error)?) -> Void

extension User {
    /// Returns a token that identifies the user to a server.
    ///
    /// A token that is valid for more than five minutes is returned without a request. Firestore attaches tokens automatically.
    ///
    /// - Parameter forcingRefresh: Whether to request a new token, for example because the claims of the user have changed.
    /// - Throws: `networkError` if there is no valid token and no network; `userTokenExpired`, `userDisabled` or `userNotFound` if the
    ///   session has ended, which signs the user out.
    public func getIDToken(forcingRefresh: Bool = false) async throws -> String {
        try await publicly { try await tokens(forcingRefresh: forcingRefresh).idToken }
    }

    /// Equivalent of ``getIDToken(forcingRefresh:)`` with a completion handler.
    public func getIDToken(completion: AuthTokenCallback?) { getIDTokenForcingRefresh(false, completion: completion) }

    /// Equivalent of ``getIDToken(forcingRefresh:)`` with a completion handler.
    public func getIDTokenForcingRefresh(_ forceRefresh: Bool, completion: AuthTokenCallback?) {
        Completion(completion).run(on: session) { try await self.getIDToken(forcingRefresh: forceRefresh) }
    }

    /// Equivalent of ``getIDToken(forcingRefresh:)`` under the name of earlier versions of the Apple SDK.
    public func idTokenForcingRefresh(_ forceRefresh: Bool) async throws -> String { try await getIDToken(forcingRefresh: forceRefresh) }

    /// Returns a token with its claims. The claims are not verified.
    ///
    /// - Parameter forcingRefresh: Whether to request a new token, for example because the claims of the user have changed.
    /// - Throws: The errors of ``getIDToken(forcingRefresh:)``; `malformedJWT` if the token cannot be read.
    public func getIDTokenResult(forcingRefresh: Bool = false) async throws -> AuthTokenResult {
        try await publicly { try AuthTokenResult(await tokens(forcingRefresh: forcingRefresh)) }
    }

    /// Equivalent of ``getIDTokenResult(forcingRefresh:)`` with a completion handler.
    public func getIDTokenResult(completion: ((AuthTokenResult?, (any Error)?) -> Void)?) {
        getIDTokenResult(forcingRefresh: false, completion: completion)
    }

    /// Equivalent of ``getIDTokenResult(forcingRefresh:)`` with a completion handler.
    public func getIDTokenResult(forcingRefresh: Bool, completion: ((AuthTokenResult?, (any Error)?) -> Void)?) {
        Completion(completion).run(on: session) { try await self.getIDTokenResult(forcingRefresh: forcingRefresh) }
    }
}

/// An ID token and its claims.
public final class AuthTokenResult: NSObject, Sendable {
    private let content: IDToken
    /// The token.
    public let token: String
    /// When the token expires.
    public let expirationDate: Date
    /// When the user signed in.
    public let authDate: Date
    /// When the token was issued.
    public let issuedAtDate: Date
    /// How the user signed in: `anonymous`, `password`, `custom`, `google.com` and so on.
    public let signInProvider: String
    /// The second factor. Always empty, because second factors are not supported.
    public let signInSecondFactor: String

    init(_ tokens: IDTokens) throws(AuthFailure) {
        content = try IDToken(tokens.idToken)
        token = tokens.idToken
        let expiry = Date(timeIntervalSince1970: Double(tokens.expiry) / 1_000_000)
        expirationDate = content.date("exp") ?? expiry
        issuedAtDate = content.date("iat") ?? expiry
        authDate = content.date("auth_time") ?? issuedAtDate
        signInProvider = content.signInProvider
        signInSecondFactor = content.signInSecondFactor
    }

    /// All claims, including custom claims, as JSON values.
    public var claims: [String: Any] { content.claims }
}
