// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
package import FirestoreRPC
import FirestoreRules
import FirestoreServer
import HearthBase
import Logging

/// The emulator's HTTP interface beside Firestore's methods: clearing a database, setting its rules, and the results of their
/// evaluation. In development for every caller whose token can be read; otherwise for administrators, and not found for others.
struct EmulatorRoutes: Sendable {
    let service: FirestoreService
    let admin: AdminService
    let rules: RulesRegistry
    let isDevelopment: Bool
    let log: Logger?

    enum Route {
        /// `DELETE /emulator/v1/projects/P/databases/D/documents`
        case documents(DatabaseID)
        /// `GET` or `PUT /emulator/v1/projects/P:securityRules` or `…/databases/D:securityRules`
        case rules(RulesRegistry.Scope, DatabaseID)
        /// `GET …:ruleCoverage`, and with `.html` as a page
        case coverage(DatabaseID, isPage: Bool)
        /// `POST /emulator/v1/projects/P:export`
        case export(project: String)

        var verbs: [String] {
            switch self {
            case .documents: ["DELETE"]
            case .rules: ["GET", "HEAD", "PUT"]
            case .coverage: ["GET", "HEAD"]
            case .export: ["POST"]
            }
        }

        /// nil if the path is not one of these.
        init?(_ path: String) {
            guard path.utf8.starts(with: "/emulator/v1/projects/".utf8) else { return nil }
            // Percent-decoded (DM-8); empty segments are omitted.
            let segments = path.utf8.split(separator: UInt8(ascii: "/")).map { PercentEncoding.decodeLeniently(Substring($0)) }
            guard segments.count > 3 else { return nil }
            var names = Array(segments[3...])
            if names.count == 4, names[1] == "databases", names[3] == "documents" {
                self = .documents(DatabaseID(projectID: names[0], databaseID: names[2]))
                return
            }
            let last = names[names.count - 1]
            if names.count == 1, last.hasSuffix(":export") {
                self = .export(project: String(last.dropLast(":export".count)))
                return
            }
            guard let verb = ["securityRules", "ruleCoverage", "ruleCoverage.html"].first(where: { last.hasSuffix(":" + $0) })
            else { return nil }
            names[names.count - 1].removeLast(verb.count + 1)
            let database: DatabaseID
            let scope: RulesRegistry.Scope
            switch names.count {
            case 1:
                database = DatabaseID(projectID: names[0])
                scope = .project(names[0])
            case 3 where names[1] == "databases":
                database = DatabaseID(projectID: names[0], databaseID: names[2])
                scope = .database(database)
            default: return nil
            }
            self = verb == "securityRules" ? .rules(scope, database) : .coverage(database, isPage: verb == "ruleCoverage.html")
        }
    }

    func answer(_ route: Route, _ exchange: any HTTPExchange) throws(HTTPRefusal) {
        let request = exchange.request
        if request.method == "OPTIONS" {
            // Comes without credentials.
            guard isDevelopment else { throw .nothing(at: request.path) }
            return exchange.respond(allowing: route.verbs)
        }
        let task = Task {
            do throws(HTTPRefusal) {
                let context = try await administration(request)
                guard route.verbs.contains(request.method) else { throw HTTPRefusal.notAllowed(request, verbs: route.verbs) }
                try await answer(route, context, exchange)
            } catch {
                exchange.respond(error)
            }
        }
        exchange.onCancel { task.cancel() }
    }

    /// A token that cannot be used is rejected, also in development.
    private func administration(_ request: HTTPRequest) async throws(HTTPRefusal) -> RequestContext {
        let info = RPCCallInfo(path: request.path, metadata: request.headers, peer: request.peer)
        let known: IdentifiedCall
        do throws(FirestoreError) { known = try await service.identification.identify(info) } catch { throw HTTPRefusal(error) }
        guard let context = known.administration(isDevelopment: isDevelopment) else { throw .nothing(at: request.path) }
        return context
    }

    private func answer(_ route: Route, _ context: RequestContext, _ exchange: any HTTPExchange) async throws(HTTPRefusal) {
        do throws(FirestoreError) {
            switch route {
            case .documents(let database):
                try await DatabaseClearing(service: try await service.databases.open(database), context: context).run()
                exchange.respond(json: "{}")
            case .rules(let scope, let database) where exchange.request.method == "PUT":
                try DatabaseRules.check(database)
                exchange.respond(json: try replace(scope, database, try RulesUpload(exchange.request)).bytes())
            case .rules(_, let database):
                try DatabaseRules.check(database)
                exchange.respond(json: rules.rules(for: database).current.rules.report.bytes(.indented))
            case .export(let project):
                try await EmulatorExport(admin: admin, isDevelopment: isDevelopment).run(exchange.request, project: project, context)
                exchange.respond(json: "{}")
            case .coverage(let database, let isPage):
                try DatabaseRules.check(database)
                let coverage = try coverage(of: database)
                if isPage {
                    let headers = RPCMetadata([
                        ("content-type", "text/html; charset=utf-8"),
                        ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'"),
                    ])
                    exchange.respond(status: 200, headers: headers, body: Array(coverage.page.utf8))
                } else {
                    exchange.respond(json: coverage.json.bytes(.indented))
                }
            }
        } catch {
            throw HTTPRefusal(error)
        }
    }

    // MARK: Rules

    /// Returns what the emulator answers: the issues, if there are any.
    private func replace(
        _ scope: RulesRegistry.Scope, _ database: DatabaseID, _ upload: RulesUpload
    ) throws(FirestoreError) -> JSON {
        let installation = RulesInstallation(rules: rules, log: log)
        try installation.checkRoom(for: scope)
        let compiled = RulesInForce.Rules(compiling: upload.source)
        if case .broken(let error) = compiled, !upload.ignoresErrors { throw .invalidArgument("Error compiling rules:\n\(error)") }
        try installation.install(compiled, for: scope, of: database)
        let issues = compiled.issues
        return .object(issues.isEmpty ? [] : [("issues", .array(issues))])
    }

    private func coverage(of database: DatabaseID) throws(FirestoreError) -> RulesCoverage {
        let version = rules.rules(for: database).current
        if let coverage = version.coverage { return coverage }
        switch version.rules {
        case .open: throw FirestoreError(.failedPrecondition, "everything is open: there are no rules whose coverage could be counted")
        case .broken(let error): throw .invalidArgument("Error compiling rules:\n\(error)")
        case .ruleSet:
            let advice = service.databases.advice(.coverage)
            throw FirestoreError(.failedPrecondition, "this server does not count what rules evaluate\(advice)")
        }
    }
}

extension HTTPRefusal {
    /// Also of what is hidden from the caller. The header is for programs, which distinguish it from a database that does not exist.
    package static func nothing(at path: String) -> HTTPRefusal {
        var refusal = HTTPRefusal(FirestoreError(.notFound, "there is nothing at \(path.quoted)"))
        refusal.headers.append((name: RefusalReason.header, value: RefusalReason.noSuchPath))
        return refusal
    }
}
