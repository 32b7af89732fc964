// SPDX-License-Identifier: Apache-2.0
import FirestoreAccounts
import FirestoreCore
import FirestoreGateway
import HearthBase

/// The accounts of `--auth` for the console's page of users. Changes use Identity Toolkit, as an administrator.
struct ShownUsers: ConsoleUsers {
    let projects: AccountProjects
    let project: String
    let isDevelopment: Bool
    let sendsMail: Bool

    private static let mostUsers = 200

    init(_ server: AccountsServer) {
        projects = server.projects
        project = server.settings.project
        isDevelopment = server.settings.isDevelopment
        sendsMail = server.settings.mailCommand != nil
    }

    /// In development mode every project has accounts, in production one.
    var summary: JSON {
        .object([("project", .string(project)), ("anyProject", .boolean(isDevelopment)), ("sendsMail", .boolean(sendsMail))])
    }

    func respond(to question: ConsoleUsersQuestion) async throws(FirestoreError) -> JSON {
        let project = question.parameters["project"] ?? project
        switch question.verb {
        case .read:
            return try await Self.answering { () async throws(AccountError) -> JSON in try await read(question.parameters, project) }
        case .change: return try await change(question, project)
        case .delete:
            guard let id = question.parameters["id"], !id.isEmpty else {
                throw .invalidArgument("the URL names no account; add ?id=…")
            }
            return try await ask("accounts:delete", [("localId", .string(id))], project, question.peer)
        }
    }

    // MARK: Reading

    private func read(_ parameters: [String: String], _ project: String) async throws(AccountError) -> JSON {
        guard isDevelopment || project == self.project else {
            throw AccountError("PROJECT_NOT_FOUND", "this server keeps the accounts of \(self.project)", status: 404)
        }
        guard let service = projects.existing(project) else { return .object([("users", .array([])), ("count", .number(0))]) }
        if parameters["codes"] != nil { return .object([("codes", isDevelopment ? service.codesOfDevelopment : .array([]))]) }
        let limit = min(max(parameters["limit"].flatMap { Int($0) } ?? 50, 1), Self.mostUsers)
        let (users, next) = try await service.page(
            beginning: parameters["search"] ?? "", after: parameters["after"] ?? "", limit: limit)
        var members: [(name: String, value: JSON)] = [
            ("users", .array(users)), ("count", .number(try await service.numberOfAccounts())),
        ]
        if let next { members.append(("next", .string(next))) }
        return .object(members)
    }

    // MARK: Changing

    /// The body names what to do, and has the fields of the method of Identity Toolkit that does it.
    private func change(_ question: ConsoleUsersQuestion, _ project: String) async throws(FirestoreError) -> JSON {
        guard case .object(let members) = question.body, case .string(let action)? = question.body["action"] else {
            throw .invalidArgument("the body needs \"action\": create, update, reset or sendReset")
        }
        let fields = members.filter { $0.name != "action" }
        switch action {
        case "create": return try await ask("accounts", fields, project, question.peer)
        case "update": return try await ask("accounts:update", fields, project, question.peer)
        // The link, or an e-mail with it.
        case "reset", "sendReset":
            let own: [(name: String, value: JSON)] = [
                ("requestType", .string("PASSWORD_RESET")), ("returnOobLink", .boolean(action == "reset")),
            ]
            return try await ask("accounts:sendOobCode", fields + own, project, question.peer)
        default: throw .invalidArgument("the action \"\(action.prefix(40))\" is not create, update, reset or sendReset")
        }
    }

    private func ask(
        _ method: String, _ members: [(name: String, value: JSON)], _ project: String, _ peer: String
    ) async throws(FirestoreError) -> JSON {
        let toolkit = IdentityToolkit(defaultProject: self.project) { [projects] (name) throws(AccountError) in
            try projects.service(name)
        }
        let response = await toolkit.respond(
            to: IdentityRequest(
                method: "POST", path: "/v1/projects/\(PercentEncoding.encode(project))/\(method)", body: .object(members),
                caller: .administrator, address: peer))
        guard response.status != 200 else { return response.body }
        guard case .string(let message)? = response.body["error"]?["message"] else {
            throw FirestoreError(.internal, "the accounts gave no answer")
        }
        throw Self.error(message, status: response.status)
    }

    // MARK: Errors

    private static func answering(_ body: () async throws(AccountError) -> JSON) async throws(FirestoreError) -> JSON {
        do throws(AccountError) { return try await body() } catch { throw Self.error(error.message, status: error.status) }
    }

    private static let sentences: [String: String] = [
        "EMAIL_EXISTS": "another account has this e-mail address", "PHONE_NUMBER_EXISTS": "another account has this phone number",
        "DUPLICATE_LOCAL_ID": "there is an account with this id", "INVALID_EMAIL": "this is not an e-mail address",
        "USER_NOT_FOUND": "there is no such account any more", "EMAIL_NOT_FOUND": "no account has this e-mail address",
        "CLAIMS_TOO_LARGE": "claims have at most 1000 characters", "INVALID_CLAIMS": "claims are a JSON object",
        "FORBIDDEN_CLAIM": "this claim is reserved",
    ]

    /// A sentence instead of the code that is meant for programs.
    private static func error(_ message: String, status: Int) -> FirestoreError {
        let parts = message.split(separator: " : ", maxSplits: 1).map(String.init)
        let sentence =
            sentences[parts[0]].map { parts.count > 1 ? "\($0): \(parts[1])" : $0 } ?? (parts.count > 1 ? parts[1] : parts[0])
        let code: FirestoreError.Code =
            switch parts[0] {
            case "EMAIL_EXISTS", "PHONE_NUMBER_EXISTS", "DUPLICATE_LOCAL_ID": .alreadyExists
            case "USER_NOT_FOUND", "EMAIL_NOT_FOUND", "PROJECT_NOT_FOUND": .notFound
            default: status >= 500 ? .unavailable : .invalidArgument
            }
        return FirestoreError(code, sentence)
    }
}
