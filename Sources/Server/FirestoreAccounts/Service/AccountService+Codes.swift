// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// Codes by e-mail: 128 random bits, stored hashed, used once, valid for an hour.
extension AccountService {
    struct CodeRequest: Sendable {
        var purpose: OutOfBandCode.Purpose
        var email: String?
        var idToken: String?
        var newEmail: String?
        var continueURL: String?
        /// The key of the app that asks. Clients want it in the link.
        var apiKey: String?
        /// An administrator asks for the code itself instead of an e-mail.
        var returnsLink = false
    }

    /// Makes a code and hands it to the mail command. Where e-mail privacy is on, an unknown address takes the same steps.
    func sendCode(_ request: CodeRequest, isPrivileged: Bool, from address: String) async throws(AccountError) -> AccountMail {
        if !isPrivileged { try admit(address) }
        guard policy.isDevelopment || deliver != nil || request.returnsLink && isPrivileged else { throw .notAllowed }
        let isSignIn = request.purpose == .emailSignIn
        guard policy.allows(isSignIn ? "emailLink" : "password") || isPrivileged else { throw .notAllowed }
        if let text = request.continueURL { try policy.check(continueURL: text) }
        if isSignIn, request.continueURL == nil { throw AccountError("MISSING_CONTINUE_URI") }
        let newEmail = try request.newEmail.map { (text) throws(AccountError) in try AccountRules.email(text) }
        if request.purpose == .changeEmail, newEmail == nil { throw AccountError("MISSING_NEW_EMAIL") }
        let (account, email) = try await addressee(request, isPrivileged)
        try await takeAttempt("c:" + email, isPrivileged ? nil : policy.budgets.codes)

        let secret = random.text(bytes: 16)
        let code = OutOfBandCode(
            purpose: request.purpose, account: account?.id, email: email, newEmail: newEmail,
            expires: clock.now() + OutOfBandCode.lifetime * 1_000_000)
        let isTaken = try await store.write { [self] transaction in
            if let newEmail, let owner = try transaction.account(email: newEmail), owner.id != account?.id { return true }
            try transaction.add(code, hash: Self.hash(secret), now: clock.now())
            return false
        }
        if isTaken, !switches.withLock(\.hidesEmails) || isPrivileged { throw .emailExists }
        let mail = AccountMail(
            requestType: request.purpose.rawValue, recipient: newEmail ?? email, email: email, newEmail: newEmail, code: secret,
            link: link(request, secret))
        guard !isTaken, account != nil || isSignIn else { return mail }
        if policy.isDevelopment {
            listedCodes.withLock { codes in
                codes.append(ListedCode(mail: mail))
                if codes.count > 1_000 { codes.removeFirst() }
            }
        }
        if !request.returnsLink { deliver?(mail) }
        return mail
    }

    private func addressee(_ request: CodeRequest, _ isPrivileged: Bool) async throws(AccountError) -> (Account?, String) {
        if request.purpose == .verifyEmail || request.purpose == .changeEmail, !isPrivileged || request.idToken != nil {
            guard let idToken = request.idToken else { throw AccountError("MISSING_ID_TOKEN") }
            let known = try await authenticate(idToken)
            let (account, authenticated) = (known.account, known.authenticated)
            if request.purpose == .changeEmail, !isPrivileged { try checkRecent(authenticated) }
            guard let email = account.email else { throw AccountError("MISSING_EMAIL") }
            return (account, email)
        }
        guard let text = request.email, !text.isEmpty else { throw AccountError("MISSING_EMAIL") }
        let email = try AccountRules.email(text)
        let account = try await store.read { try $0.account(email: email) }
        if request.purpose == .emailSignIn { return (account, email) }
        if let account, account.isDisabled { return (nil, email) }
        if account == nil, isPrivileged || !switches.withLock(\.hidesEmails) { throw AccountError("EMAIL_NOT_FOUND") }
        return (account, email)
    }

    private func link(_ request: CodeRequest, _ code: String) -> String {
        var link = policy.actionURL + (policy.actionURL.contains("?") ? "&" : "?")
        link += "mode=\(request.purpose.mode)&lang=en&oobCode=\(code)"
        if let key = policy.isDevelopment ? "fake-api-key" : request.apiKey, AccountRules.isPlainKey(key) { link += "&apiKey=" + key }
        if let url = request.continueURL { link += "&continueUrl=" + PercentEncoding.encode(url) }
        return link
    }

    // MARK: Using codes

    /// Returns the purpose of a code, without using it.
    func inspect(code: String, from address: String) async throws(AccountError) -> OutOfBandCode {
        try admit(address)
        return try await store.read { [self] in try valid(code, $0) }
    }

    private func valid(_ code: String, _ transaction: AccountTransaction) throws -> OutOfBandCode {
        guard !code.isEmpty else { throw AccountError("MISSING_OOB_CODE") }
        guard let found = try transaction.code(hash: Self.hash(code)), found.account != nil || found.purpose == .emailSignIn else {
            throw AccountError.invalidCode
        }
        guard clock.now() < found.expires else { throw AccountError("EXPIRED_OOB_CODE") }
        return found
    }

