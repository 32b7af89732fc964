// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
package import FirestoreRPC
import FirestoreWire

/// The REST form of Firestore (HT-1 … HT-4), with the same handlers as gRPC, and the server's own routes.
package final class RESTService: HTTPService {
    private let service: FirestoreService
    private let operations: OperationsRoutes
    private let metrics: ServerMetrics?

    package init(
        _ service: FirestoreService, metrics: ServerMetrics? = nil, registry: PrometheusRegistry? = nil,
        isReady: @escaping @Sendable () -> Bool = { true }
    ) {
        self.service = service
        self.metrics = metrics
        operations = OperationsRoutes(service: service, metrics: metrics, registry: registry, isReady: isReady)
    }

    package func handle(_ exchange: any HTTPExchange) {
        let request = exchange.request
        var exchange = exchange
        if let origin = CrossOrigin(request) {
            if CrossOrigin.isPreflight(request) { return origin.answerPreflight(exchange) }
            exchange = CrossOriginExchange(exchange, origin)
        }
        if GzipExchange.isWanted(by: request) { exchange = GzipExchange(exchange) }
        do throws(HTTPRefusal) {
            try answer(exchange)
        } catch {
            metrics?.requestRefused(error.code, isGRPC: false)
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
        guard let call = try match(request) else {
            let verbs = RESTRouter.verbs(path: request.path)
            guard !verbs.isEmpty else {
                if request.method == "OPTIONS", request.path == "*" {
                    return exchange.respond(allowing: ["GET", "HEAD", "POST", "PATCH", "DELETE"])
                }
                throw HTTPRefusal(FirestoreError(.notFound, "there is nothing at \(request.path.prefix(200))"))
            }
            if request.method == "OPTIONS" { return exchange.respond(allowing: verbs) }
            throw .notAllowed(request, verbs: verbs)
        }
        // With a malformed token nothing else is checked: the method rejects the token.
        let body = hasUsableToken(request) ? try RequestBody.decoded(request) : nil
        do throws(FirestoreError) {
            try start(call, body, exchange)
        } catch {
            throw HTTPRefusal(error)
        }
    }

    private func hasUsableToken(_ request: HTTPRequest) -> Bool {
        (try? RequestContext.Caller(authorization: request.headers["authorization"])) != nil
    }

    private func match(_ request: HTTPRequest) throws(HTTPRefusal) -> RESTCall? {
        do throws(FirestoreError) {
            return try RESTRouter.match(verb: request.method, path: request.path, query: request.query)
        } catch {
            throw HTTPRefusal(error)
        }
    }

    private func start(_ call: RESTCall, _ body: ByteSlice?, _ exchange: any HTTPExchange) throws(FirestoreError) {
        let path = call.method.path
        guard call.method.streaming != .both else {
            throw FirestoreError(.unimplemented, "\(call.method.rawValue) needs streams both ways; call it over gRPC")
        }
        guard let method = service.method(at: path) else {
            throw FirestoreError(.unimplemented, "\(call.method.rawValue) is not offered here")
        }
        let message = try body.map { (body) throws(FirestoreError) in try call.requestBytes(body: body) } ?? .empty
        metrics?.restCallStarted(path)
        let received = body?.count ?? 0
        let began = ContinuousClock.now
        let rest = RESTRequest(
            info: RPCCallInfo(path: path, metadata: exchange.request.headers, peer: exchange.request.peer), message: message,
            json: { (bytes) throws(FirestoreError) in try call.responseJSON(bytes) }, exchange: exchange,
            ended: { [metrics] code, sent in
                metrics?.restCallEnded(
                    path, CallFigures(code: code, duration: ContinuousClock.now - began, received: received, sent: sent))
            })
        switch method {
        case .unary(let answer): answer([RESTUnaryCall(rest)])
        case .stream(let open):
            let handler = open(RESTStreamCall(rest))
            exchange.onCancel { handler.ended(RPCStatus(.cancelled, "the connection was closed")) }
            handler.receive(message)
            handler.halfClosed()
        }
    }
}
