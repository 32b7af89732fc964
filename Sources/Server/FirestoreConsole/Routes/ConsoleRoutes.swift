// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import Logging

/// The console (CO-5 … CO-12): its pages, the guide's pages, and what both ask of the server beside REST. docs/reference/console-api.md
/// describes all of it.
///
/// Pages are open to every browser that reaches the port; they contain nothing of the data. Everything below `/console/api/` needs the
/// console's token.
final class ConsoleRoutes: ConsolePaths {
    private let settings: ConsoleSettings
    private let service: FirestoreService
    private let pages: ConsolePages
    private let report: ConsoleReport
    private let figures: UsageRing
    private let streams: ConsoleStreams
    private let rules: ConsoleRules
    private let indexes: ConsoleIndexes
    private let pipelines: ConsolePipelines
    private let database: ConsoleDatabase
    private let backups: ConsoleBackups
    private let events: ConsoleEvents
    private let decisions: ConsoleDecisions
    private let transfer: ConsoleTransferRoutes?

    /// - Parameters:
    ///   - metrics: The source of the usage counters; without it there are none.
    ///   - tickInterval: How often counters are sampled; nil: by calls of `tick`.
    init(
        _ settings: ConsoleSettings, service: FirestoreService, admin: AdminService, requests: ConsoleRequests, rules: RulesRegistry,
        isDevelopment: Bool, metrics: ServerMetrics?, log: Logger? = nil,
        tickInterval: Duration? = UsageRing.interval, clock: any WallClock = SystemClock()
    ) {
        self.settings = settings
        self.service = service
        pages = ConsolePages(directory: settings.directory)
        report = ConsoleReport(settings, databases: service.databases, isDevelopment: isDevelopment, clock: clock)
        let size = StoredSize { [databases = service.databases] in databases.storedBytes }
        figures = UsageRing(clock: clock) { [documents = service.figures] in
            metrics.map { UsageSample($0.usage.take(), documents.values, bytes: size.bytes, memory: ProcessFigures.residentBytes) }
        }
        streams = ConsoleStreams(service, requests: requests, figures: figures)
        let databases = service.databases
        self.rules = ConsoleRules(databases: databases, rules: rules, isDevelopment: isDevelopment, log: log)
        indexes = ConsoleIndexes(databases: databases)
        pipelines = ConsolePipelines(databases: databases)
        database = ConsoleDatabase(admin)
        backups = ConsoleBackups(admin)
        events = ConsoleEvents(DeadLetterAdministration(databases), triggers: settings.triggers)
        decisions = ConsoleDecisions(databases: databases, rules: rules, requests: requests, strictLists: settings.strictLists)
        transfer = settings.files.map { ConsoleTransferRoutes(databases: databases, files: $0) }
        if let tickInterval, metrics != nil { figures.start(every: tickInterval) }
    }

    // MARK: Routing

    func readsBody(method: String, path: String) -> Bool { method == "POST" && equalUTF8(path, ConsoleTransferRoutes.importPath) }

    func answers(_ exchange: any HTTPExchange) -> Bool {
        guard PageSite(path: exchange.request.path) != nil else { return redirect(exchange) }
        handle(exchange)
        return true
    }

    /// Sends a browser from `/` to the console. Returns false for other requests.
    private func redirect(_ exchange: any HTTPExchange) -> Bool {
        let request = exchange.request
        guard request.path == "/", request.method == "GET" || request.method == "HEAD", Self.isOfBrowser(request) else { return false }
        exchange.respond(status: 302, headers: RPCMetadata([("location", "/console/"), ("vary", "accept")]), body: [])
        return true
    }

    /// Whether a page is what the client wants most.
    private static func isOfBrowser(_ request: HTTPRequest) -> Bool {
        let first = request.headers["accept"]?.split(separator: ",").first?.prefix { $0 != ";" && $0 != " " }
        return first?.lowercased() == "text/html"
    }

    /// Answers a request for a path of the console or of the guide.
    private func handle(_ exchange: any HTTPExchange) {
        let exchange = ConsoleExchange(exchange)
        let request = exchange.request
        do throws(HTTPRefusal) {
            guard let method = ConsoleMethod(path: request.path) else { return try answerPage(exchange) }
            try answer(method, exchange)
        } catch {
            exchange.respond(error)
        }
    }

