// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// The methods of Identity Toolkit that clients call: fields of a request in, fields of a response out.
struct IdentityCalls {
    let request: IdentityRequest
    let service: AccountService

    static func response(_ kind: String, _ members: AccountJSON.Members = []) -> JSON {
        .object([("kind", .string("identitytoolkit#" + kind))] + members)
    }

    func signUp() async throws(AccountError) -> JSON {
        // An administrator creates accounts without tokens, a client its own.
        if request.isPrivileged, try request.flag("returnSecureToken") != true, try request.text("idToken") == nil {
            return try await create()
        }
        guard try request.text("localId") == nil else { throw AccountError("UNEXPECTED_PARAMETER", "User ID") }
        let (email, password) = (try request.text("email"), try request.text("password"))
        if email == nil, password == nil, try request.text("idToken") == nil {
            return AccountJSON.signIn(try await service.signUpAnonymously(from: request.address), kind: "SignupNewUserResponse")
        }
        guard let email else { throw AccountError("MISSING_EMAIL") }
        guard let password else { throw AccountError("MISSING_PASSWORD") }
        let signIn = try await service.signUp(
            email: email, password: password, displayName: try request.text("displayName"), linkingTo: try request.text("idToken"),
            from: request.address)
        return AccountJSON.signIn(signIn, kind: "SignupNewUserResponse")
    }

    func signInWithPassword() async throws(AccountError) -> JSON {
        guard let email = try request.text("email") else { throw AccountError("MISSING_EMAIL") }
        guard let password = try request.text("password") else { throw AccountError("MISSING_PASSWORD") }
        let signIn = try await service.signIn(
            email: email, password: password, idToken: try request.text("idToken"), from: request.address)
        return AccountJSON.signIn(signIn, kind: "VerifyPasswordResponse", [("registered", .boolean(true))])
    }

    func signInWithCustomToken() async throws(AccountError) -> JSON {
        let signIn = try await service.signIn(customToken: try request.text("token") ?? "", from: request.address)
        return Self.response("VerifyCustomTokenResponse", [("isNewUser", .boolean(signIn.isNew))] + AccountJSON.tokens(signIn))
    }

    func signInWithEmailLink() async throws(AccountError) -> JSON {
        guard let email = try request.text("email") else { throw AccountError("MISSING_EMAIL") }
        guard let code = try request.text("oobCode") else { throw AccountError("MISSING_OOB_CODE") }
        let signIn = try await service.signIn(email: email, code: code, linkingTo: try request.text("idToken"), from: request.address)
        return AccountJSON.signIn(signIn, kind: "EmailLinkSigninResponse", [("isNewUser", .boolean(signIn.isNew))])
    }

    func signInWithIdp() async throws(AccountError) -> JSON {
        guard let target = try request.text("requestUri") else { throw AccountError("MISSING_REQUEST_URI") }
        // Sign-in windows send what the provider has answered as the query of the address that it has called.
        let query = target.split(separator: "?", maxSplits: 1).dropFirst().first.map { $0.prefix { $0 != "#" } }
        let fields = PercentEncoding.parameters(of: query ?? "") + PercentEncoding.parameters(of: (try request.text("postBody") ?? "")[...])
        guard !fields.isEmpty else { throw AccountError("INVALID_IDP_RESPONSE", "postBody is missing") }
        func field(_ name: String) -> String? { fields.last { equalUTF8($0.name, name) }?.value }
        if field("SAMLResponse") != nil { throw Unsupported.saml }
        guard let provider = field("providerId"), !provider.isEmpty else {
            throw AccountError("INVALID_CREDENTIAL_OR_PROVIDER_ID", "Invalid IdP response/credential: providerId is missing")
        }
        try Unsupported.check(provider: provider, service.policy)
        guard let token = field("id_token") else {
            throw AccountError("INVALID_IDP_RESPONSE", "Only an id_token is supported, no access_token")
        }
        let (signIn, linked) = try await service.signIn(
            provider: provider, providerToken: token, linkingTo: try request.text("idToken"), from: request.address)
        // The user info that a real provider would return, and a token for its other services.
        let isStandIn = service.policy.isDevelopment && token.utf8.first == UInt8(ascii: "{")
        let more: AccountJSON.Members =
            isStandIn ? [("rawUserInfo", .string(token)), ("oauthAccessToken", .string("development-access-token"))] : []
        return AccountJSON.signIn(
            signIn, kind: "VerifyAssertionResponse",
            [
                ("providerId", .string(provider)), ("federatedId", .string(linked.rawID)), ("rawId", .string(linked.rawID)),
                ("emailVerified", .boolean(signIn.account.isEmailVerified)), ("isNewUser", .boolean(signIn.isNew)),
                ("oauthIdToken", .string(token)),
            ] + more)
    }

