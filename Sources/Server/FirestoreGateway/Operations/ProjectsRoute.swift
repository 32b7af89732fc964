// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer

/// `GET /hearth/v1/projects`: the projects of the server, so that a command without `--project` uses its own. For administrators; for
/// others it is not there.
struct ProjectsRoute: Sendable {
    static let path = "/hearth/v1/projects"

    let service: FirestoreService

    func answer(_ exchange: any HTTPExchange) {
        let task = Task {
            do throws(HTTPRefusal) {
                let request = exchange.request
                let info = RPCCallInfo(path: request.path, metadata: request.headers, peer: request.peer)
                let known: IdentifiedCall
                do throws(FirestoreError) { known = try await service.identification.identify(info) } catch { throw HTTPRefusal(error) }
                guard known.isAdministrator else { throw HTTPRefusal.nothing(at: request.path) }
                guard request.method == "GET" else { throw HTTPRefusal.notAllowed(request, verbs: ["GET"]) }
                let projects = await service.databases.projects().map { JSON.string($0) }
                exchange.respond(
                    status: 200, headers: RPCMetadata([("content-type", "application/json"), ("cache-control", "no-store")]),
                    body: JSON.object([("projects", .array(projects))]).bytes())
            } catch {
                exchange.respond(error)
            }
        }
        exchange.onCancel { task.cancel() }
    }
}
