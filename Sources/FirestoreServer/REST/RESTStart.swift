// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire

/// A REST request that is about to be handed to its method.
struct RESTStart: Sendable {
    let call: RESTCall
    let method: RPCMethod
    let exchange: any HTTPExchange
    let metrics: ServerMetrics?

    var info: RPCCallInfo {
        RPCCallInfo(path: call.method.path, metadata: exchange.request.headers, peer: exchange.request.peer)
    }

    /// Answers a call whose caller is not accepted, in the form of the method.
    func refuse(_ error: FirestoreError) {
        let rest = request(.empty, received: 0)
        switch method {
        case .unary: RESTUnaryCall(rest).respond(.failure(RPCStatus(error)))
        case .stream: RESTStreamCall(rest).finish(RPCStatus(error))
        }
    }

    func run() throws(HTTPRefusal) {
        guard call.method.streaming != .both else {
            throw HTTPRefusal(
                FirestoreError(.unimplemented, "\(call.method.rawValue) needs streams both ways; call it over gRPC"))
        }
        let body = try RequestBody.decoded(exchange.request)
        let message: ByteSlice
        do throws(FirestoreError) { message = try call.requestBytes(body: body) } catch { throw HTTPRefusal(error) }
        let rest = request(message, received: body.count)
        switch method {
        case .unary(let answer): answer([RESTUnaryCall(rest)])
        case .stream(let open):
            let handler = open(RESTStreamCall(rest))
            exchange.onCancel { handler.ended(RPCStatus(.cancelled, "the connection was closed")) }
            handler.receive(message)
            handler.halfClosed()
        }
    }

    private func request(_ message: ByteSlice, received: Int) -> RESTRequest {
        let path = call.method.path
        metrics?.restCallStarted(path)
        let began = ContinuousClock.now
        return RESTRequest(
            info: info, message: message, json: { [call] (bytes) throws(FirestoreError) in try call.responseJSON(bytes) },
            exchange: exchange,
            ended: { [metrics] code, sent in
                metrics?.restCallEnded(
                    path, CallFigures(code: code, duration: ContinuousClock.now - began, received: received, sent: sent))
            })
    }
}
