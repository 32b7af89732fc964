// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreWire

/// The admin API over REST, with the methods of gRPC.
struct AdminRoutes: Sendable {
    private let service: AdminService
    private let metrics: ServerMetrics?

    init(_ service: AdminService, metrics: ServerMetrics?) {
        self.service = service
        self.metrics = metrics
    }

    /// Answers a call of the admin API; returns false if the request is none.
    func answer(_ exchange: any HTTPExchange) throws(HTTPRefusal) -> Bool {
        let request = exchange.request
        let call: AdminCall?
        do throws(FirestoreError) {
            call = try AdminRouter.match(verb: request.method, path: request.path, query: request.query)
        } catch {
            throw HTTPRefusal(error)
        }
        guard let call else { return false }
        let info = RPCCallInfo(path: call.method.path, metadata: request.headers, peer: request.peer, isPlain: true)
        let metrics = service.isUncounted(info) ? nil : metrics
        let began = ContinuousClock.now
        metrics?.restCallStarted(call.method.path)
        let task = Task {
            var (code, sent) = (FirestoreError.Code.ok, 0)
            do throws(HTTPRefusal) {
                let text = try await text(call, info, request)
                sent = text.count
                exchange.respond(json: text)
            } catch {
                code = error.code
                exchange.respond(error)
            }
            metrics?.restCallEnded(
                call.method.path,
                CallFigures(code: code, duration: ContinuousClock.now - began, received: request.body.count, sent: sent))
        }
        exchange.onCancel { task.cancel() }
        return true
    }

    private func text(_ call: AdminCall, _ info: RPCCallInfo, _ request: HTTPRequest) async throws(HTTPRefusal) -> [UInt8] {
        let body = try RequestBody.decoded(request)
        do throws(FirestoreError) {
            return call.text(try await service.answer(call.method, info) { () throws(FirestoreError) in try call.request(body: body) })
        } catch {
            throw HTTPRefusal(error)
        }
    }
}
