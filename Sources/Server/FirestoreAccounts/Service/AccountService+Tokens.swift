// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreTokens

extension AccountService {
    // MARK: Verifying

    /// The issuer that the server's verifier needs to accept the tokens of these accounts. A project whose tokens Google signs must not
    /// be configured with it, too.
    package var tokenIssuer: TokenIssuer {
        ownTokens.checked(
            StandingCheck(
                now: { [weak self] (token) throws(TokenError) in try Self.open(self).isInForceNow(token) },
                waiting: { [weak self] (token) async throws(TokenError) in try await Self.open(self).checkInForce(token) }))
    }

    private static func open(_ service: AccountService?) throws(TokenError) -> AccountService {
        guard let service else { throw TokenError(.unavailable, "the accounts are being closed; try again") }
        return service
    }

    /// The key set to publish under `/.well-known/jwks.json`.
    package var keyDocument: JSON { SigningKey.document(of: [key].compactMap(\.self) + previousKeys) }

    /// Rejects a token whose account was disabled or deleted, or whose session has ended. Returns false if that is not in memory: event
    /// loops must not wait for the file, which is behind the writes of others.
    package func isInForceNow(_ token: VerifiedToken) throws(TokenError) -> Bool {
        guard let standing = standings.known(token.user) else { return false }
        try check(token, standing)
        return true
    }

    /// Rejects a token like `isInForceNow`, after reading data that is not in memory.
    package func checkInForce(_ token: VerifiedToken) async throws(TokenError) {
        let standing: StandingCache.Standing
        do throws(AccountError) {
            standing = try await self.standing(of: token.user)
        } catch {
            throw TokenError(.unavailable, "the accounts cannot be read; try again")
        }
        try check(token, standing)
    }

    private func check(_ token: VerifiedToken, _ standing: StandingCache.Standing) throws(TokenError) {
        guard let validSince = standing.validSince else {
            // Test SDKs make tokens for users without accounts.
            if policy.isDevelopment { return }
            throw TokenError(.revoked, "the user's account was deleted; sign in again")
        }
        guard !standing.isDisabled else { throw TokenError(.revoked, "the user's account is disabled") }
        guard token.issued >= validSince || policy.isDevelopment && token.issued == 0 else {
            throw TokenError(.revoked, "the token was issued before the account's credentials changed; sign in again")
        }
    }

    private func standing(of id: String) async throws(AccountError) -> StandingCache.Standing {
        let (known, generation) = standings.look(up: id)
        if let known { return known }
        let account = try await store.read { try $0.account(id: id) }
        let standing = StandingCache.Standing(validSince: account?.validSince, isDisabled: account?.isDisabled ?? false)
        // A new account is not announced, so other servers do not remember that it was missing.
        if account != nil || !store.isShared { standings.keep(standing, of: id, readAt: generation) }
        return standing
    }

    /// The account of an ID token that a client sends along.
    struct Authenticated: Sendable {
        let account: Account
        /// When its user signed in. Seconds since 1970.
        let authenticated: Int64
        /// `firebase.sign_in_provider`.
        let provider: String?
        let token: VerifiedToken
    }

    func authenticate(_ idToken: String) async throws(AccountError) -> Authenticated {
        let verified: VerifiedToken
        do throws(TokenError) {
            let token = try JSONWebToken(idToken)
            if policy.isDevelopment {
                verified = try VerifiedToken(unproved: token)
            } else {
                guard let proved = try ownTokens.verifyNow(token, now: clock.now()) else { throw TokenError(.key, "the key is unknown") }
                verified = proved
            }
        } catch {
            throw error.kind == .expired ? .tokenExpired : .invalidIDToken
        }
        guard let account = try await store.read({ try $0.account(id: verified.user) }) else { throw .userNotFound }
        guard !account.isDisabled else { throw .userDisabled }
        guard verified.issued >= account.validSince else { throw .tokenExpired }
        var provider: String?
        if case .string(let name)? = verified.claims["firebase"]?["sign_in_provider"] { provider = name }
        return Authenticated(
            account: account, authenticated: verified.authenticated ?? verified.issued, provider: provider, token: verified)
    }

