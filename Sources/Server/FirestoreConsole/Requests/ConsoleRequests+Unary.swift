// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC
package import FirestoreServer
package import FirestoreWire

extension ConsoleRequests: CallRecorder {
    package func recording(_ method: RPCMethod, _ name: FirestoreMethod, _ transport: ServerMetrics.Transport) -> RPCMethod {
        switch method {
        case .unary(let answer):
            return .unary { [self] calls in answer(collected(calls, name, transport)) }
        case .stream(let open):
            return .stream { [self] call in
                // Of a stream that lasts, each row is admitted for itself.
                guard name.isLasting || admit(1) > 0, let begin = begin(name, transport, call.info) else { return open(call) }
                let collected = CollectedStreamCall(call, begin, self)
                return CollectedStreamHandler(open(collected), collected)
            }
        }
    }

    package func refused(
        _ method: FirestoreMethod, _ transport: ServerMetrics.Transport, _ info: RPCCallInfo, _ code: FirestoreError.Code,
        _ message: String, _ outline: RequestOutline, received: Int
    ) {
        guard admit(1) > 0, let begin = begin(method, transport, info) else { return }
        var figures = ConsoleRequestRecord.Figures()
        (figures.code, figures.message, figures.received) = (code, message, received)
        keep(begin, figures, nil, outline)
    }

    private func collected(
        _ calls: [any RPCUnaryCall], _ name: FirestoreMethod, _ transport: ServerMetrics.Transport
    ) -> [any RPCUnaryCall] {
        let room = admit(calls.count)
        guard room > 0 else { return calls }
        return calls.enumerated().map { index, call in
            guard index < room, let begin = begin(name, transport, call.info) else { return call }
            return CollectedUnaryCall(call, begin, self)
        }
    }
}

/// A call that is recorded when it is answered. Every call is, also those that end before: their methods still answer them.
private final class CollectedUnaryCall: RPCUnaryCall {
    private let call: any RPCUnaryCall
    private let begin: ConsoleCallBegin
    private let requests: ConsoleRequests
    private let isAnswered = Mutex(false)

    init(_ call: any RPCUnaryCall, _ begin: ConsoleCallBegin, _ requests: ConsoleRequests) {
        self.call = call
        self.begin = begin
        self.requests = requests
    }

    var info: RPCCallInfo { begin.info }
    var request: ByteSlice { call.request }
    func onCancel(_ body: @escaping @Sendable () -> Void) { call.onCancel(body) }

    func reserve(_ bytes: Int) async throws(RPCStatus) { try await call.reserve(bytes) }
    func giveBackReserved() { call.giveBackReserved() }

    func respond(_ result: Result<[UInt8], RPCStatus>) {
        let isFirst = isAnswered.withLock { isAnswered in
            defer { isAnswered = true }
            return !isAnswered
        }
        guard isFirst else { return }
        defer { call.respond(result) }
        var figures = ConsoleRequestRecord.Figures()
        figures.duration = requests.settings.now() - begin.began
        figures.received = call.request.count
        switch result {
        case .success(let response):
            figures.sent = response.count
            figures.documents = begin.method.documentCount(of: response)
        case .failure(let status):
            figures.code = status.code
            figures.message = status.message
        }
        let (request, outline) = requests.digest(call.request, begin.method)
        requests.keep(begin, figures, request, outline)
    }
}