    private func use(_ code: String, for purposes: [OutOfBandCode.Purpose], _ transaction: AccountTransaction) throws -> OutOfBandCode {
        let found = try valid(code, transaction)
        guard purposes.contains(found.purpose) else { throw AccountError.invalidCode }
        try transaction.removeCode(hash: Self.hash(code))
        return found
    }

    private func forgetListed(_ code: String) {
        listedCodes.withLock { $0.removeAll { equalUTF8($0.mail.code, code) } }
    }

    /// Sets a new password with a code. The address is verified by it, and all sessions end.
    func resetPassword(code: String, to password: String, from address: String) async throws(AccountError) -> OutOfBandCode {
        let known = try await inspect(code: code, from: address)
        guard known.purpose == .passwordReset else { throw .invalidCode }
        try AccountRules.check(password: password)
        let hash = try await passwordHash(password)
        let (found, id) = try await store.write { [self] transaction in
            let found = try use(code, for: [.passwordReset], transaction)
            guard var account = try found.account.flatMap({ try transaction.account(id: $0) }), account.email == found.email else {
                throw AccountError.invalidCode
            }
            guard !account.isDisabled else { throw AccountError.userDisabled }
            account.passwordHash = hash
            account.passwordUpdated = milliseconds
            account.isEmailVerified = true
            try revoke(&account, transaction)
            try transaction.store(account)
            try transaction.removeCodes(of: account.id)
            return (found, account.id)
        }
        forgetListed(code)
        try await forgetFailures(found.email)
        announce(id)
        return found
    }

    /// Verifies or changes an e-mail address with a code.
    func apply(code: String, from address: String) async throws(AccountError) -> Account {
        try admit(address)
        let (account, isChanged) = try await store.write { [self] transaction in
            let found = try use(code, for: [.verifyEmail, .changeEmail], transaction)
            guard var account = try found.account.flatMap({ try transaction.account(id: $0) }), account.email == found.email else {
                throw AccountError.invalidCode
            }
            guard !account.isDisabled else { throw AccountError.userDisabled }
            account.isEmailVerified = true
            if found.purpose == .changeEmail, let email = found.newEmail {
                if let owner = try transaction.account(email: email), owner.id != account.id { throw AccountError.emailExists }
                account.email = email
                try revoke(&account, transaction)
                try transaction.removeCodes(of: account.id)
            }
            try transaction.store(account)
            return (account, found.purpose == .changeEmail)
        }
        forgetListed(code)
        if isChanged { announce(account.id) }
        return account
    }

    /// Signs in with the code of a link, or adds the address to the account of an ID token.
    func signIn(email: String, code: String, linkingTo idToken: String?, from address: String) async throws(AccountError) -> SignIn {
        try admit(address)
        guard policy.allows("emailLink") else { throw .notAllowed }
        let email = try AccountRules.email(email)
        let linked = try await linkedAccount(idToken)
        let session = Session(provider: "password", claims: nil, authenticated: seconds)
        let (account, isNew, token, endsTokens) = try await store.write { [self] transaction in
            let found = try use(code, for: [.emailSignIn], transaction)
            guard equalUTF8(found.email, email) else {
                throw AccountError("INVALID_EMAIL", "The email provided does not match the sign-in email address.")
            }
            let existing = try transaction.account(email: email)
            if let linked, let existing, existing.id != linked.account.id { throw AccountError.emailExists }
            var account =
                try linked.map { try current($0, transaction) } ?? existing
                ?? {
                    guard try transaction.count() < policy.maximumAccounts else { throw AccountError("QUOTA_EXCEEDED") }
                    return Account(id: random.userID(), created: milliseconds, validSince: seconds)
                }()
            guard !account.isDisabled else { throw AccountError.userDisabled }
            // An unproved address may have been claimed by another person, whose password must not open the account from now on.
            var endsTokens = false
            if existing != nil, !account.isEmailVerified { endsTokens = try dropUnproved(&account, transaction) }
            account.email = email
            account.initialEmail = account.initialEmail ?? email
            account.isEmailVerified = true
            account.usesEmailLink = true
            let token = try open(session, for: &account, transaction)
            return (account, existing == nil && linked == nil, token, endsTokens)
        }
        forgetListed(code)
        noteChange(of: account.id, endsTokens: endsTokens)
        return try signIn(account, session, token, isNew: isNew)
    }

    /// Ends what the previous holder of an address that was never verified could use. Returns whether that has ended tokens.
    func dropUnproved(_ account: inout Account, _ transaction: AccountTransaction) throws -> Bool {
        guard account.passwordHash != nil else { return false }
        account.passwordHash = nil
        account.passwordUpdated = nil
        try revoke(&account, transaction)
        return true
    }
}
