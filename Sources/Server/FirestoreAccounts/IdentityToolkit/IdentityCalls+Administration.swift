// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The methods for administrators, as `firebase-admin` calls them.
extension IdentityCalls {
    func create() async throws(AccountError) -> JSON {
        guard request.isPrivileged else { throw .insufficientPermission }
        var account = Account(
            id: try request.text("localId") ?? service.random.userID(), created: service.milliseconds, validSince: service.seconds)
        account.email = try request.text("email").map { (text) throws(AccountError) in try AccountRules.email(text) }
        account.initialEmail = account.email
        account.isEmailVerified = try request.flag("emailVerified") ?? false
        account.displayName = try request.text("displayName")
        account.photoURL = try request.text("photoUrl")
        account.phoneNumber = try request.text("phoneNumber")
        account.isDisabled = try request.flag("disabled") ?? false
        account.customAttributes = try request.text("customAttributes")
        let created = try await service.create(account, password: try request.text("password"))
        var members: AccountJSON.Members = [("localId", .string(created.id))]
        if let email = created.email { members.append(("email", .string(email))) }
        if let name = created.displayName { members.append(("displayName", .string(name))) }
        return Self.response("SignupNewUserResponse", members)
    }

    func batchGet() async throws(AccountError) -> JSON {
        let asked = request.parameter("maxResults").flatMap { Int($0) } ?? 20
        // The export of the emulator asks for -1: everything.
        guard asked == -1 || (1...1_000).contains(asked) else { throw AccountError("INVALID_PAGE_SELECTION", "maxResults is 1 to 1000") }
        let limit = asked == -1 ? Int.max - 1 : asked
        let found = try await service.accounts(after: request.parameter("nextPageToken") ?? "", limit: limit + 1)
        let page = found.prefix(limit)
        var members: AccountJSON.Members = [("users", .array(page.map { AccountJSON.user($0, withPassword: true) }))]
        if found.count > limit, let last = page.last { members.append(("nextPageToken", .string(last.id))) }
        return Self.response("DownloadAccountResponse", members)
    }

    func batchCreate() async throws(AccountError) -> JSON {
        guard case .array(let users)? = request.body["users"], !users.isEmpty else { throw AccountError("MISSING_USER_ACCOUNT") }
        let problems = try await service.importAccounts(
            users, overwrites: try request.flag("allowOverwrite") ?? true, hashes: try HashImport(request.body))
        let errors = problems.map { JSON.object([("index", .number($0.index)), ("message", .string($0.message))]) }
        return Self.response("UploadAccountResponse", errors.isEmpty ? [] : [("error", .array(errors))])
    }

    func batchDelete() async throws(AccountError) -> JSON {
        let ids = try request.texts("localIds")
        guard !ids.isEmpty else { throw AccountError("LOCAL_ID_LIST_EXCEEDS_LIMIT", "localIds names 1 to 1000 accounts") }
        let force = try request.flag("force") ?? false
        var errors: [JSON] = []
        for (index, id) in ids.enumerated() {
            guard let account = try await service.account(id: id) else { continue }
            guard force || account.isDisabled else {
                errors.append(
                    .object([
                        ("index", .number(index)), ("localId", .string(id)),
                        ("message", .string("NOT_DISABLED : Disable the account before batch deletion.")),
                    ]))
                continue
            }
            _ = try await service.delete(id: id)
        }
        return Self.response("BatchDeleteAccountsResponse", errors.isEmpty ? [] : [("errors", .array(errors))])
    }

    /// Without expressions it lists or counts all accounts; with them those with one id, e-mail address or phone number.
    func query() async throws(AccountError) -> JSON {
        if try request.flag("returnUserInfo") == false {
            return .object([("recordsCount", .string(String(try await service.count())))])
        }
        let limit = min(max(Int(try request.number("limit") ?? 500), 1), 500)
        var found: [Account] = []
        if case .array(let expressions)? = request.body["expression"], !expressions.isEmpty {
            for expression in expressions.prefix(100) {
                if case .string(let id)? = expression["userId"], let account = try await service.account(id: id) { found.append(account) }
                if case .string(let email)? = expression["email"], let account = try await service.account(email: email.lowercased()) {
                    found.append(account)
                }
                if case .string(let phone)? = expression["phoneNumber"], let account = try await service.account(phone: phone) {
                    found.append(account)
                }
            }
        } else {
            found = try await service.accounts(after: "", limit: limit)
        }
        let users = found.prefix(limit).map { AccountJSON.user($0) }
        return .object([("recordsCount", .string(String(users.count))), ("userInfo", .array(Array(users)))])
    }
}
