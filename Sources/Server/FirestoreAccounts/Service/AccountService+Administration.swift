// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Reads and changes that administrators make.
extension AccountService {
    func account(id: String) async throws(AccountError) -> Account? { try await store.read { try $0.account(id: id) } }
    func account(email: String) async throws(AccountError) -> Account? { try await store.read { try $0.account(email: email) } }
    func account(phone: String) async throws(AccountError) -> Account? { try await store.read { try $0.account(phone: phone) } }
    func account(provider: String, rawID: String) async throws(AccountError) -> Account? {
        try await store.read { try $0.account(provider: provider, rawID: rawID) }
    }
    func accounts(after id: String, limit: Int) async throws(AccountError) -> [Account] {
        try await store.read { try $0.accounts(after: id, limit: limit) }
    }
    func accounts(beginning text: String, limit: Int) async throws(AccountError) -> [Account] {
        try await store.read { try $0.accounts(beginning: text, limit: limit) }
    }
    func count() async throws(AccountError) -> Int { try await store.read { try $0.count() } }

    /// Creates an account without signing in.
    func create(_ account: Account, password: String?) async throws(AccountError) -> Account {
        var account = account
        try AccountRules.check(userID: account.id)
        if let text = account.customAttributes { try AccountRules.check(attributes: text) }
        if let password {
            try AccountRules.check(password: password)
            account.passwordHash = try await passwordHash(password)
            account.passwordUpdated = milliseconds
        }
        let new = account
        try await store.write { transaction in
            guard try transaction.account(id: new.id) == nil else { throw AccountError("DUPLICATE_LOCAL_ID") }
            if let email = new.email, try transaction.account(email: email) != nil { throw AccountError.emailExists }
            if let phone = new.phoneNumber, try transaction.account(phone: phone) != nil { throw AccountError("PHONE_NUMBER_EXISTS") }
            try transaction.store(new)
        }
        standings.forget(new.id)
        return new
    }

    /// Stores accounts in the form of `accounts:batchGet`. Accounts that fail are reported by position, the others are stored (AU-30).
    ///
    /// - Parameter hashes: How passwords are hashed that are neither Hearth's nor the emulator's.
    package func importAccounts(
        _ users: [JSON], overwrites: Bool = true, hashes: HashImport? = nil
    ) async throws(AccountError) -> [(index: Int, message: String)] {
        var problems: [(index: Int, message: String)] = []
        for (index, json) in users.enumerated() {
            do throws(AccountError) {
                var (account, password) = try AccountJSON.account(json, created: milliseconds, validSince: seconds, hashes: hashes)
                if let password { account.passwordHash = try await passwordHash(password) }
                try await store(imported: account, overwrites: overwrites)
            } catch {
                guard error.status < 500 else { throw error }
                problems.append((index, error.message))
            }
        }
        return problems
    }

    private func store(imported account: Account, overwrites: Bool) async throws(AccountError) {
        try await store.write { transaction in
            if !overwrites, try transaction.account(id: account.id) != nil { throw AccountError("DUPLICATE_LOCAL_ID") }
            if let email = account.email, let owner = try transaction.account(email: email), owner.id != account.id {
                throw AccountError.emailExists
            }
            if let phone = account.phoneNumber, let owner = try transaction.account(phone: phone), owner.id != account.id {
                throw AccountError("PHONE_NUMBER_EXISTS")
            }
            for provider in account.providers {
                guard let owner = try transaction.account(provider: provider.id, rawID: provider.rawID), owner.id != account.id else {
                    continue
                }
                throw AccountError("FEDERATED_USER_ID_ALREADY_LINKED")
            }
            try transaction.removeSessions(of: account.id)
            try transaction.store(account)
        }
        announce(account.id)
    }

    /// The properties that clients may read before they sign in: the project, and the domains that links may continue to.
    var publicConfiguration: JSON {
        .object([
            ("projectId", .string(policy.project)), ("authorizedDomains", .array(policy.continueHosts.sorted().map { .string($0) })),
        ])
    }

    // MARK: Development mode

    var configuration: JSON {
        let switches = switches.withLock(\.self)
        return .object([
            ("signIn", .object([("allowDuplicateEmails", .boolean(switches.allowsDuplicateEmails))])),
            ("emailPrivacyConfig", .object([("enableImprovedEmailPrivacy", .boolean(switches.hidesEmails))])),
        ])
    }

    func change(configuration json: JSON) async throws(AccountError) -> JSON {
        switches.withLock { $0 = Self.merged(json, into: $0) }
        let text = configuration.text()
        try await store.write { try $0.set(config: text) }
        return configuration
    }

    var listedCodesJSON: JSON {
        let codes = listedCodes.withLock(\.self).map { code in
            JSON.object([
                ("email", .string(code.mail.email)), ("oobCode", .string(code.mail.code)), ("oobLink", .string(code.mail.link)),
                ("requestType", .string(code.mail.requestType)),
            ])
        }
        return .object([("oobCodes", .array(codes))])
    }
}