    func lookup() async throws(AccountError) -> JSON {
        if let idToken = try request.text("idToken") {
            try service.admit(request.address)
            let account = try await service.authenticate(idToken).account
            return Self.response("GetAccountInfoResponse", [("users", .array([AccountJSON.user(account)]))])
        }
        guard request.isPrivileged else { throw AccountError("MISSING_ID_TOKEN") }
        var found: [Account] = []
        for id in try request.texts("localId") { if let account = try await service.account(id: id) { found.append(account) } }
        for email in try request.texts("email") {
            if let account = try await service.account(email: email.lowercased()) { found.append(account) }
        }
        for phone in try request.texts("phoneNumber") { if let account = try await service.account(phone: phone) { found.append(account) } }
        if case .array(let entries)? = request.body["federatedUserId"] {
            for entry in entries.prefix(1_000) {
                guard case .string(let provider)? = entry["providerId"], case .string(let rawID)? = entry["rawId"] else { continue }
                if let account = try await service.account(provider: provider, rawID: rawID) { found.append(account) }
            }
        }
        var seen: Set<String> = []
        let users = found.filter { seen.insert($0.id).inserted }.map { AccountJSON.user($0) }
        return Self.response("GetAccountInfoResponse", users.isEmpty ? [] : [("users", .array(users))])
    }

    func update() async throws(AccountError) -> JSON {
        if let code = try request.text("oobCode") {
            return updated(try await service.apply(code: code, from: request.address), nil)
        }
        let change = try self.change()
        if let idToken = try request.text("idToken") {
            let (account, signIn) = try await service.update(idToken: idToken, change, from: request.address)
            return updated(account, signIn)
        }
        guard let id = try request.text("localId") else {
            throw AccountError(request.isPrivileged ? "MISSING_LOCAL_ID" : "INVALID_REQ_TYPE")
        }
        guard request.isPrivileged else { throw .insufficientPermission }
        return updated(try await service.update(id: id, change), nil)
    }

    private func updated(_ account: Account, _ signIn: SignIn?) -> JSON {
        var members: AccountJSON.Members = [("localId", .string(account.id))]
        if let email = account.email {
            members += [("email", .string(email)), ("emailVerified", .boolean(account.isEmailVerified)), ("newEmail", .string(email))]
        }
        if let name = account.displayName { members.append(("displayName", .string(name))) }
        if let url = account.photoURL { members.append(("photoUrl", .string(url))) }
        members.append(("providerUserInfo", .array(AccountJSON.providers(account))))
        return Self.response("SetAccountInfoResponse", members + (signIn.map(AccountJSON.tokens) ?? []))
    }

    private func change() throws(AccountError) -> AccountChange {
        var change = AccountChange()
        change.email = try request.text("email")
        change.password = try request.text("password")
        change.displayName = try request.text("displayName")
        change.photoURL = try request.text("photoUrl")
        change.phoneNumber = try request.text("phoneNumber")
        change.isEmailVerified = try request.flag("emailVerified")
        change.isDisabled = try request.flag("disableUser")
        change.customAttributes = try request.text("customAttributes")
        change.validSince = try request.number("validSince")
        change.deletedAttributes = Set(try request.texts("deleteAttribute"))
        change.deletedProviders = Set(try request.texts("deleteProvider"))
        if let json = request.body["linkProviderUserInfo"] {
            guard case .string(let provider)? = json["providerId"], case .string(let rawID)? = json["rawId"] else {
                throw AccountError("INVALID_PROVIDER_ID")
            }
            change.linkedProvider = AccountJSON.linkedProvider(provider, rawID, json)
        }
        return change
    }

