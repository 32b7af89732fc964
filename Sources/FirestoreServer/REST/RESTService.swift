import FirestoreCore
package import FirestoreRPC
import FirestoreWire

/// The REST form of Firestore (semantics sections 0.4 to 0.6), over the same handlers as gRPC, and what the server says about
/// itself.
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
        guard let origin = CrossOrigin(exchange.request) else { return answer(exchange) }
        if exchange.request.method == "OPTIONS" { return origin.answerPreflight(exchange) }
        answer(CrossOriginExchange(exchange, origin))
    }

    private func answer(_ exchange: any HTTPExchange) {
        if operations.handle(exchange) { return }
        do throws(FirestoreError) {
            guard let call = try RESTRouter.match(verb: exchange.request.method, target: exchange.request.target) else {
                let request = exchange.request
                throw FirestoreError(.notFound, "there is no method under \(request.method) \(request.path)")
            }
            try RequestSize.check(exchange.request.body)
            try start(call, exchange)
        } catch {
            exchange.respond(RPCStatus(error))
        }
    }

    private func start(_ call: RESTCall, _ exchange: any HTTPExchange) throws(FirestoreError) {
        let path = call.method.path
        guard call.method.streaming != .both else {
            throw FirestoreError(.unimplemented, "\(call.method.rawValue) needs streams both ways; call it over gRPC")
        }
        guard let method = service.method(at: path) else {
            throw FirestoreError(.unimplemented, "\(call.method.rawValue) is not offered here")
        }
        let message = try call.requestBytes(body: exchange.request.body)
        metrics?.restCallStarted(path)
        let received = exchange.request.body.count
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

extension HTTPRequest {
    /// Path and query as one text. The query's parts are encoded again: what they hold is theirs alone.
    fileprivate var target: String {
        guard !query.isEmpty else { return path }
        return path + "?" + query.map { PercentEncoding.encoded($0.name) + "=" + PercentEncoding.encoded($0.value) }.joined(separator: "&")
    }
}
