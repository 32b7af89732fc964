// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A change of an account. Fields that are nil stay.
struct AccountChange: Sendable {
    var email: String?
    var password: String?
    var displayName: String?
    var photoURL: String?
    var deletedAttributes: Set<String> = []
    var deletedProviders: Set<String> = []
    // By administrators only.
    var phoneNumber: String?
    var isEmailVerified: Bool?
    var isDisabled: Bool?
    var customAttributes: String?
    var validSince: Int64?
    var linkedProvider: LinkedProvider?

    var needsPrivilege: Bool {
        phoneNumber != nil || isEmailVerified != nil || isDisabled != nil || customAttributes != nil || validSince != nil
            || linkedProvider != nil
    }

    /// Whether the change decides which credentials can sign in to the account from now on.
    var changesCredentials: Bool {
        email != nil || password != nil || !deletedProviders.isEmpty || !deletedAttributes.isDisjoint(with: ["EMAIL", "PASSWORD"])
    }
}

extension AccountService {
    /// Changes the account of an ID token. New tokens are returned when the change has ended the old ones.
    func update(idToken: String, _ change: AccountChange, from address: String) async throws(AccountError) -> (Account, SignIn?) {
        try admit(address)
        guard !change.needsPrivilege else { throw .insufficientPermission }
        let known = try await authenticate(idToken)
        let (account, authenticated, provider) = (known.account, known.authenticated, known.provider)
        if change.changesCredentials { try checkRecent(authenticated) }
        if let text = change.email { try checkChange(of: account, to: try AccountRules.email(text)) }
        if change.email != nil || change.password != nil, !policy.allows("password") { throw .notAllowed }
        // The answer reveals whether another account has the address, as the answer to a sign-up does.
        if change.email != nil { try takeSignUp(address) }
        return try await apply(change, to: account, provider: provider, isOwn: true, authenticated: authenticated)
    }

    /// Changes any account, as an administrator.
    func update(id: String, _ change: AccountChange) async throws(AccountError) -> Account {
        guard let account = try await store.read({ try $0.account(id: id) }) else { throw .userNotFound }
        return try await apply(change, to: account, provider: nil, isOwn: false, authenticated: seconds).0
    }

    private func apply(
        _ change: AccountChange, to seen: Account, provider: String?, isOwn: Bool, authenticated: Int64
    ) async throws(AccountError) -> (Account, SignIn?) {
        let email = try change.email.map { (text) throws(AccountError) in try AccountRules.email(text) }
        for (text, name) in [(change.displayName, "displayName"), (change.photoURL, "photoUrl"), (change.phoneNumber, "phoneNumber")] {
            if let text { _ = try AccountRules.check(text: text, name) }
        }
        if let text = change.customAttributes, !text.isEmpty { try AccountRules.check(attributes: text) }
        var hash: String?
        if let password = change.password {
            try AccountRules.check(password: password)
            hash = try await passwordHash(password)
        }
        let (newHash, session) = (hash, Session(provider: newProvider(change, provider), claims: nil, authenticated: authenticated))
        let (account, token, endsTokens) = try await store.write { [self] transaction in
            guard var account = try transaction.account(id: seen.id) else { throw AccountError.userNotFound }
            // The token may have ended while the password was hashed.
            if isOwn, account.isDisabled || account.validSince != seen.validSince { throw AccountError.tokenExpired }
            var endsTokens = false
            if let email, email != account.email {
                if let owner = try transaction.account(email: email), owner.id != account.id { throw AccountError.emailExists }
                account.email = email
                account.initialEmail = account.initialEmail ?? email
                account.isEmailVerified = false
                endsTokens = true
            }
            if let newHash {
                account.passwordHash = newHash
                account.passwordUpdated = milliseconds
                endsTokens = true
            }
            try set(change, in: &account, transaction)
            if endsTokens || change.isDisabled == true { try revoke(&account, transaction) }
            if endsTokens { try transaction.removeCodes(of: account.id) }
            if let validSince = change.validSince { try end(&account, before: validSince, transaction) }
            try transaction.store(account)
            let token = isOwn && endsTokens ? try open(session, for: &account, transaction) : nil
            return (account, token, endsTokens || change.isDisabled != nil || change.validSince != nil)
        }
        noteChange(of: account.id, endsTokens: endsTokens)
        return (account, try token.map { (token) throws(AccountError) in try signIn(account, session, token, isNew: false) })
    }

    private func newProvider(_ change: AccountChange, _ provider: String?) -> String {
        change.password != nil ? "password" : provider ?? "password"
    }

    private func end(_ account: inout Account, before validSince: Int64, _ transaction: AccountTransaction) throws {
        // "Until now" includes this second. A moment in the future would end the tokens that are issued until then, too.
        let isNow = validSince >= seconds
        account.validSince = max(account.validSince, isNow ? (policy.isDevelopment ? seconds : seconds + 1) : validSince)
        try transaction.removeSessions(of: account.id)
    }

    private func set(_ change: AccountChange, in account: inout Account, _ transaction: AccountTransaction) throws {
        if let text = change.displayName { account.displayName = text.isEmpty ? nil : text }
        if let text = change.photoURL { account.photoURL = text.isEmpty ? nil : text }
        if let phone = change.phoneNumber {
            if let owner = try transaction.account(phone: phone), owner.id != account.id { throw AccountError("PHONE_NUMBER_EXISTS") }
            account.phoneNumber = phone.isEmpty ? nil : phone
        }
        if let flag = change.isEmailVerified { account.isEmailVerified = flag }
        if let flag = change.isDisabled { account.isDisabled = flag }
        if let text = change.customAttributes { account.customAttributes = text.isEmpty || text == "{}" ? nil : text }
        if let provider = change.linkedProvider {
            if let owner = try transaction.account(provider: provider.id, rawID: provider.rawID), owner.id != account.id {
                throw AccountError("FEDERATED_USER_ID_ALREADY_LINKED")
            }
            account.providers.removeAll { equalUTF8($0.id, provider.id) }
            account.providers.append(provider)
        }
        for name in change.deletedAttributes {
            switch name {
            case "DISPLAY_NAME": account.displayName = nil
            case "PHOTO_URL": account.photoURL = nil
            case "PASSWORD": account.passwordHash = nil
            case "EMAIL":
                account.email = nil
                account.isEmailVerified = false
            case "RAW_USER_INFO", "PROVIDER": break
            default: throw AccountError("INVALID_ARGUMENT", "deleteAttribute does not know \(name.prefix(40))")
            }
        }
        for provider in change.deletedProviders {
            switch provider {
            case "password":
                account.passwordHash = nil
                account.usesEmailLink = false
            case "phone": account.phoneNumber = nil
            default: account.providers.removeAll { equalUTF8($0.id, provider) }
            }
        }
    }

    // MARK: Deleting

    func delete(idToken: String, from address: String) async throws(AccountError) {
        try admit(address)
        let known = try await authenticate(idToken)
        let (account, authenticated) = (known.account, known.authenticated)
        try checkRecent(authenticated)
        _ = try await delete(id: account.id)
    }

    /// Returns whether there was such an account.
    func delete(id: String) async throws(AccountError) -> Bool {
        let isRemoved = try await store.write { try $0.remove(id: id) }
        announce(id)
        return isRemoved
    }

    func deleteAll() async throws(AccountError) {
        try await store.write { try $0.removeAll() }
        listedCodes.withLock { $0.removeAll() }
        announce(nil)
    }
}
