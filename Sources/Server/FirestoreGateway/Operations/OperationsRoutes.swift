// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreRules
import FirestoreServer
import HearthBase

/// The server's reports about itself over HTTP.
struct OperationsRoutes: Sendable {
    let service: FirestoreService
    let emulator: EmulatorRoutes
    let backup: BackupRoute
    let events: EventsRoute
    let metrics: ServerMetrics?
    let registry: PrometheusRegistry?
    let readiness: @Sendable () -> Readiness

    enum Route {
        case home, alive, ready, metrics

        var verbs: [String] { ["GET", "HEAD"] }
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
        default: return nil
        }
    }

    func answer(_ route: Route, _ exchange: any HTTPExchange) {
        switch route {
        case .home: exchange.respond(text: "Ok\n")
        case .alive: exchange.respond(text: "ok\n")
        case .ready:
            let readiness = readiness()
            exchange.respond(text: readiness.rawValue + "\n", status: readiness.takesCalls ? 200 : 503)
        case .metrics: respondMetrics(exchange)
        }
    }

    private func respondMetrics(_ exchange: any HTTPExchange) {
        guard let registry else {
            return exchange.respond(text: "this server does not keep metrics\n", status: 404)
        }
        metrics?.refresh(
            databases: service.databases.openCount, tasks: service.admission.current,
            logBytes: service.databases.logs.reduce(0) { $0 + $1.bytes })
        metrics?.refresh(service.databases.expiry)
        if let free = service.databases.freeBytes { metrics?.refresh(freeBytes: free) }
        let task = Task {
            let databases = await metrics?.byDatabase.text(of: service.databases.observed()) ?? ""
            exchange.respond(
                status: 200, headers: RPCMetadata([("content-type", "text/plain; version=0.0.4; charset=utf-8")]),
                body: Array((registry.text + databases + ProcessFigures.text).utf8))
        }
        exchange.onCancel { task.cancel() }
    }

    /// The segments of a path, percent-decoded (DM-8); empty ones are omitted.
    private static func segments(_ path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { PercentEncoding.decodeLeniently(Substring($0)) }
    }
}

/// Whether load balancers should send calls.
package enum Readiness: String, Sendable {
    case ready = "ok"
    case stopping
    /// Reads and deletes are answered, and other servers would have the same disk.
    case withoutRoom = "ok, but the disk is nearly full: writes are refused"
    /// Nothing could be restored, and the operator requires an archive.
    case withoutArchive = "the archive has lost what was stored in it; a new copy is being made"
    /// The data directory is gone: nothing is committed.
    case withoutData =
        "no data: the data directory was removed, moved or unmounted; copy the databases with `hearth backup` before the process ends"
    /// A node that its cluster takes for gone.
    case withoutLease = "no lease: the database server does not answer"

    var takesCalls: Bool { self == .ready || self == .withoutRoom }
}