    // MARK: Issuing

    /// Begins a session in a transaction; its tokens are made with `signIn(_:_:_:isNew:)` afterwards. Returns the refresh token: 256 random
    /// bits, of which only the hash is stored.
    func open(_ session: Session, for account: inout Account, _ transaction: AccountTransaction) throws -> String {
        account.lastLogin = milliseconds
        account.lastRefresh = milliseconds
        try transaction.store(account)
        let refreshToken = random.text(bytes: 32)
        try transaction.add(session, hash: Self.hash(refreshToken), account: account.id, now: clock.now())
        return refreshToken
    }

    func signIn(_ account: Account, _ session: Session, _ refreshToken: String, isNew: Bool) throws(AccountError) -> SignIn {
        SignIn(account: account, isNew: isNew, idToken: try idToken(for: account, session), refreshToken: refreshToken)
    }

    /// An ID token with the claims of AU-2.
    private func idToken(for account: Account, _ session: Session) throws(AccountError) -> String {
        var claims: [(name: String, value: JSON)] = []
        func set(_ name: String, _ value: JSON) {
            claims.removeAll { equalUTF8($0.name, name) }
            claims.append((name, value))
        }
        for text in [account.customAttributes, session.claims].compactMap(\.self) {
            guard let json = try? JSON(text.utf8), case .object(let members) = json else { continue }
            for member in members where !AccountRules.reservedClaims.contains(member.name) { set(member.name, member.value) }
        }
        if let name = account.displayName { set("name", .string(name)) }
        if let picture = account.photoURL { set("picture", .string(picture)) }
        var identities: [(name: String, value: JSON)] = []
        if let email = account.email {
            set("email", .string(email))
            set("email_verified", .boolean(account.isEmailVerified))
            identities.append(("email", .array([.string(email)])))
        }
        if let phone = account.phoneNumber {
            set("phone_number", .string(phone))
            identities.append(("phone", .array([.string(phone)])))
        }
        if session.provider == "anonymous" { set("provider_id", .string("anonymous")) }
        var seen: Set<String> = []
        for provider in account.providers where seen.insert(provider.id).inserted {
            let ids = account.providers.filter { equalUTF8($0.id, provider.id) }.map { JSON.string($0.rawID) }
            identities.append((provider.id, .array(ids)))
        }
        // Not before the moment from which tokens of the account are accepted.
        let issued = max(seconds, account.validSince)
        let own: [(name: String, value: JSON)] = [
            ("iss", .string(policy.issuer)), ("aud", .string(policy.audience)), ("auth_time", .number(min(session.authenticated, issued))),
            ("user_id", .string(account.id)), ("sub", .string(account.id)), ("iat", .number(issued)),
            ("exp", .number(issued + SignIn.lifetime)),
            ("firebase", .object([("identities", .object(identities)), ("sign_in_provider", .string(session.provider))])),
        ]
        for claim in own { set(claim.name, claim.value) }
        return try sign(claims)
    }

    /// A new ID token for a session. The refresh token stays the same.
    package func refresh(_ refreshToken: String, from address: String) async throws(AccountError) -> SignIn {
        try admit(address)
        guard !refreshToken.isEmpty else { throw AccountError("MISSING_REFRESH_TOKEN") }
        let hash = Self.hash(refreshToken)
        let (account, session) = try await store.write { [self] transaction in
            guard let (session, id) = try transaction.session(hash: hash), var account = try transaction.account(id: id) else {
                throw AccountError("INVALID_REFRESH_TOKEN")
            }
            guard !account.isDisabled else { throw AccountError.userDisabled }
            account.lastRefresh = milliseconds
            try transaction.store(account)
            try transaction.noteUse(ofSession: hash, now: clock.now())
            return (account, session)
        }
        return try signIn(account, session, refreshToken, isNew: false)
    }
}
