// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Tokens of a service account: requested with a signature, or signed here.
struct ServiceAccountTokens: TokenFetching {
    let key: ServiceAccountKey
    let signing: Credentials.Signing
    let endpoint: TokenEndpoint
    let clock: any WallClock

    /// What the tokens may be used for.
    static let scope = "https://www.googleapis.com/auth/datastore"
    /// The audience of a self-signed token.
    static let audience = "https://firestore.googleapis.com/"

    var account: String { "the service account \(key.email)" }

    func fetch() async throws(FirestoreError) -> AccessToken {
        let now = clock.now()
        let issuer: (name: String, value: JSON) = ("iss", .string(key.email))
        switch signing {
        case .selfSigned:
            let token = try key.sign([issuer, ("sub", .string(key.email)), ("aud", .string(Self.audience))], now: now)
            return AccessToken(token, expiry: now + ServiceAccountKey.lifetime * 1_000_000)
        case .exchanged:
            let claims = [issuer, ("scope", .string(Self.scope)), ("aud", .string(key.tokenEndpoint.text))]
            let assertion = try key.sign(claims, now: now)
            return try await endpoint.token(
                from: .form(
                    key.tokenEndpoint,
                    [("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("assertion", assertion)]),
                for: account,
                advice: "the key may have been deleted (create a new one), or the clock of this machine is wrong")
        }
    }
}
