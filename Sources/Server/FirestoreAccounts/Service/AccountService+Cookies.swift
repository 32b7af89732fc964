// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTokens

/// Session cookies: tokens for the cookies of web sites, which a server makes of an ID token and verifies itself. They are not ID
/// tokens: they have a different issuer, and no database accepts them (AU-5).
extension AccountService {
    /// Seconds.
    private static let durations: ClosedRange<Int64> = 300...1_209_600

    /// A cookie that is valid for `duration` seconds, 14 days unless given.
    func sessionCookie(idToken: String, duration: Int64?) async throws(AccountError) -> String {
        let duration = duration ?? Self.durations.upperBound
        guard Self.durations.contains(duration) else {
            throw AccountError("INVALID_DURATION", "A session cookie is valid for 300 to 1209600 seconds")
        }
        let token = try await authenticate(idToken).token
        let own: [(name: String, value: JSON)] = [
            ("iss", .string(policy.cookieIssuer)), ("iat", .number(max(seconds, token.issued))), ("exp", .number(seconds + duration)),
        ]
        return try sign(token.claims.members.filter { !["iss", "iat", "exp"].contains($0.name) } + own)
    }

    func sign(_ claims: [(name: String, value: JSON)]) throws(AccountError) -> String {
        guard policy.signsTokens else { return UnsignedToken.make(claims) }
        guard let key else { throw .storage("the key that signs tokens is missing") }
        do throws(TokenError) {
            return try key.sign(claims)
        } catch {
            throw .storage(error.message)
        }
    }

    /// The keys by their ids, as PEM: what libraries ask of the paths that have certificates at Google.
    var keysInPEM: JSON { .object(([key].compactMap(\.self) + previousKeys).map { ($0.id, .string($0.publicPEM)) }) }
}
