// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreGateway
package import FirestoreRPC
import FirestoreRules
package import FirestoreServer
package import Logging

/// The rules of a database: reading them, checking a text, putting it in effect (`/console/api/rules`).
package struct ConsoleRules: Sendable {
    private let databases: DatabaseRegistry
    private let installation: RulesInstallation
    private let isDevelopment: Bool

    package static let verbs = ["GET", "HEAD", "PUT"]

    /// - Parameter isDevelopment: Whether a page may put rules in effect.
    package init(databases: DatabaseRegistry, rules: RulesRegistry, isDevelopment: Bool, log: Logger? = nil) {
        self.databases = databases
        installation = RulesInstallation(rules: rules, log: log)
        self.isDevelopment = isDevelopment
    }

    package func answer(_ exchange: any HTTPExchange, isReadOnly: Bool) async throws(HTTPRefusal) {
        let method = exchange.request.method
        guard Self.verbs.contains(method) else { throw .notAllowed(exchange.request, verbs: Self.verbs) }
        let json = try await ConsoleQuestion.answering { () async throws(FirestoreError) -> JSON in
            let database = try ConsoleQuestion.database(exchange)
            // Rules are those of a name: they can be read and replaced before the database is created.
            try await databases.checkUse(of: database)
            guard method == "PUT" else { return report(database, canSet: isDevelopment && !isReadOnly) }
            return try replace(database, try ConsoleQuestion.body(exchange, most: RulesUpload.mostBytes), isReadOnly: isReadOnly)
        }
        exchange.respond(json: json.bytes())
    }

    private func report(_ database: DatabaseID, canSet: Bool) -> JSON {
        let rules = installation.rules
        let scope = rules.scope(of: database)
        let version = rules.rules(for: database).current
        var (origin, isEnforced, isBroken) = (scope.isSetOverHTTP ? "http" : "file", true, false)
        switch version.rules {
        case .open: (origin, isEnforced) = ("none", false)
        case .ruleSet: break
        case .broken: isBroken = true
        }
        return .object([
            ("name", .string(version.rules.source.name)),
            ("content", .string(String(decoding: version.rules.source.text, as: UTF8.self))), ("hash", .string(version.hash)),
            ("origin", .string(origin)), ("canSet", .boolean(canSet)), ("enforced", .boolean(isEnforced)),
            ("issues", Self.issues(version.rules)), ("broken", .boolean(isBroken)),
        ])
    }

    private func replace(_ database: DatabaseID, _ body: JSONNode, isReadOnly: Bool) throws(FirestoreError) -> JSON {
        let content = try body.required("content").string()
        let checksOnly = try body.optional("checkOnly")?.boolean() ?? false
        guard checksOnly || !isReadOnly else {
            throw FirestoreError(.permissionDenied, "the console is read-only: it may only check rules")
        }
        guard checksOnly || isDevelopment else {
            throw FirestoreError(
                .permissionDenied,
                "rules are put in force by their file: replace it and the server takes it over; only a server in development mode takes "
                    + "rules from the console")
        }
        let name = installation.rules.rules(for: database).current.rules.source.name
        let rules = RulesInForce.Rules(compiling: RulesSource(content, name: name))
        var isApplied = false
        if !checksOnly, case .ruleSet = rules {
            try installation.install(rules, for: .database(database), of: database)
            isApplied = true
        }
        return .object([
            ("applied", .boolean(isApplied)), ("hash", .string(RulesInForce(rules).current.hash)), ("issues", Self.issues(rules)),
        ])
    }

    private static func issues(_ rules: RulesInForce.Rules) -> JSON {
        let source = rules.source
        return .array(
            rules.found.map { issue in
                var members: [(name: String, value: JSON)] = [("severity", .string(issue.severity.rawValue))]
                if let range = issue.range {
                    let position = source.position(of: range)
                    members += [("line", .number(position.line)), ("column", .number(position.column))]
                }
                return .object(members + [("message", .string(issue.message))])
            })
    }
}
