// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import HearthBase

/// Accounts without a server, for anonymous users and for custom tokens.
///
/// It stores nothing. A refresh token contains the account, and the file of the signed-in user contains the refresh token.
/// ID tokens have the claims of a server's and no signature, so that only a development server accepts them. There are no passwords:
/// they would have to be hashed by a library that an embedded app does not link.
struct LocalIdentity: IdentityBackend {
    let project: String
    let clock: any WallClock
    let makeID: @Sendable () -> String

    init(project: String, clock: any WallClock, makeID: @escaping @Sendable () -> String = { LocalIdentity.randomID() }) {
        self.project = project
        self.clock = clock
        self.makeID = makeID
    }

    /// 28 letters and digits, as servers make them.
    static func randomID() -> String { String((AutoID.make() + AutoID.make()).prefix(28)) }

    /// The content of a refresh token.
    struct Account: Codable, Sendable {
        var uid: String
        var provider: String
        /// Seconds since 1970.
        var signedInAt: Int64
        var displayName: String?
        var photoURL: String?
        /// The claims of a custom token, as JSON.
        var claims: Data?
    }

    private static let lifetime: Int64 = 3600
    private var now: Int64 { clock.now() / 1_000_000 }

    func signIn(_ method: SignInMethod, linkingTo idToken: String?) async throws(AuthFailure) -> SignInOutcome {
        switch method {
        case .anonymous:
            return SignInOutcome(
                tokens: try tokens(Account(uid: makeID(), provider: "anonymous", signedInAt: now)), isNewUser: true)
        case .customToken(let token):
            let (uid, claims) = try Self.read(customToken: token)
            return SignInOutcome(tokens: try tokens(Account(uid: uid, provider: "custom", signedInAt: now, claims: claims)))
        case .newAccount, .password, .emailLink: throw Self.needsServer("e-mail addresses and passwords")
        case .provider(let assertion): throw Self.needsServer("signing in with \(assertion.providerID)")
        }
    }

    func refresh(_ refreshToken: String) async throws(AuthFailure) -> IDTokens { try tokens(Self.account(refreshToken)) }

    func lookup(_ idToken: String) async throws(AuthFailure) -> AccountProfile {
        let claims = try IDToken(idToken).claims
        guard let uid = claims["sub"] as? String else { throw AuthFailure(.malformedJWT) }
        let signedIn = (claims["auth_time"] as? NSNumber)?.int64Value
        return AccountProfile(
            uid: uid, displayName: claims["name"] as? String, photoURL: claims["picture"] as? String,
            createdAt: signedIn.map { $0 * 1000 }, lastSignInAt: signedIn.map { $0 * 1000 })
    }

    func update(_ idToken: String, _ changes: AccountChanges) async throws(AuthFailure) -> IDTokens? {
        guard changes.email == nil, changes.password == nil, changes.removedProviders.isEmpty else {
            throw Self.needsServer("e-mail addresses and passwords")
        }
        let claims = try IDToken(idToken).claims
        guard let text = claims[Self.accountClaim] as? String else { throw AuthFailure(.invalidUserToken) }
        var account = try Self.account(text)
        if let name = changes.displayName { account.displayName = name.value }
        if let photo = changes.photoURL { account.photoURL = photo.value }
        return try tokens(account)
    }

    func delete(_ idToken: String) async throws(AuthFailure) {}

    func send(_ message: CodeMessage) async throws(AuthFailure) { throw Self.needsServer("e-mail messages") }

    func redeem(_ code: String, newPassword: String?) async throws(AuthFailure) -> CodeContent {
        throw Self.needsServer("e-mail messages")
    }

    func apply(_ code: String) async throws(AuthFailure) { throw Self.needsServer("e-mail messages") }

    func signInMethods(of email: String) async throws(AuthFailure) -> [String] { throw Self.needsServer("e-mail addresses and passwords") }

    func revoke(authorizationCode: String, _ idToken: String) async throws(AuthFailure) {
        throw Self.needsServer("revoking tokens of Apple")
    }

