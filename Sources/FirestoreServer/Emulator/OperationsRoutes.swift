import FirestoreCore
import FirestoreRPC

/// What the server answers about itself, and the conveniences of the emulator: everything over HTTP that is no method of
/// Firestore.
struct OperationsRoutes: Sendable {
    let service: FirestoreService
    let metrics: ServerMetrics?
    let registry: PrometheusRegistry?
    /// False while the server stops: load balancers then send no new calls.
    let isReady: @Sendable () -> Bool

    /// False if the request is for somebody else.
    func handle(_ exchange: any HTTPExchange) -> Bool {
        let request = exchange.request
        let segments = Self.segments(request.path)
        switch (request.method, segments.count) {
        case ("GET", 0): exchange.respond(text: "Ok\n")
        case ("GET", 1), ("HEAD", 1):
            switch segments[0] {
            case "healthz", "livez": exchange.respond(text: "ok\n")
            case "readyz":
                let isReady = isReady()
                exchange.respond(text: isReady ? "ok\n" : "stopping\n", status: isReady ? 200 : 503)
            case "metrics": respondMetrics(exchange)
            default: return false
            }
        case ("DELETE", 7):
            guard let database = Self.clearedDatabase(segments) else { return false }
            clear(database, exchange)
        default: return false
        }
        return true
    }

    private func respondMetrics(_ exchange: any HTTPExchange) {
        guard let registry else {
            return exchange.respond(text: "this server keeps no metrics\n", status: 404)
        }
        metrics?.refresh(databases: service.databases.openCount, tasks: service.admission.current)
        exchange.respond(
            status: 200, headers: RPCMetadata([("content-type", "text/plain; version=0.0.4; charset=utf-8")]),
            body: Array((registry.text + ProcessFigures.text).utf8))
    }

    /// `/emulator/v1/projects/P/databases/D/documents`
    private static func clearedDatabase(_ segments: [String]) -> DatabaseID? {
        let words = ["emulator", "v1", "projects", nil, "databases", nil, "documents"]
        for (word, segment) in zip(words, segments) where word != nil && word != segment { return nil }
        return DatabaseID(projectID: segments[3], databaseID: segments[5])
    }

    private func clear(_ database: DatabaseID, _ exchange: any HTTPExchange) {
        let task = Task {
            do throws(FirestoreError) {
                let service = try await service.databases.open(database)
                let context = RequestContext(caller: .administrator, seesSubmitted: false)
                try await DatabaseClearing(service: service, context: context).run()
                exchange.respond(json: "{}")
            } catch {
                exchange.respond(RPCStatus(error))
            }
        }
        exchange.onCancel { task.cancel() }
    }

    /// The parts of a path, percent-decoded (DM-8); empty ones are left out.
    private static func segments(_ path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { PercentEncoding.decoded($0) }
    }
}