    private func answerPage(_ exchange: ConsoleExchange) throws(HTTPRefusal) {
        let request = exchange.request
        if request.path == "/console/api" || request.path.hasPrefix("/console/api/") { throw .nothing(at: request.path) }
        try Self.check(request.method, among: ["GET", "HEAD"], at: request.path)
        guard let site = PageSite(path: request.path) else { throw .nothing(at: request.path) }
        guard request.path != site.bare else {
            return exchange.respond(status: 308, headers: RPCMetadata([("location", site.root)]), body: [])
        }
        pages.answer(request.path.dropFirst(site.root.count), of: site, exchange)
    }

    private static func check(_ verb: String, among verbs: [String], at path: String) throws(HTTPRefusal) {
        guard !verbs.contains(verb) else { return }
        let allow = verbs.joined(separator: ", ")
        throw HTTPRefusal(
            405, .unimplemented, "UNIMPLEMENTED", "\(verb.prefix(20)) is not offered for \(path.prefix(200)); offered are \(allow)",
            headers: [(name: "allow", value: allow)])
    }

    // MARK: The API

    private func answer(_ method: ConsoleMethod, _ exchange: ConsoleExchange) throws(HTTPRefusal) {
        let request = exchange.request
        // Pages of other origins are rejected before anything is looked at (CO-52).
        guard request.isFromOwnPageOrNone else { throw Self.foreignPage }
        let context = try context(of: request)
        try Self.check(request.method, among: method.verbs, at: request.path)
        if settings.isReadOnly, method.writes(request.method) { throw HTTPRefusal(settings.readOnly) }
        let task = Task {
            do throws(HTTPRefusal) {
                try await answer(method, exchange, context)
            } catch {
                exchange.respond(error)
            }
        }
        // Long-lived calls end by themselves when the peer has gone, and set their own hooks.
        if ![.live, .export, .load].contains(method) { exchange.onCancel { task.cancel() } }
    }

    /// The administrator's, for requests with the token.
    private func context(of request: HTTPRequest) throws(HTTPRefusal) -> RequestContext {
        let info = RPCCallInfo(path: request.path, metadata: request.headers, peer: request.peer, isPlain: true)
        // Other credentials are not accepted here, so their errors do not matter.
        guard let known = try? service.identification.identifyNow(info), known.isConsolesOwn else { throw Self.noToken }
        return known.context
    }

    /// The only table in which paths of the API lead to their answers. A new answer is a type with
    /// `func answer(_ exchange: any HTTPExchange) async throws(HTTPRefusal)`, which is called here; the caller it receives is
    /// `context`, the administrator's. Topics of the live stream are in `ConsoleStreams.subscribe`.
    private func answer(
        _ method: ConsoleMethod, _ exchange: any HTTPExchange, _ context: RequestContext
    ) async throws(HTTPRefusal) {
        switch method {
        case .server: exchange.respond(json: await report.server().bytes())
        case .databases: exchange.respond(json: report.databases.bytes())
        case .metrics: exchange.respond(json: figures.json.bytes())
        case .live: try streams.open(exchange)
        case .decisions: try await decisions.answer(exchange)
        case .rules: try await rules.answer(exchange, isReadOnly: settings.isReadOnly)
        case .indexes: try await indexes.answer(exchange)
        case .pipeline: try await pipelines.answer(exchange, context)
        case .database: try await database.answer(exchange, context)
        case .backups: try await backups.answer(exchange, context)
        case .archive:
            guard let archive = settings.archive else { throw HTTPRefusal(settings.noArchive) }
            try await archive.answer(exchange)
        case .events: try await events.answer(exchange)
        case .queries:
            guard let slowCalls = settings.slowCalls else { throw HTTPRefusal(settings.noSlowCalls) }
            if exchange.request.method == "DELETE" { slowCalls.forget() }
            exchange.respond(json: slowCalls.json.bytes())
        case .users:
            guard let users = settings.users else { throw HTTPRefusal(settings.noAccounts) }
            try await users.answer(exchange)
        case .export:
            guard let transfer else { throw .nothing(at: exchange.request.path) }
            try await transfer.answerExport(exchange)
        case .load:
            guard let transfer else { throw .nothing(at: exchange.request.path) }
            try await transfer.answerImport(exchange, isReadOnly: settings.isReadOnly)
        }
    }

    private static let foreignPage = HTTPRefusal(
        403, .permissionDenied, "PERMISSION_DENIED", "only the console's own pages may call this (Origin, Sec-Fetch-Site)")

    private static let noToken = HTTPRefusal(
        FirestoreError(.unauthenticated, "the console's token of this server is missing; `hearth console` prints a new address"))

    // MARK: Life

    func started(at address: RPCAddress) { report.started(at: address) }

    func drain() {
        figures.stop()
        streams.drain()
    }
}
