// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
package import FirestoreRPC
import FirestoreWire
package import Logging

/// The REST form of Firestore (HT-1 … HT-4), with the same handlers as gRPC, and the server's own routes.
package final class RESTService: HTTPService {
    private let service: FirestoreService
    private let operations: OperationsRoutes
    private let metrics: ServerMetrics?
    /// nil for a server that shows none.
    let console: ConsoleRoutes?
    let webChannels: WebChannelService

    package init(
        _ service: FirestoreService, rules: ServedRules = ServedRules(), isDevelopment: Bool = true, metrics: ServerMetrics? = nil,
        registry: PrometheusRegistry? = nil, console: ConsoleSettings? = nil, log: Logger? = nil,
        isReady: @escaping @Sendable () -> Bool = { true }
    ) {
        self.service = service
        self.metrics = metrics
        self.console = console.map {
            ConsoleRoutes($0, service: service, rules: rules, isDevelopment: isDevelopment, metrics: metrics, log: log)
        }
        let silent = Logger(label: "hearth", factory: { _ in SwiftLogNoOpLogHandler() })
        webChannels = WebChannelService(service, observer: ServerObserver(metrics: metrics, log: log ?? silent))
        operations = OperationsRoutes(
            service: service, emulator: EmulatorRoutes(service: service, rules: rules, isDevelopment: isDevelopment, log: log),
            backup: BackupRoute(service: service, log: log), metrics: metrics, registry: registry, isReady: isReady)
    }

    package func readsBody(method: String, path: String) -> Bool {
        method == "POST" && equalUTF8(path, ConsoleTransferRoutes.importPath)
    }

    package func handle(_ exchange: any HTTPExchange) {
        let request = exchange.request
        var exchange = exchange
        if let console {
            // Before other pages are let in: they get nothing of the console.
            if ConsoleRoutes.covers(request.path) { return console.handle(exchange) }
            if console.redirect(exchange) { return }
        }
        if let origin = CrossOrigin(request) {
            if CrossOrigin.isPreflight(request) { return origin.answerPreflight(exchange) }
            exchange = CrossOriginExchange(exchange, origin)
        }
        // Before compression, which would hold back what is sent.
        if let method = WebChannelService.method(at: request.path) { return handle(exchange, channelOf: method) }
        // Compression of so much costs more than it saves, and a backup has its length.
        if let database = BackupRoute.database(request.path) { return operations.backup.answer(database, exchange) }
        if GzipExchange.isWanted(by: request) { exchange = GzipExchange(exchange) }
        do throws(HTTPRefusal) {
            try answer(exchange)
        } catch {
            metrics?.requestRefused(error.code, isGRPC: false)
            exchange.respond(error)
        }
    }

    private func handle(_ exchange: any HTTPExchange, channelOf method: FirestoreMethod) {
        do throws(HTTPRefusal) {
            try webChannels.handle(exchange, method)
        } catch {
            metrics?.requestRefused(error.code, over: .webChannel)
            exchange.respond(error)
        }
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
            let verbs = RESTRouter.verbs(path: request.path)
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
        var start = RESTStart(call: call, method: method, exchange: exchange, metrics: metrics, requests: service.requests)
        do throws(FirestoreError) {
            guard let known = try service.identification.identifyNow(start.info) else { return identifyLater(start) }
            if known.isConsolesOwn, let uncounted = service.uncountedMethod(at: call.method.path) {
                start.metrics = nil
                start.requests = nil
                start.method = uncounted
            }
        } catch {
            return start.refuse(error)
        }
        try start.run()
    }

    private func identifyLater(_ start: RESTStart) {
        let task = Task { [service, metrics] in
            do throws(FirestoreError) {
                _ = try await service.identification.identify(start.info)
            } catch {
                return start.refuse(error)
            }
            do throws(HTTPRefusal) {
                try start.run()
            } catch {
                metrics?.requestRefused(error.code, isGRPC: false)
                start.exchange.respond(error)
            }
        }
        start.exchange.onCancel { task.cancel() }
    }
}