    func delete() async throws(AccountError) -> JSON {
        if let idToken = try request.text("idToken") {
            try await service.delete(idToken: idToken, from: request.address)
        } else {
            guard request.isPrivileged, let id = try request.text("localId") else {
                throw AccountError(request.isPrivileged ? "MISSING_LOCAL_ID" : "MISSING_ID_TOKEN")
            }
            guard try await service.delete(id: id) else { throw .userNotFound }
        }
        return Self.response("DeleteAccountResponse")
    }

    func sendCode() async throws(AccountError) -> JSON {
        guard let name = try request.text("requestType"), name != "OOB_REQ_TYPE_UNSPECIFIED" else { throw AccountError("MISSING_REQ_TYPE") }
        guard let purpose = OutOfBandCode.Purpose(rawValue: name) else { throw AccountError("INVALID_REQ_TYPE") }
        let returnsLink = try request.flag("returnOobLink") ?? false
        if returnsLink, !request.isPrivileged { throw .insufficientPermission }
        let mail = try await service.sendCode(
            .init(
                purpose: purpose, email: try request.text("email"), idToken: try request.text("idToken"),
                newEmail: try request.text("newEmail"), continueURL: try request.text("continueUrl"), apiKey: request.apiKey,
                returnsLink: returnsLink),
            isPrivileged: request.isPrivileged, from: request.address)
        var members: AccountJSON.Members = [("email", .string(mail.email))]
        if returnsLink { members += [("oobCode", .string(mail.code)), ("oobLink", .string(mail.link))] }
        return Self.response("GetOobConfirmationCodeResponse", members)
    }

    func resetPassword() async throws(AccountError) -> JSON {
        guard let code = try request.text("oobCode") else { throw AccountError("MISSING_OOB_CODE") }
        let used: OutOfBandCode
        if let password = try request.text("newPassword") {
            used = try await service.resetPassword(code: code, to: password, from: request.address)
        } else {
            used = try await service.inspect(code: code, from: request.address)
        }
        var members: AccountJSON.Members = [("requestType", .string(used.purpose.rawValue)), ("email", .string(used.email))]
        if let email = used.newEmail { members.append(("newEmail", .string(email))) }
        return Self.response("ResetPasswordResponse", members)
    }

    func createAuthURI() async throws(AccountError) -> JSON {
        try service.admit(request.address)
        guard let identifier = try request.text("identifier") else {
            if try request.text("providerId") != nil { throw Unsupported.providerPages }
            throw AccountError("MISSING_IDENTIFIER")
        }
        guard try request.text("continueUri") != nil else { throw AccountError("MISSING_CONTINUE_URI") }
        guard let email = try? AccountRules.email(identifier) else { throw AccountError("INVALID_IDENTIFIER") }
        let members: AccountJSON.Members = [("sessionId", .string(service.random.text(bytes: 16)))]
        if service.switches.withLock(\.hidesEmails) { return Self.response("CreateAuthUriResponse", members) }
        let account = try await service.account(email: email)
        var methods = account?.providers.map(\.id) ?? []
        if account?.passwordHash != nil { methods.insert("password", at: 0) }
        if account?.usesEmailLink == true { methods.append("emailLink") }
        let providers = Set(methods.map { $0 == "emailLink" ? "password" : $0 }).sorted()
        return Self.response(
            "CreateAuthUriResponse",
            [
                ("registered", .boolean(account != nil)), ("allProviders", .array(providers.map { .string($0) })),
                ("signinMethods", .array(methods.map { .string($0) })),
            ] + members)
    }
}
