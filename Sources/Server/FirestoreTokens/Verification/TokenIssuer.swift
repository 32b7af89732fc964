// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// An issuer whose tokens are accepted: its keys, the required claims, and the check that a token has not been revoked.
package struct TokenIssuer: Sendable {
    package let requirements: TokenRequirements
    let keys: IssuerKeys
    /// Asked for every request, also when the signature is known to be valid.
    let standing: StandingCheck?

    package init(_ requirements: TokenRequirements, keys: IssuerKeys, standing: StandingCheck? = nil) {
        self.requirements = requirements
        self.keys = keys
        self.standing = standing
    }

    /// Returns the issuer with another check of whether tokens have been revoked.
    package func checked(_ standing: StandingCheck) -> TokenIssuer {
        TokenIssuer(requirements, keys: keys, standing: standing)
    }

    /// Verifies a token with the keys at hand; nil if newer keys have to be fetched first.
    package func verifyNow(_ token: JSONWebToken, now: Int64) throws(TokenError) -> VerifiedToken? {
        let algorithm = try requirements.algorithm(of: token)
        // Claims first: an expired token or one for another project must not cause a request for keys.
        let verified = try requirements.check(token.claims, now: now)
        switch keys.lookup(keyID: token.keyID) {
        case .mustFetch: return nil
        case .unavailable:
            throw TokenError(.unavailable, "the keys of \(TokenError.quoted(verified.issuer)) cannot be fetched; try again in a minute")
        case .found(let set):
            let candidates = set.candidates(keyID: token.keyID, algorithm)
            guard !candidates.isEmpty else {
                throw TokenError(
                    .key,
                    "the token is signed with the key \(TokenError.quoted(token.keyID ?? "")), which its issuer does not have (any more)")
            }
            guard candidates.contains(where: { $0.isValid(token.signature, for: token.signedBytes) }) else {
                throw TokenError(.signature, "the token's signature is wrong: it was changed, or was not signed by its issuer")
            }
            return verified
        }
    }

    /// Verifies a token like `verifyNow`, after fetching newer keys if necessary.
    package func verify(_ token: JSONWebToken, now: Int64) async throws(TokenError) -> VerifiedToken {
        if let verified = try verifyNow(token, now: now) { return verified }
        await keys.refresh()
        if let verified = try verifyNow(token, now: now) { return verified }
        throw TokenError(.unavailable, "the keys of the token's issuer are being fetched; try again")
    }
}
