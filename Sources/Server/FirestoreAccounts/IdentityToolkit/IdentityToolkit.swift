// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Identity Toolkit over the accounts of projects, without HTTP: a request becomes a status and a JSON object.
///
/// Calls that the Auth emulator performs without proof exist in development mode only; in production the same paths require the
/// administrator or are not found.
package final class IdentityToolkit: Sendable {
    let defaultProject: String
    private let accounts: @Sendable (String) throws(AccountError) -> AccountService

    /// - Parameter accounts: The service of a project; an error if the server does not have it.
    package init(defaultProject: String, accounts: @escaping @Sendable (String) throws(AccountError) -> AccountService) {
        self.defaultProject = defaultProject
        self.accounts = accounts
    }

    /// A toolkit of one project.
    package convenience init(_ service: AccountService) {
        let project = service.policy.project
        self.init(defaultProject: project) { (name) throws(AccountError) in
            guard equalUTF8(name, project) else { throw AccountError("PROJECT_NOT_FOUND", status: 404, canonicalName: "NOT_FOUND") }
            return service
        }
    }

    package func respond(to request: IdentityRequest) async -> IdentityResponse {
        do throws(AccountError) {
            return IdentityResponse(try await answer(request))
        } catch {
            return IdentityResponse(error)
        }
    }

    private static let notFound = AccountError("NOT_FOUND", status: 404, canonicalName: "NOT_FOUND")

    private static func nothing(at path: String) -> AccountError {
        AccountError(
            "NOT_FOUND", "This server has nothing at \(path.prefix(200)); its accounts speak Identity Toolkit v1", status: 404,
            canonicalName: "NOT_FOUND")
    }

    private func answer(_ request: IdentityRequest) async throws(AccountError) -> JSON {
        guard let route = IdentityRoute(request.path) else {
            throw Unsupported.path(IdentityRoute.segments(of: request.path).map(String.init)) ?? Self.nothing(at: request.path)
        }
        if route.project != nil, !route.target.isEmulator, !request.isPrivileged {
            throw AccountError(
                "The request does not have valid authentication credentials.", status: 401, canonicalName: "UNAUTHENTICATED")
        }
        let service = try accounts(route.project ?? defaultProject)
        if route.target.isEmulator, !service.policy.isDevelopment, !request.isPrivileged { throw Self.notFound }
        switch (route.target, request.method) {
        case (.ready, "GET"):
            guard service.policy.isDevelopment else { throw Self.notFound }
            return .object([("authEmulator", .object([("ready", .boolean(true))]))])
        case (.keys, "GET"), (.cookieKeys, "GET"): return service.keyDocument
        case (.keysInPEM, "GET"): return service.keysInPEM
        case (.sessionCookie, "POST"):
            guard let idToken = try request.text("idToken") else { throw AccountError("MISSING_ID_TOKEN") }
            let cookie = try await service.sessionCookie(idToken: idToken, duration: try request.number("validDuration"))
            return .object([("sessionCookie", .string(cookie))])
        case (.token, "POST"): return try await token(request, service)
        case (.configuration, "GET"):
            try requireKey(request)
            return service.publicConfiguration
        case (.accounts(let method), _): return try await accounts(method, request, service, isOfProject: route.project != nil)
        case (.emulatorAccounts, "DELETE"):
            try await service.deleteAll()
            return .object([])
        case (.emulatorConfig, "GET"): return service.configuration
        case (.emulatorConfig, "PATCH"), (.emulatorConfig, "PUT"):
            guard service.policy.isDevelopment else { throw .notAllowed }
            return try await service.change(configuration: request.body)
        case (.emulatorCodes, "GET"): return service.listedCodesJSON
        case (.emulatorVerificationCodes, "GET"): return .object([("verificationCodes", .array([]))])
        case (.emulatorAction, "GET"): return try await action(request, service)
        default: throw AccountError("METHOD_NOT_ALLOWED", status: 405)
        }
    }

    private func token(_ request: IdentityRequest, _ service: AccountService) async throws(AccountError) -> JSON {
        try requireKey(request)
        guard let type = try request.text("grantType", or: "grant_type") else { throw AccountError("MISSING_GRANT_TYPE") }
        guard type == "refresh_token" else { throw AccountError("INVALID_GRANT_TYPE") }
        guard let text = try request.text("refreshToken", or: "refresh_token") else {
            throw AccountError("MISSING_REFRESH_TOKEN")
        }
        let signIn = try await service.refresh(text, from: request.address)
        return .object([
            ("id_token", .string(signIn.idToken)), ("access_token", .string(signIn.idToken)),
            ("expires_in", .string(String(SignIn.lifetime))), ("refresh_token", .string(signIn.refreshToken)),
            ("token_type", .string("Bearer")), ("user_id", .string(signIn.account.id)), ("project_id", .string("12345")),
        ])
    }

    private func requireKey(_ request: IdentityRequest) throws(AccountError) {
        guard request.caller != .none else {
            throw AccountError("The request is missing a valid API key.", status: 403, canonicalName: "PERMISSION_DENIED")
        }
    }

    private func accounts(
        _ method: String, _ request: IdentityRequest, _ service: AccountService, isOfProject: Bool
    ) async throws(AccountError) -> JSON {
        try requireKey(request)
        if try request.text("tenantId") != nil { throw Unsupported.tenants }
        let isRead = method == "batchGet"
        guard request.method == (isRead ? "GET" : "POST") else { throw AccountError("METHOD_NOT_ALLOWED", status: 405) }
        let calls = IdentityCalls(request: request, service: service)
        switch method {
        case "signUp": return try await calls.signUp()
        case "signInWithPassword": return try await calls.signInWithPassword()
        case "signInWithCustomToken": return try await calls.signInWithCustomToken()
        case "signInWithEmailLink": return try await calls.signInWithEmailLink()
        case "signInWithIdp": return try await calls.signInWithIdp()
        case "lookup": return try await calls.lookup()
        case "update": return try await calls.update()
        case "delete": return try await calls.delete()
        case "sendOobCode": return try await calls.sendCode()
        case "resetPassword": return try await calls.resetPassword()
        case "createAuthUri": return try await calls.createAuthURI()
        case "" where isOfProject: return try await calls.create()
        case "batchGet" where isOfProject: return try await calls.batchGet()
        case "batchCreate" where isOfProject: return try await calls.batchCreate()
        case "batchDelete" where isOfProject: return try await calls.batchDelete()
        case "query" where isOfProject: return try await calls.query()
        default: throw Unsupported.method(method) ?? Self.nothing(at: request.path)
        }
    }

    /// Performs the action of a link in an e-mail of development mode.
    private func action(_ request: IdentityRequest, _ service: AccountService) async throws(AccountError) -> JSON {
        guard service.policy.isDevelopment else { throw Self.notFound }
        guard let code = request.parameter("oobCode") else { throw AccountError("MISSING_OOB_CODE") }
        switch request.parameter("mode") {
        case "resetPassword"?:
            guard let password = request.parameter("newPassword") else {
                throw AccountError("WEAK_PASSWORD", "add &newPassword=… to the address to set a new password")
            }
            let used = try await service.resetPassword(code: code, to: password, from: request.address)
            return .object([
                ("authEmulator", .object([("success", .string("The password has been successfully updated."))])),
                ("email", .string(used.email)),
            ])
        case "verifyEmail"?, "verifyAndChangeEmail"?, "recoverEmail"?:
            let account = try await service.apply(code: code, from: request.address)
            return .object([
                ("authEmulator", .object([("success", .string("The email has been successfully verified."))])),
                ("email", .string(account.email ?? "")),
            ])
        case "signIn"?:
            // The app takes the code from the link and signs in itself.
            return .object([("authEmulator", .object([("continueUrl", .string(request.parameter("continueUrl") ?? ""))]))])
        default: throw AccountError("INVALID_MODE", "mode is resetPassword, verifyEmail, verifyAndChangeEmail or signIn")
        }
    }
}

extension IdentityRoute.Target {
    var isEmulator: Bool {
        switch self {
        case .emulatorAccounts, .emulatorConfig, .emulatorCodes, .emulatorVerificationCodes, .emulatorAction: true
        case .accounts, .token, .configuration, .keys, .cookieKeys, .keysInPEM, .sessionCookie, .ready: false
        }
    }
}
