// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The content of a verified token. Times are in seconds since 1970.
package struct VerifiedToken: Sendable {
    /// The user's id, with the prefix of the issuer.
    package let user: String
    package let claims: TokenClaims
    package let issuer: String
    package let issued: Int64
    package let authenticated: Int64?
    package let expiry: Int64
    /// The moment in microseconds until which requests and streams with the token are accepted: the expiry and the tolerated skew.
    /// `Int64.max` for tokens of development mode.
    package let lastUse: Int64

    init(
        user: String, claims: TokenClaims, issuer: String, issued: Int64, authenticated: Int64?, expiry: Int64, lastUse: Int64
    ) {
        self.user = user
        self.claims = claims
        self.issuer = issuer
        self.issued = issued
        self.authenticated = authenticated
        self.expiry = expiry
        self.lastUse = lastUse
    }

    /// Takes the claims without proof, as the emulators do (AU-11): signature, times, audience and issuer are ignored, and the user is
    /// `sub` alone. For development mode on loopback only.
    package init(unproved token: JSONWebToken) throws(TokenError) {
        let claims = token.claims
        guard let user = try claims.string("sub"), !user.isEmpty else {
            throw TokenError(.subject, "the token does not name a user: the claim \"sub\" is missing or empty")
        }
        func time(_ name: String) -> Int64? { (try? claims.seconds(name)) ?? nil }
        self.init(
            user: user, claims: claims, issuer: ((try? claims.string("iss")) ?? nil) ?? "", issued: time("iat") ?? 0,
            authenticated: time("auth_time"), expiry: time("exp") ?? .max, lastUse: .max)
    }

    /// The caller that security rules judge.
    package var caller: RequestContext.Caller { .user(id: user, claims: claims.fields) }
}
