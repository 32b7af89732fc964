// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTokens

extension AccountService {
    private func session(_ provider: String, claims: String? = nil) -> Session {
        Session(provider: provider, claims: claims, authenticated: seconds)
    }

    private func newAccount(_ id: String? = nil) -> Account {
        Account(id: id ?? random.userID(), created: milliseconds, validSince: seconds)
    }

    private func checkRoom(_ transaction: AccountTransaction) throws {
        guard try transaction.count() < policy.maximumAccounts else {
            throw AccountError("QUOTA_EXCEEDED", "The project has too many accounts")
        }
    }

    // MARK: New accounts

    package func signUpAnonymously(from address: String) async throws(AccountError) -> SignIn {
        try admit(address)
        guard policy.allows("anonymous") else { throw AccountError("ADMIN_ONLY_OPERATION") }
        try takeSignUp(address)
        let session = session("anonymous")
        let (account, token) = try await store.write { [self] transaction in
            try checkRoom(transaction)
            var account = newAccount()
            return (account, try open(session, for: &account, transaction))
        }
        return try signIn(account, session, token, isNew: true)
    }

    /// Creates an account with a password, or adds the password to the account of an ID token (AU-28).
    package func signUp(
        email: String, password: String, displayName: String?, linkingTo idToken: String?, from address: String
    ) async throws(AccountError) -> SignIn {
        try admit(address)
        guard policy.allows("password") else { throw .notAllowed }
        let email = try AccountRules.email(email)
        try AccountRules.check(password: password)
        let displayName = try displayName.map { (text) throws(AccountError) in try AccountRules.check(text: text, "displayName") }
        let linked = try await linkedAccount(idToken)
        if let linked { try checkChange(of: linked.account, to: email) }
        // This includes links: their answers reveal whether another account has the address.
        try takeSignUp(address)
        let hash = try await passwordHash(password)
        let session = session("password")
        let (account, token) = try await store.write { [self] transaction in
            var account: Account
            if let linked {
                account = try current(linked, transaction)
                try checkChange(of: account, to: email)
            } else {
                try checkRoom(transaction)
                account = newAccount()
            }
            if let owner = try transaction.account(email: email), owner.id != account.id { throw AccountError.emailExists }
            if linked != nil { try revoke(&account, transaction) }
            if account.email != email { account.isEmailVerified = false }
            account.email = email
            account.initialEmail = account.initialEmail ?? email
            account.displayName = displayName ?? account.displayName
            account.passwordHash = hash
            account.passwordUpdated = milliseconds
            return (account, try open(session, for: &account, transaction))
        }
        if linked != nil { announce(account.id) }
        return try signIn(try await reread(account), session, token, isNew: linked == nil)
    }

    /// The account with what `open` has noted in it.
    private func reread(_ account: Account) async throws(AccountError) -> Account {
        guard let current = try await store.read({ try $0.account(id: account.id) }) else { throw .userNotFound }
        return current
    }

    // MARK: Passwords

    /// - Parameter idToken: A token of the account, from a device on which its user is signed in. Its wrong passwords are counted apart, so
    ///   that strangers who guess do not lock the device out.
    package func signIn(
        email: String, password: String, idToken: String? = nil, from address: String
    ) async throws(AccountError) -> SignIn {
        try admit(address)
        guard policy.allows("password") else { throw AccountError("PASSWORD_LOGIN_DISABLED") }
        let email = try AccountRules.email(email)
        guard password.utf8.count <= AccountRules.maximumPasswordBytes else { throw .invalidCredentials }
        // Taken before the password is known to be right, so that many guesses at the same time do not pass.
        let failures = await failureKey(email, idToken)
        try await takeAttempt(failures, policy.budgets.failures)
        let session = session("password")
        // The hash may be replaced by another sign-in in the meantime; then the new one decides.
        for _ in 0..<3 {
            let found = try await store.read { try $0.account(email: email) }
            let (isRight, replacement) = try await compare(password, found?.passwordHash)
            guard isRight, let found else {
                if switches.withLock(\.hidesEmails) { throw .invalidCredentials }
                throw AccountError(found == nil ? "EMAIL_NOT_FOUND" : "INVALID_PASSWORD")
            }
            try await giveBackAttempt(failures, policy.budgets.failures)
            let opened = try await store.write { [self] transaction -> (Account, String)? in
                guard var account = try transaction.account(id: found.id), account.passwordHash == found.passwordHash else { return nil }
                guard !account.isDisabled else { throw AccountError.userDisabled }
                account.passwordHash = replacement ?? account.passwordHash
                let token = try open(session, for: &account, transaction)
                return (account, token)
            }
            guard let (account, token) = opened else { continue }
            return try signIn(account, session, token, isNew: false)
        }
        throw .invalidCredentials
    }

