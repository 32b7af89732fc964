// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEvents
import FirestoreRPC
import FirestoreServer
import HearthBase

/// The events of a database that were given up, for administrators; for others they are not there:
///
/// - `GET /hearth/v1/projects/P/databases/D/events`: all, without documents; `…/events/ID`: one, with its documents
/// - `POST …/events/ID:retry`, `POST …/events:retry`: deliver it, or all, again
/// - `DELETE …/events/ID`, `DELETE …/events`: remove it, or all
struct EventsRoute: Sendable {
    /// What a path names.
    struct Target: Equatable {
        let database: DatabaseID
        /// nil for all events.
        let id: String?
        let isRetry: Bool

        var verbs: [String] { isRetry ? ["POST"] : ["GET", "DELETE"] }
    }

    let service: FirestoreService

    /// nil if the path is another one.
    static func target(_ path: String) -> Target? {
        guard path.utf8.starts(with: "/hearth/v1/projects/".utf8) else { return nil }
        var segments = path.utf8.split(separator: UInt8(ascii: "/")).map { PercentEncoding.decodeLeniently(Substring($0)) }
        guard (7...8).contains(segments.count), segments[4] == "databases", var last = segments.popLast() else { return nil }
        let isRetry = last.hasSuffix(":retry")
        if isRetry { last.removeLast(":retry".count) }
        segments.append(last)
        guard segments[6] == "events" else { return nil }
        return Target(
            database: DatabaseID(projectID: segments[3], databaseID: segments[5]), id: segments.count == 8 ? segments[7] : nil,
            isRetry: isRetry)
    }

    func answer(_ target: Target, _ exchange: any HTTPExchange) {
        let task = Task {
            do throws(HTTPRefusal) {
                try await checkCaller(exchange.request)
                guard target.verbs.contains(exchange.request.method) else {
                    throw HTTPRefusal.notAllowed(exchange.request, verbs: target.verbs)
                }
                let answer: JSON
                do throws(FirestoreError) {
                    answer = try await perform(exchange.request.method, target)
                } catch {
                    throw HTTPRefusal(error)
                }
                exchange.respond(
                    status: 200, headers: RPCMetadata([("content-type", "application/json; charset=utf-8")]), body: answer.bytes())
            } catch {
                exchange.respond(error)
            }
        }
        exchange.onCancel { task.cancel() }
    }

    /// Also in development: an event has documents.
    private func checkCaller(_ request: HTTPRequest) async throws(HTTPRefusal) {
        let info = RPCCallInfo(path: request.path, metadata: request.headers, peer: request.peer)
        let known: IdentifiedCall
        do throws(FirestoreError) { known = try await service.identification.identify(info) } catch { throw HTTPRefusal(error) }
        guard known.isAdministrator else { throw .nothing(at: request.path) }
    }

    private func perform(_ verb: String, _ target: Target) async throws(FirestoreError) -> JSON {
        try await DeadLetterAdministration(service.databases).open(target.database) { (events) async throws(FirestoreError) in
            switch (verb, target.isRetry) {
            case (_, true): try await events.retry(target.id)
            case ("DELETE", _): try await events.drop(target.id)
            default: try await events.show(target.id)
            }
        }
    }
}
