// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Changes that require a recent sign-in: an ID token may have been stolen, and must not be enough to take the account over.
extension AccountService {
    /// An account that a client proves with an ID token in order to add a way to sign in to it.
    struct LinkedAccount: Sendable {
        let account: Account
        /// When its user signed in. Seconds since 1970.
        let authenticated: Int64
    }

    /// How long after signing in a client may change its credentials, or delete the account, in production. Seconds.
    private static let recentSignIn: Int64 = 300

    func checkRecent(_ authenticated: Int64) throws(AccountError) {
        guard policy.isDevelopment || seconds - authenticated <= Self.recentSignIn else {
            throw AccountError("CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        }
    }

    /// An anonymous user has nothing to sign in with again, and may link weeks later.
    private func checkRecent(_ authenticated: Int64, linking account: Account) throws(AccountError) {
        if !account.isAnonymous { try checkRecent(authenticated) }
    }

    /// Where e-mail privacy is on, a client changes an address only with a code sent to the new one.
    func checkChange(of account: Account, to email: String) throws(AccountError) {
        guard let current = account.email, current != email, switches.withLock(\.hidesEmails) else { return }
        throw AccountError("OPERATION_NOT_ALLOWED", "Please verify the new email before changing email.")
    }

    /// The account to link to; nil without an ID token.
    func linkedAccount(_ idToken: String?) async throws(AccountError) -> LinkedAccount? {
        guard let idToken else { return nil }
        let known = try await authenticate(idToken)
        let (account, authenticated) = (known.account, known.authenticated)
        try checkRecent(authenticated, linking: account)
        return LinkedAccount(account: account, authenticated: authenticated)
    }

    /// The account to link to as it is in the transaction. Since the token was checked it may have changed, and the token may have ended.
    func current(_ linked: LinkedAccount, _ transaction: AccountTransaction) throws -> Account {
        guard let current = try transaction.account(id: linked.account.id) else { throw AccountError.userNotFound }
        guard !current.isDisabled, current.validSince == linked.account.validSince else { throw AccountError.tokenExpired }
        try checkRecent(linked.authenticated, linking: current)
        return current
    }
}