    // MARK: Tokens

    /// The claim that contains the account, for refreshing.
    private static let accountClaim = "hearth_account"

    private func tokens(_ account: Account) throws(AuthFailure) -> IDTokens {
        let refreshToken = try Self.encode(account)
        var claims = account.claims.flatMap { (try? JSONSerialization.jsonObject(with: $0)) as? [String: Any] } ?? [:]
        claims["iss"] = "https://securetoken.google.com/\(project)"
        claims["aud"] = project
        claims["sub"] = account.uid
        claims["user_id"] = account.uid
        claims["iat"] = now
        claims["exp"] = now + Self.lifetime
        claims["auth_time"] = account.signedInAt
        if let name = account.displayName { claims["name"] = name }
        if let photo = account.photoURL { claims["picture"] = photo }
        if account.provider == "anonymous" { claims["provider_id"] = "anonymous" }
        claims["firebase"] = ["identities": [String: Any](), "sign_in_provider": account.provider] as [String: Any]
        claims[Self.accountClaim] = refreshToken
        guard let payload = try? JSONSerialization.data(withJSONObject: claims, options: [.sortedKeys]) else {
            throw AuthFailure(.invalidCustomToken, "the claims of the custom token are not JSON values")
        }
        let parts = [Array(#"{"alg":"none","typ":"JWT"}"#.utf8), Array(payload)].map { Base64.encodeForURL($0) }
        return IDTokens(
            idToken: parts.joined(separator: ".") + ".", refreshToken: refreshToken, expiry: (now + Self.lifetime) * 1_000_000)
    }

    private static func encode(_ account: Account) throws(AuthFailure) -> String {
        do {
            return Base64.encodeForURL(Array(try JSONEncoder().encode(account)))
        } catch {
            throw AuthFailure(.internalError, "the local account cannot be encoded", cause: error)
        }
    }

    private static func account(_ text: String) throws(AuthFailure) -> Account {
        guard let bytes = Base64.decode(text), let account = try? JSONDecoder().decode(Account.self, from: Data(bytes)) else {
            throw AuthFailure(.userTokenExpired, "the stored user is not a local account; sign in again")
        }
        return account
    }

    // MARK: Custom tokens

    /// The claims that a custom token must not contain.
    private static let reserved: Set<String> = [
        "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf", "auth_time", "firebase", "at_hash", "c_hash",
    ]

    /// A JSON web token, whose signature is not checked, or plain JSON: `{"uid": "ada", "claims": {"admin": true}}`.
    private static func read(customToken text: String) throws(AuthFailure) -> (uid: String, claims: Data?) {
        let payload = text.contains("{") ? Data(text.utf8) : (try? IDToken(text))?.payload
        guard let members = payload.flatMap({ try? JSONSerialization.jsonObject(with: $0) }) as? [String: Any] else {
            throw AuthFailure(.invalidCustomToken, "the custom token is neither a JSON web token nor a JSON object")
        }
        guard let uid = members["uid"] as? String, (1...128).contains(uid.unicodeScalars.count) else {
            throw AuthFailure(.invalidCustomToken, "the custom token has no uid of 1 to 128 characters")
        }
        guard let claims = members["claims"] as? [String: Any] else { return (uid, nil) }
        if let name = claims.keys.sorted().first(where: reserved.contains) {
            throw AuthFailure(.invalidCustomToken, "the claim \(name) of the custom token is reserved")
        }
        return (uid, try? JSONSerialization.data(withJSONObject: claims, options: [.sortedKeys]))
    }

    private static func needsServer(_ what: String) -> AuthFailure {
        AuthFailure(
            .operationNotAllowed,
            "local accounts do not support \(what). Use the accounts of a server (Auth.auth().useEmulator(withHost:port:) with a "
                + "development server, Auth.auth().useServer(_:)), or set FirebaseOptions.apiKey for those of a Google project")
    }
}

extension AccountChanges.Text {
    /// nil if it was removed.
    var value: String? {
        switch self {
        case .set(let text): text
        case .removed: nil
        }
    }
}
