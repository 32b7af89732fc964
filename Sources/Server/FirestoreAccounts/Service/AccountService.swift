// SPDX-License-Identifier: Apache-2.0
import Crypto
import FirestoreAuthentication
package import FirestoreCore
package import FirestoreTokens
import Foundation

/// The accounts of a project: signs users in, issues and refreshes their tokens, and changes accounts.
///
/// Every change is durable when it is answered. What ends tokens (a disabled or deleted account, a changed password or e-mail address)
/// takes effect for the next request, and is reported to `onRevocation` so that streams end too.
package final class AccountService: Sendable {
    /// Settings that can be changed while the service runs, by the emulator's configuration endpoint (development mode only).
    struct Switches: Sendable {
        var allowsDuplicateEmails = false
        var hidesEmails: Bool
    }

    /// A code that can be listed in development mode.
    struct ListedCode: Sendable {
        let mail: AccountMail
    }

    package let policy: AccountPolicy
    let store: AccountStore
    /// nil if tokens are not signed.
    let key: SigningKey?
    /// Earlier keys, whose tokens are accepted until they expire.
    let previousKeys: [SigningKey]
    /// Verifies the signature and the claims of these accounts' tokens, but not whether they have been revoked.
    let ownTokens: TokenIssuer
    let clock: any WallClock
    let random: RandomSource
    let workers: PasswordWorkers
    let standings = StandingCache()
    /// Attempts by the address of the client, and by account. They are counted separately, so that requests from very many addresses do
    /// not displace the counts of accounts.
    let addressAttempts = Mutex(AttemptLimiter())
    let accountAttempts = Mutex(AttemptLimiter())
    let switches: Mutex<Switches>
    let listedCodes = Mutex<[ListedCode]>([])
    let deliver: (@Sendable (AccountMail) -> Void)?
    let onRevocation: @Sendable (String?) -> Void

    /// - Parameters:
    ///   - deliver: Sends an e-mail, without waiting for it. Without it, production has no codes.
    ///   - onRevocation: Called with the id of an account whose tokens have ended, nil for all accounts. Must not wait.
    package init(
        _ policy: AccountPolicy, store: AccountStore, key: SigningKey?, previousKeys: [SigningKey] = [],
        clock: any WallClock = SystemClock(),
        random: RandomSource = .system, passwordThreads: Int = 2, waitingPasswords: Int = 32,
        deliver: (@Sendable (AccountMail) -> Void)? = nil,
        onRevocation: @escaping @Sendable (String?) -> Void = { _ in }
    ) throws(AccountError) {
        self.policy = policy
        self.store = store
        self.key = key
        self.previousKeys = previousKeys
        var requirements = TokenRequirements(issuer: policy.issuer, audiences: [policy.audience])
        requirements.requiresAuthTime = true
        requirements.requiresKeyID = true
        let keys = [key].compactMap(\.self) + previousKeys
        ownTokens = TokenIssuer(requirements, keys: IssuerKeys(VerificationKeySet(keys.map(\.publicKey))))
        self.clock = clock
        self.random = random
        workers = PasswordWorkers(width: passwordThreads, waiting: waitingPasswords)
        self.deliver = deliver
        self.onRevocation = onRevocation
        var switches = Switches(hidesEmails: policy.hidesEmails)
        if policy.isDevelopment, let text = try store.readNow({ try $0.config() }), let json = try? JSON(text.utf8) {
            switches = Self.merged(json, into: switches)
        }
        self.switches = Mutex(switches)
    }

    // MARK: Time

    /// Seconds and milliseconds since 1970.
    var seconds: Int64 { clock.now() / 1_000_000 }
    var milliseconds: Int64 { clock.now() / 1_000 }

    // MARK: Secrets

    /// Secrets are stored by this hash. They are random, so it needs neither salt nor cost.
    static func hash(_ secret: String) -> [UInt8] { [UInt8](SHA256.hash(data: Data(secret.utf8))) }

    // MARK: Limits

    func admit(_ address: String) throws(AccountError) {
        try take("a:" + IPAddress.network(of: address), policy.budgets.requests, addressAttempts)
    }

    /// Counts an attempt that concerns an account. Servers that share accounts count together: otherwise each would allow as many guesses.
    func takeAttempt(_ key: String, _ budget: AttemptBudget?) async throws(AccountError) {
        guard store.isShared, let budget else { return try take(key, budget, accountAttempts) }
        let now = clock.now()
        guard try await store.write({ try $0.takeAttempt(key, budget, now: now) }) else { throw .tooManyAttempts }
    }

    private func take(_ key: String, _ budget: AttemptBudget?, _ limiter: borrowing Mutex<AttemptLimiter>) throws(AccountError) {
        let now = clock.now()
        guard limiter.withLock({ $0.take(key, budget, now: now) }) else { throw .tooManyAttempts }
    }

    /// Counts a new account, or an answer that reveals whether an e-mail address has one.
    func takeSignUp(_ address: String) throws(AccountError) {
        try take("s:" + IPAddress.network(of: address), policy.budgets.signUps, addressAttempts)
    }

    /// Returns an attempt that succeeded to the budget.
    func giveBackAttempt(_ key: String, _ budget: AttemptBudget?) async throws(AccountError) {
        guard store.isShared, let budget else { return accountAttempts.withLock { $0.giveBack(key, budget) } }
        try await store.write { try $0.giveBackAttempt(key, budget) }
    }

    /// Forgets wrong passwords: the user has proved to be the holder of the address.
    func forgetFailures(_ email: String) async throws(AccountError) {
        let key = Self.failures(email)
        guard store.isShared else { return accountAttempts.withLock { $0.forget(key) } }
        try await store.write { try $0.forgetAttempts(key) }
    }

    // MARK: Revocation

    /// Ends every token and session of the account. To be followed by `announce` after the transaction.
    func revoke(_ account: inout Account, _ transaction: AccountTransaction) throws {
        // A token of this very second must not survive. Development mode answers as the emulator does, to the second (AU-26).
        account.validSince = max(account.validSince, policy.isDevelopment ? seconds : seconds + 1)
        try transaction.removeSessions(of: account.id)
    }

    /// On this server: others that share the accounts have obeyed the notice of the transaction.
    func announce(_ id: String?) {
        standings.forget(id)
        onRevocation(id)
    }

    /// To be called after a transaction that has changed the account. If the change revoked tokens, streams have to be notified.
    func noteChange(of id: String, endsTokens: Bool) {
        if endsTokens { announce(id) } else { standings.forget(id) }
    }

    // MARK: Passwords

    func passwordHash(_ password: String) async throws(AccountError) -> String {
        let (salt, cost) = (random.bytes(PasswordHash.saltBytes), policy.passwordCost)
        let hash = try await workers.run { PasswordHash.make(password, salt: salt, cost: cost) }
        guard let hash else { throw .storage("the password could not be hashed; there may not be enough memory") }
        return hash
    }

    static func merged(_ json: JSON, into switches: Switches) -> Switches {
        var switches = switches
        if case .boolean(let flag)? = json["signIn"]?["allowDuplicateEmails"] { switches.allowsDuplicateEmails = flag }
        if case .boolean(let flag)? = json["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"] { switches.hidesEmails = flag }
        return switches
    }
}
