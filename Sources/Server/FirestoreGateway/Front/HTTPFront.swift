// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
package import FirestoreRPC
package import FirestoreServer
import FirestoreWire
package import Logging

/// Answers HTTP requests other than gRPC: the REST form of Firestore (HT-1 … HT-4), with the same handlers as gRPC, the streams of
/// browsers, and the server's own routes.
package final class HTTPFront: HTTPService {
    private let service: FirestoreService
    private let operations: OperationsRoutes
    private let admin: AdminRoutes
    private let metrics: ServerMetrics?
    /// nil for a server that shows none.
    private let console: (any ConsolePaths)?
    let webChannels: WebChannelService
    private let lane: DecodingLane
    private let answers = AnswerBudget()

    package init(
        _ service: FirestoreService, admin: AdminService? = nil, rules: RulesRegistry = RulesRegistry(), isDevelopment: Bool = true,
        metrics: ServerMetrics? = nil, registry: PrometheusRegistry? = nil, console: (any ConsolePaths)? = nil, log: Logger? = nil,
        lane: DecodingLane = DecodingLane(), readiness: @escaping @Sendable () -> Readiness = { .ready }
    ) {
        self.lane = lane
        self.service = service
        let admin = admin ?? AdminService(service)
        self.admin = AdminRoutes(admin, metrics: metrics)
        self.metrics = metrics
        self.console = console
        let silent = Logger(label: "hearth", factory: { _ in SwiftLogNoOpLogHandler() })
        webChannels = WebChannelService(service, observer: ServerObserver(metrics: metrics, log: log ?? silent), lane: lane)
        operations = OperationsRoutes(
            service: service,
            emulator: EmulatorRoutes(service: service, admin: admin, rules: rules, isDevelopment: isDevelopment, log: log),
            backup: BackupRoute(service: service, log: log), events: EventsRoute(service: service), metrics: metrics, registry: registry,
            readiness: readiness)
    }

    package func readsBody(method: String, path: String) -> Bool {
        console?.readsBody(method: method, path: path) ?? false
    }

    package func handle(_ exchange: any HTTPExchange) {
        let request = exchange.request
        var exchange = exchange
        // Before other pages are let in: they get nothing of the console.
        if let console, console.answers(exchange) { return }
        if let origin = CrossOrigin(request) {
            let plain = exchange
            exchange = CrossOriginExchange(exchange, origin)
            if CrossOrigin.isPreflight(request) {
                guard let verbs = Self.verbs(at: request.path) else { return refuse(exchange, .nothing(at: request.path), over: .rest) }
                return origin.answerPreflight(plain, allowing: verbs)
            }
        }
        // Before compression, which would hold back messages.
        if let method = WebChannelService.method(at: request.path) { return handle(exchange, channelOf: method) }
        // Compression of so much costs more than it saves, and a backup has its length.
        if request.path == ProjectsRoute.path { return ProjectsRoute(service: operations.service).answer(exchange) }
        if let database = BackupRoute.database(request.path) { return operations.backup.answer(database, exchange) }
        if let target = EventsRoute.target(request.path) { return operations.events.answer(target, exchange) }
        if GzipExchange.isWanted(by: request) { exchange = GzipExchange(exchange) }
        do throws(HTTPRefusal) {
            try answer(exchange)
        } catch {
            refuse(exchange, error, over: .rest)
        }
    }

    /// The verbs that a path supports; nil if there is no resource.
    private static func verbs(at path: String) -> [String]? {
        if WebChannelService.method(at: path) != nil { return WebChannelService.verbs }
        if let verbs = OperationsRoutes.route(path)?.verbs ?? EmulatorRoutes.Route(path)?.verbs { return verbs }
        var verbs = RESTRouter.verbs(path: path)
        if verbs.isEmpty { verbs = AdminRouter.verbs(path: path) }
        return verbs.isEmpty ? nil : verbs
    }

    /// Large forms are taken apart on the lane of large bodies.
    private func handle(_ exchange: any HTTPExchange, channelOf method: FirestoreMethod) {
        let request = exchange.request
        guard request.body.count > lane.small else { return handle(exchange, method, WebChannelForm.read(request.body)) }
        do throws(FirestoreError) {
            try lane.decode(bytes: request.body.count, of: DecodingLane.caller(nil, at: request.peer)) {
                WebChannelForm.read(request.body)
            } then: { [self] in
                handle(exchange, method, $0)
            }
        } catch {
            refuse(exchange, HTTPRefusal(error), over: .webChannel)
        }
    }

    private func handle(_ exchange: any HTTPExchange, _ method: FirestoreMethod, _ form: Result<WebChannelForm, WebChannelProblem>) {
        do throws(HTTPRefusal) {
            try webChannels.handle(exchange, method, form)
        } catch {
            refuse(exchange, error, over: .webChannel)
        }
    }

    private func refuse(_ exchange: any HTTPExchange, _ refusal: HTTPRefusal, over transport: ServerMetrics.Transport) {
        metrics?.requestRefused(refusal.code, over: transport)
        exchange.respond(refusal)
    }

    private func answer(_ exchange: any HTTPExchange) throws(HTTPRefusal) {
        let request = exchange.request
        if let route = OperationsRoutes.route(request.path) {
            if request.method == "OPTIONS" { return exchange.respond(allowing: route.verbs) }
            guard route.verbs.contains(request.method) else { throw .notAllowed(request, verbs: route.verbs) }
            return operations.answer(route, exchange)
        }
        if let route = EmulatorRoutes.Route(request.path) { return try operations.emulator.answer(route, exchange) }
        guard let call = try match(request) else {
            if try admin.answer(exchange) { return }
            var verbs = RESTRouter.verbs(path: request.path)
            if verbs.isEmpty { verbs = AdminRouter.verbs(path: request.path) }
            guard !verbs.isEmpty else {
                if request.method == "OPTIONS", request.path == "*" {
                    return exchange.respond(allowing: ["GET", "HEAD", "POST", "PATCH", "DELETE"])
                }
                throw .nothing(at: request.path)
            }
            if request.method == "OPTIONS" { return exchange.respond(allowing: verbs) }
            throw .notAllowed(request, verbs: verbs)
        }
        try identify(call, exchange)
    }

    private func match(_ request: HTTPRequest) throws(HTTPRefusal) -> RESTCall? {
        do throws(FirestoreError) {
            return try RESTRouter.match(verb: request.method, path: request.path, query: request.query)
        } catch {
            throw HTTPRefusal(error)
        }
    }

    /// The caller comes first: nothing else of a request is looked at before.
    private func identify(_ call: RESTCall, _ exchange: any HTTPExchange) throws(HTTPRefusal) {
        guard let method = service.method(at: call.method.path, over: .rest) else {
            throw HTTPRefusal(FirestoreError(.unimplemented, "\(call.method.rawValue) is not offered here"))
        }
        var start = RESTStart(
            call: call, method: method, exchange: exchange, lane: lane, budget: answers, metrics: metrics, recorder: service.recorder)
        do throws(FirestoreError) {
            guard let known = try service.identification.identifyNow(start.info) else { return identifyLater(start) }
            start.caller = known.context.caller
            if known.isConsolesOwn, let uncounted = service.uncountedMethod(at: call.method.path) {
                start.metrics = nil
                start.recorder = nil
                start.method = uncounted
            }
        } catch {
            return start.refuse(error)
        }
        start.run()
    }

    private func identifyLater(_ start: RESTStart) {
        let task = Task { [service] in
            var start = start
            do throws(FirestoreError) {
                start.caller = try await service.identification.identify(start.info).context.caller
            } catch {
                return start.refuse(error)
            }
            start.run()
        }
        start.exchange.onCancel { task.cancel() }
    }
}
