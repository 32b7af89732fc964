#if Remote
import FirestoreCore
package import FirestoreRPC
import FirestoreWire

/// The REST form of Firestore, and what the server says about itself, on the same port.
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
        if operations.handle(exchange) { return }
        exchange.respond(RPCStatus(.notFound, "there is nothing here"))
    }
}
#endif
