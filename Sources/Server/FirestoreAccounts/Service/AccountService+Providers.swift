// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTokens

extension AccountService {
    /// Signs in with the ID token of another provider, or links it to the account of an ID token (AU-28). Development mode also takes
    /// unsigned tokens and plain JSON claims.
    func signIn(
        provider: String, providerToken: String, linkingTo idToken: String?, from address: String
    ) async throws(AccountError) -> (SignIn, LinkedProvider) {
        try admit(address)
        guard policy.allows(provider), policy.isDevelopment || policy.identityProviders[provider] != nil else { throw .notAllowed }
        let claims = try await claims(of: providerToken, from: provider)
        let linkedAccount = try await linkedAccount(idToken)
        func text(_ name: String) -> String? { if case .string(let text)? = claims[name], text.utf8.count <= 4_096 { text } else { nil } }
        guard let rawID = text("sub"), !rawID.isEmpty, rawID.utf8.count <= 512 else {
            throw AccountError("INVALID_IDP_RESPONSE", "The id_token has no claim \"sub\"")
        }
        let email = try text("email").map { (text) throws(AccountError) in try AccountRules.email(text) }
        let isVerified = if case .boolean(true)? = claims["email_verified"] { true } else { false }
        let allowsDuplicates = switches.withLock(\.allowsDuplicateEmails)
        var linked = LinkedProvider(id: provider, rawID: rawID)
        (linked.email, linked.displayName, linked.photoURL) = (email, text("name"), text("picture"))
        let (link, session) = (linked, Session(provider: provider, claims: nil, authenticated: seconds))
        let (account, isNew, token, endsTokens) = try await store.write { [self] transaction in
            let owner = try transaction.account(provider: provider, rawID: rawID)
            var account: Account
            var (isNew, endsTokens) = (false, false)
            if let linkedAccount {
                if let owner, owner.id != linkedAccount.account.id { throw AccountError("FEDERATED_USER_ID_ALREADY_LINKED") }
                account = try current(linkedAccount, transaction)
            } else if let owner {
                account = owner
            } else if let email, !allowsDuplicates, let existing = try transaction.account(email: email) {
                // Only a provider that has verified the address speaks for its holder.
                guard isVerified else { throw AccountError.emailExists }
                account = existing
                if !account.isEmailVerified { endsTokens = try dropUnproved(&account, transaction) }
            } else {
                guard try transaction.count() < policy.maximumAccounts else { throw AccountError("QUOTA_EXCEEDED") }
                account = Account(id: random.userID(), created: milliseconds, validSince: seconds)
                isNew = true
            }
            guard !account.isDisabled else { throw AccountError.userDisabled }
            account.providers.removeAll { equalUTF8($0.id, provider) }
            account.providers.append(link)
            if let email, try account.email == nil && (allowsDuplicates || transaction.account(email: email) == nil) {
                account.email = email
                account.initialEmail = account.initialEmail ?? email
            }
            if let email, account.email == email, isVerified { account.isEmailVerified = true }
            account.displayName = account.displayName ?? link.displayName
            account.photoURL = account.photoURL ?? link.photoURL
            let token = try open(session, for: &account, transaction)
            return (account, isNew, token, endsTokens)
        }
        noteChange(of: account.id, endsTokens: endsTokens)
        return (try signIn(account, session, token, isNew: isNew), link)
    }

    private func claims(of text: String, from provider: String) async throws(AccountError) -> TokenClaims {
        if policy.isDevelopment {
            if text.utf8.first == UInt8(ascii: "{"), text.utf8.count <= JSONWebToken.maximumBytes,
                case .object(let members)? = try? JSON(text.utf8)
            {
                return TokenClaims(members: members)
            }
            guard let token = try? JSONWebToken(text) else { throw AccountError("INVALID_IDP_RESPONSE", "Unable to parse id_token") }
            return token.claims
        }
        guard let issuer = policy.identityProviders[provider] else { throw .notAllowed }
        do throws(TokenError) {
            return try await issuer.verify(try JSONWebToken(text), now: clock.now()).claims
        } catch {
            throw AccountError("INVALID_IDP_RESPONSE", error.message)
        }
    }
}
