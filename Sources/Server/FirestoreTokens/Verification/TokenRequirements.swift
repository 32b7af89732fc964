// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The claims that an issuer's tokens must have.
package struct TokenRequirements: Sendable {
    /// The value of `iss`; nil if the issuer names itself, as the service accounts of custom tokens do.
    package var issuer: String?
    /// One of them must be in `aud`.
    package var audiences: [String]
    package var algorithms: Set<SigningAlgorithm> = [.rs256]
    /// The difference of clocks that is tolerated, in seconds, at most `maximumSkew`.
    package var skew: Int64 = 60
    /// The claim that names the user.
    package var userClaim = "sub"
    /// Put in front of the user's name, so that two issuers cannot mean the same user.
    package var userPrefix = ""
    package var requiresAuthTime = false
    package var requiresKeyID = false
    /// The longest time between `iat` and `exp`, in seconds.
    package var longestLifetime: Int64?

    package static let maximumSkew: Int64 = 300
    /// The length of user ids (AU-2).
    package static let maximumUserCharacters = 128

    package init(issuer: String?, audiences: [String]) {
        self.issuer = issuer
        self.audiences = audiences
    }

    /// Firebase ID tokens of a project (AU-3).
    package static func firebase(project: String) -> TokenRequirements {
        var requirements = TokenRequirements(issuer: "https://securetoken.google.com/" + project, audiences: [project])
        requirements.requiresAuthTime = true
        requirements.requiresKeyID = true
        return requirements
    }

    /// The audience of custom tokens (AU-7).
    package static let customTokenAudience =
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

    /// Custom tokens (AU-7): any signer whose key is configured, valid for an hour at most.
    package static var customTokens: TokenRequirements {
        var requirements = TokenRequirements(issuer: nil, audiences: [customTokenAudience])
        requirements.algorithms = [.rs256, .es256]
        requirements.userClaim = "uid"
        requirements.longestLifetime = 3_600
        return requirements
    }

    func algorithm(of token: JSONWebToken) throws(TokenError) -> SigningAlgorithm {
        guard let algorithm = SigningAlgorithm(rawValue: token.algorithm), algorithms.contains(algorithm) else {
            let expected = algorithms.map(\.rawValue).sorted().joined(separator: " or ")
            throw TokenError(
                .algorithm, "the token is signed with \(TokenError.quoted(token.algorithm)), but its issuer signs with \(expected)")
        }
        if requiresKeyID, token.keyID == nil { throw TokenError(.key, "the token does not name its key: \"kid\" is missing") }
        return algorithm
    }

    /// Checks the claims. `now` is in microseconds.
    func check(_ claims: TokenClaims, now: Int64) throws(TokenError) -> VerifiedToken {
        let now = now / 1_000_000
        let skew = min(max(skew, 0), Self.maximumSkew)
        let issuer = try self.checkIssuer(claims)
        try checkAudience(claims)
        guard let expiry = try claims.seconds("exp") else { throw TokenError(.claim, "the token's claim \"exp\" is missing") }
        guard let issued = try claims.seconds("iat") else { throw TokenError(.claim, "the token's claim \"iat\" is missing") }
        let authenticated = try claims.seconds("auth_time")
        if requiresAuthTime, authenticated == nil { throw TokenError(.claim, "the token's claim \"auth_time\" is missing") }
        guard now < expiry + skew else {
            throw TokenError(.expired, "the token has expired \(now - expiry) seconds ago; get a new one with the refresh token")
        }
        for (name, time) in [("iat", issued), ("auth_time", authenticated), ("nbf", try claims.seconds("nbf"))] {
            guard let time, time > now + skew else { continue }
            throw TokenError(
                .notYetValid, "the token's claim \"\(name)\" is \(time - now) seconds in the future; check the clocks of issuer and server")
        }
        if let longestLifetime, expiry > issued + longestLifetime {
            throw TokenError(.claim, "the token is valid for \(expiry - issued) seconds; at most \(longestLifetime) are accepted")
        }
        guard let user = try claims.string(userClaim), !user.isEmpty else {
            throw TokenError(.subject, "the token does not name a user: the claim \"\(userClaim)\" is missing or empty")
        }
        guard (userPrefix + user).unicodeScalars.count <= Self.maximumUserCharacters else {
            throw TokenError(.subject, "the user's id is longer than \(Self.maximumUserCharacters) characters")
        }
        return VerifiedToken(
            user: userPrefix + user, claims: claims, issuer: issuer, issued: issued, authenticated: authenticated, expiry: expiry,
            lastUse: (expiry + skew) * 1_000_000)
    }

    private func checkIssuer(_ claims: TokenClaims) throws(TokenError) -> String {
        guard let found = try claims.string("iss") else { throw TokenError(.issuer, "the token's claim \"iss\" is missing") }
        if let issuer {
            guard equalUTF8(found, issuer) else {
                throw TokenError(.issuer, "the token was issued by \(TokenError.quoted(found)) instead of \(TokenError.quoted(issuer))")
            }
        } else {
            // A service account speaks for itself.
            guard let subject = try claims.string("sub"), equalUTF8(subject, found), !found.isEmpty else {
                throw TokenError(.issuer, "the token's claims \"iss\" and \"sub\" must both be the account that signed it")
            }
        }
        return found
    }

    private func checkAudience(_ claims: TokenClaims) throws(TokenError) {
        let found: [String]
        switch claims["aud"] {
        case .string(let text)?: found = [text]
        case .array(let elements)?:
            var texts: [String] = []
            for element in elements {
                guard case .string(let text) = element else { throw TokenError(.audience, "the token's claim \"aud\" is not text") }
                texts.append(text)
            }
            found = texts
        default: throw TokenError(.audience, "the token's claim \"aud\" is missing")
        }
        guard found.contains(where: { text in audiences.contains { equalUTF8($0, text) } }) else {
            let expected = audiences.map(TokenError.quoted).joined(separator: " or ")
            throw TokenError(
                .audience, "the token is for \(TokenError.quoted(found.joined(separator: ", "))) instead of \(expected)")
        }
    }
}
