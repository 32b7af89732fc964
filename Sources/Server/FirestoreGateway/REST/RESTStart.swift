// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreWire

/// A REST request that is about to be handed to its method.
struct RESTStart: Sendable {
    let call: RESTCall
    var method: RPCMethod
    let exchange: any HTTPExchange
    let lane: DecodingLane
    let budget: AnswerBudget
    /// The caller; nil while not known.
    var caller: RequestContext.Caller?
    /// nil for calls that are not counted.
    var metrics: ServerMetrics?
    var recorder: (any CallRecorder)?

    var info: RPCCallInfo {
        RPCCallInfo(path: call.method.path, metadata: exchange.request.headers, peer: exchange.request.peer, isPlain: true)
    }

    /// Answers a call whose caller is not accepted, in the form of the method.
    func refuse(_ error: FirestoreError) {
        note(error.code, error.description)
        let rest = request(.empty, received: 0)
        switch method {
        case .unary: RESTUnaryCall(rest).respond(.failure(RPCStatus(error)))
        case .stream: RESTStreamCall(rest).finish(RPCStatus(error))
        }
    }

    /// Large bodies are decoded on a separate lane.
    func run() {
        do throws(HTTPRefusal) {
            guard call.method.streaming != .both else {
                throw HTTPRefusal(
                    FirestoreError(.unimplemented, "\(call.method.rawValue) needs streams both ways; call it over gRPC"))
            }
            let httpRequest = exchange.request
            if let body = try RequestBody.decoded(httpRequest, ifWithin: lane.small) { return start(try message(of: body)) }
            let presence = CallerPresence()
            exchange.onCancel { presence.end() }
            do throws(FirestoreError) {
                try lane.decode(bytes: httpRequest.body.count, of: DecodingLane.caller(caller, at: httpRequest.peer)) { [self] in
                    Result { () throws(HTTPRefusal) in
                        if presence.hasEnded { throw HTTPRefusal(FirestoreError(.cancelled, "the connection was closed")) }
                        return try message(of: try RequestBody.decoded(httpRequest))
                    }
                } then: { [self] in
                    do throws(HTTPRefusal) { start(try $0.get()) } catch { fail(error) }
                }
            } catch {
                throw HTTPRefusal(error)
            }
        } catch {
            fail(error)
        }
    }

    private func fail(_ refusal: HTTPRefusal) {
        note(refusal.code, refusal.message)
        metrics?.requestRefused(refusal.code, isGRPC: false)
        exchange.respond(refusal)
    }

    /// Records calls that their methods do not see, too.
    private func note(_ code: FirestoreError.Code, _ message: String) {
        guard let recorder else { return }
        let outline = RequestOutline(resource: call.resource, collectionID: call.collectionID)
        recorder.refused(call.method, .rest, info, code, message, outline, received: exchange.request.body.count)
    }

    private func message(of body: ByteSlice) throws(HTTPRefusal) -> (message: ByteSlice, received: Int) {
        do throws(FirestoreError) { return (try call.requestBytes(body: body), body.count) } catch { throw HTTPRefusal(error) }
    }

    private func start(_ decoded: (message: ByteSlice, received: Int)) {
        let rest = request(decoded.message, received: decoded.received)
        switch method {
        case .unary(let answer): answer([RESTUnaryCall(rest)])
        case .stream(let open):
            let handler = open(RESTStreamCall(rest))
            exchange.onCancel { handler.ended(RPCStatus(.cancelled, "the connection was closed")) }
            handler.receive(decoded.message)
            handler.halfClosed()
        }
    }

    private func request(_ message: ByteSlice, received: Int) -> RESTRequest {
        let path = call.method.path
        metrics?.restCallStarted(path)
        let began = ContinuousClock.now
        return RESTRequest(
            info: info, message: message, call: call, budget: budget, exchange: exchange,
            ended: { [metrics] code, sent in
                metrics?.restCallEnded(
                    path, CallFigures(code: code, duration: ContinuousClock.now - began, received: received, sent: sent))
            })
    }
}