    private func failureKey(_ email: String, _ idToken: String?) async -> String {
        // A token that proves nothing is treated as none: it must not reveal more than a sign-in without it.
        if let idToken, let known = try? await authenticate(idToken).account, known.email == email { return "d:" + known.id }
        return Self.failures(email)
    }

    /// Counts wrong passwords of an address.
    static func failures(_ email: String) -> String { "f:" + email }

    /// Whether the password is right, and Hearth's hash of it if another one is stored.
    private func compare(_ password: String, _ hash: String?) async throws(AccountError) -> (Bool, replacement: String?) {
        let (cost, salt) = (policy.passwordCost, random.bytes(PasswordHash.saltBytes))
        return try await workers.run {
            guard PasswordHash.matches(password, hash, cost: cost) else { return (false, nil) }
            guard let hash, !PasswordHash.isCurrent(hash, cost: cost) else { return (true, nil) }
            return (true, PasswordHash.make(password, salt: salt, cost: cost))
        }
    }

    // MARK: Custom tokens

    /// Signs in with a token that the operator's own server has made. Development mode also takes unsigned tokens and plain JSON.
    package func signIn(customToken text: String, from address: String) async throws(AccountError) -> SignIn {
        try admit(address)
        guard !text.isEmpty else { throw AccountError("MISSING_CUSTOM_TOKEN") }
        let (user, claims) = try await custom(text)
        var stored: String?
        if let claims {
            try AccountRules.check(claims: claims)
            stored = claims.text()
            guard stored?.count ?? 0 <= AccountRules.maximumAttributes else { throw AccountError("CLAIMS_TOO_LARGE") }
        }
        let session = session("custom", claims: stored)
        let (account, isNew, token) = try await store.write { [self] transaction in
            let existing = try transaction.account(id: user)
            if existing == nil { try checkRoom(transaction) }
            var account = existing ?? newAccount(user)
            guard !account.isDisabled else { throw AccountError.userDisabled }
            account.isCustom = true
            let token = try open(session, for: &account, transaction)
            return (account, existing == nil, token)
        }
        return try signIn(account, session, token, isNew: isNew)
    }

    private func custom(_ text: String) async throws(AccountError) -> (user: String, claims: JSON?) {
        func checked(_ user: JSON?, _ claims: JSON?, tenant: JSON?) throws(AccountError) -> (user: String, claims: JSON?) {
            switch tenant {
            case nil, .null?, .string("")?: break
            default: throw Unsupported.tenantOfToken
            }
            guard case .string(let user)? = user, !user.isEmpty else { throw AccountError("MISSING_IDENTIFIER") }
            guard user.unicodeScalars.count <= TokenRequirements.maximumUserCharacters else {
                throw AccountError("INVALID_CUSTOM_TOKEN", "The uid is longer than 128 characters")
            }
            return (user, claims)
        }
        if policy.isDevelopment {
            if text.utf8.first == UInt8(ascii: "{") {
                guard text.utf8.count <= JSONWebToken.maximumBytes, let json = try? JSON(text.utf8) else {
                    throw AccountError("INVALID_CUSTOM_TOKEN", "((Auth Emulator only accepts strict JSON or JWTs as fake custom tokens.))")
                }
                return try checked(json["uid"], json["claims"], tenant: json["tenant_id"])
            }
            guard let token = try? JSONWebToken(text) else { throw AccountError("INVALID_CUSTOM_TOKEN", "Invalid assertion format") }
            return try checked(token.claims["uid"], token.claims["claims"], tenant: token.claims["tenant_id"])
        }
        guard policy.allows("custom"), let issuer = policy.customTokens else { throw .notAllowed }
        let (token, user): (JSONWebToken, String)
        do throws(TokenError) {
            token = try JSONWebToken(text)
            user = try await issuer.verify(token, now: clock.now()).user
        } catch {
            throw AccountError("INVALID_CUSTOM_TOKEN", error.message)
        }
        return try checked(.string(user), token.claims["claims"], tenant: token.claims["tenant_id"])
    }
}
