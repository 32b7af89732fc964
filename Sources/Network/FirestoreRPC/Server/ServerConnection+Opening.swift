// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOHPACK

/// Why a stream is not opened.
private enum Refusal: Error {
    case status(RPCStatus)
    case http(HTTPRefusal, isGRPC: Bool = false)

    var code: FirestoreError.Code {
        switch self {
        case .status(let status): status.code
        case .http(let refusal, _): refusal.code
        }
    }
}

/// The first headers of a stream: what it is, and whether it is opened.
extension ServerConnection {
    /// Returns nil if the stream is refused.
    func open(_ id: StreamID, _ headers: HPACKHeaders, end: Bool) -> ServerStream? {
        let head = RequestHead(headers)
        do throws(Refusal) {
            switch door.admit(head) {
            case .success(let page):
                let client = try enter(head)
                do throws(Refusal) {
                    let stream = try head.isGRPC ? openCall(id, head) : openExchange(id, head, page)
                    stream.client = client
                    return stream
                } catch {
                    if let client { clients?.leave(client) }
                    throw error
                }
            case .failure(let refusal): return try openRefused(id, head, refusal)
            }
        } catch {
            observer?.requestRefused(error.code, isGRPC: head.isGRPC)
            refuse(id, error, requestEnded: end)
            return nil
        }
    }

    /// A request through a proxy counts for the address of its client.
    private func enter(_ head: RequestHead) throws(Refusal) -> String? {
        guard let clients else { return nil }
        switch clients.enter(head.metadata) {
        case .success(let client): return client
        case .failure(let status):
            shed(.address)
            throw head.isGRPC ? .status(status) : .http(.tooMany(status.message))
        }
    }

    /// A request that is refused once it was received: some clients lose an answer that arrives, with a reset, while they send. gRPC
    /// clients do not.
    private func openRefused(_ id: StreamID, _ head: RequestHead, _ refusal: HTTPRefusal) throws(Refusal) -> ServerStream {
        if head.isSupportedGRPC { throw .http(refusal, isGRPC: true) }
        return add(HTTPServerStream(id: id, connection: self, head: head, page: nil, refusal: refusal))
    }

    private func openCall(_ id: StreamID, _ head: RequestHead) throws(Refusal) -> ServerStream {
        let method = try method(of: head)
        let inflates = try Self.inflates(head)
        let timeout = try Self.timeout(of: head)
        let info = RPCCallInfo(
            path: head.path, metadata: head.metadata, deadline: timeout.map { ContinuousClock.now + $0 }, peer: peer, memory: memory)
        let stream: ServerStream
        switch method {
        case .unary(let run):
            stream = add(UnaryServerStream(id: id, connection: self, info: info, inflates: inflates, run: run))
        case .stream(let open):
            let call = StreamingServerStream(id: id, connection: self, info: info, inflates: inflates)
            stream = add(call)
            call.handler = open(call)
            if isDraining { call.handler?.drain() }
        }
        observer?.callStarted(head.path)
        if let timeout { setDeadline(eventLoop.now + TimeAmount(timeout), of: id) }
        return stream
    }

    private func method(of head: RequestHead) throws(Refusal) -> RPCMethod {
        guard head.method == "POST" else { throw .http(.notPOST) }
        guard head.isSupportedGRPC else { throw .http(.unsupported(head.contentType ?? "")) }
        guard let method = methods.method(at: head.path, of: service) else {
            throw .status(RPCStatus(.unimplemented, "there is no method \(head.path)"))
        }
        return method
    }

    private static func inflates(_ head: RequestHead) throws(Refusal) -> Bool {
        switch head.encoding {
        case nil, "identity": return false
        case "gzip": return true
        case let encoding?: throw .status(RPCStatus(.unimplemented, "the encoding \(encoding) is not supported: send gzip or identity"))
        }
    }

    private static func timeout(of head: RequestHead) throws(Refusal) -> Duration? {
        guard let text = head.timeout else { return nil }
        guard let timeout = TimeoutHeader.parse(text) else {
            throw .status(RPCStatus(.internal, "grpc-timeout \(text) is not a number and a unit"))
        }
        return timeout
    }

    private func openExchange(_ id: StreamID, _ head: RequestHead, _ page: String?) throws(Refusal) -> ServerStream {
        guard let http else { throw .http(.unsupported(head.contentType ?? "")) }
        let path = RequestTarget.parse(head.path).path
        let readsBody = http.readsBody(method: head.method, path: path)
        // A client that waits to be asked for the body is not sending: it does not lose the answer.
        let bodySize = limits.bodySize(path)
        if !readsBody, head.metadata["expect"]?.lowercased() == "100-continue",
            head.metadata["content-length"].flatMap({ Int($0) }) ?? 0 > bodySize
        {
            throw .http(.tooLarge(bodySize))
        }
        let stream = HTTPServerStream(id: id, connection: self, head: head, page: page, readsBody: readsBody)
        if readsBody { stream.dispatch() }
        return add(stream)
    }

    private func add(_ stream: ServerStream) -> ServerStream {
        streams.add(stream)
        bounds.note(stream.overhead)
        return stream
    }

    // MARK: Refusals

    private func refuse(_ id: StreamID, _ refusal: Refusal, requestEnded: Bool) {
        switch refusal {
        case .status(let status): port?.trailers(id, status, alone: true, requestEnded: requestEnded)
        case .http(let refusal, isGRPC: true):
            port?.headers(id, .fields(StatusHeaders.alone(refusal)), end: .response(requestEnded: requestEnded))
        case .http(let refusal, isGRPC: false):
            refuse(id, refusal, isHEAD: false, requestEnded: requestEnded)
        }
    }

    func refuse(_ id: StreamID, _ refusal: HTTPRefusal, isHEAD: Bool, requestEnded: Bool) {
        let body = refusal.body
        var headers = refusal.allHeaders
        headers.append("content-length", String(body.count))
        let fields = HPACKHeaders(status: refusal.status, headers)
        if isHEAD {
            port?.headers(id, .fields(fields), end: .response(requestEnded: requestEnded))
            return
        }
        port?.headers(id, .fields(fields), end: .no)
        port?.data(id, ByteBuffer(bytes: body), end: .response(requestEnded: requestEnded), confirms: 0)
    }
}
