// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// What the server reports about itself, and the conveniences of the emulator: everything over HTTP that is not a method of Firestore.
struct OperationsRoutes: Sendable {
    let service: FirestoreService
    let metrics: ServerMetrics?
    let registry: PrometheusRegistry?
    /// False while the server stops, so that load balancers send no new calls.
    let isReady: @Sendable () -> Bool

    enum Route {
        case home, alive, ready, metrics
        case clearing(DatabaseID)

        var verbs: [String] {
            if case .clearing = self { ["DELETE"] } else { ["GET", "HEAD"] }
        }
    }

    /// The paths that load balancers and orchestrators request, with their own host names. They answer for every host.
    static let probes: Set<String> = ["/healthz", "/livez", "/readyz"]

    /// nil if the path is not one of these.
    static func route(_ path: String) -> Route? {
        let segments = segments(path)
        switch segments.count {
        case 0: return path.utf8.first == UInt8(ascii: "/") ? .home : nil
        case 1:
            switch segments[0] {
            case "healthz", "livez": return .alive
            case "readyz": return .ready
            case "metrics": return .metrics
            default: return nil
            }
        case 7: return clearedDatabase(segments).map { .clearing($0) }
        default: return nil
        }
    }

    func answer(_ route: Route, _ exchange: any HTTPExchange) {
        switch route {
        case .home: exchange.respond(text: "Ok\n")
        case .alive: exchange.respond(text: "ok\n")
        case .ready:
            let isReady = isReady()
            exchange.respond(text: isReady ? "ok\n" : "stopping\n", status: isReady ? 200 : 503)
        case .metrics: respondMetrics(exchange)
        case .clearing(let database): clear(database, exchange)
        }
    }

    private func respondMetrics(_ exchange: any HTTPExchange) {
        guard let registry else {
            return exchange.respond(text: "this server does not keep metrics\n", status: 404)
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
                // Every caller may clear, as in the emulator; a malformed token is rejected nevertheless.
                _ = try RequestContext.Caller(authorization: exchange.request.headers["authorization"])
                let service = try await service.databases.open(database)
                let context = RequestContext(caller: .administrator)
                try await DatabaseClearing(service: service, context: context).run()
                exchange.respond(json: "{}")
            } catch {
                exchange.respond(RPCStatus(error))
            }
        }
        exchange.onCancel { task.cancel() }
    }

    /// The segments of a path, percent-decoded (DM-8); empty ones are omitted.
    private static func segments(_ path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { PercentEncoding.decodeLeniently(Substring($0)) }
    }
}
