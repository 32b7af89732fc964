// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore

/// A request over HTTP/2 that is not gRPC.
///
/// `@unchecked Sendable`: *shared* variables are accessed under the lock of the connection's mailbox, the others on its loop only, except
/// for `request`, which the loop writes before it delivers the exchange to another thread, and never afterwards.
final class HTTPServerStream: ServerStream, HTTPExchange, @unchecked Sendable {
    private(set) var request: HTTPRequest
    let gate: SendGate
    /// nil if the request has its body. Set in `init` only.
    private(set) var requestBody: HTTPRequestBody?
    /// Whether the peer has to wait, because the body is not read.
    private var isHeldBack = false
    private var body = ByteBuffer()
    private var isDispatched = false
    /// Why the request is refused; its body is discarded.
    private let refusal: HTTPRefusal?
    private var skipped = 0
    /// *Shared.*
    private var isOver = false
    /// *Shared*: the peer disconnected before the end.
    private var isAbandoned = false
    /// *Shared.*
    private var cancelHook: (@Sendable () -> Void)?

    init(
        id: StreamID, connection: ServerConnection, head: RequestHead, page: String?, readsBody: Bool = false, refusal: HTTPRefusal? = nil
    ) {
        self.refusal = refusal
        let target = RequestTarget.parse(head.path)
        request = HTTPRequest(
            method: head.method, path: target.path, query: target.query, headers: head.metadata, peer: connection.peer,
            page: page)
        request.isHTTP2 = true
        if let authority = head.authority, head.hosts.isEmpty { request.headers.append("host", authority) }
        gate = SendGate(limits: connection.limits)
        super.init(id: id, connection: connection)
        guard readsBody else { return }
        requestBody = HTTPRequestBody { [weak self] in
            guard let self else { return }
            self.connection.mailbox.post(.httpRoom(self), wake: self.connection.wakeUp)
        }
    }

    override var isPaused: Bool { isHeldBack }

    /// The service has read the data that had arrived.
    func makeRoom() {
        guard let requestBody else { return }
        isHeldBack = false
        connection.account(self, held: requestBody.count, collecting: 0)
    }

    override func receive(_ bytes: ByteBuffer) {
        if let requestBody {
            isHeldBack = requestBody.append(bytes.withUnsafeReadableBytes { ByteSlice(copying: $0) })
        } else if refusal == nil {
            body.writeImmutableBuffer(bytes)
        } else {
            skipped += bytes.readableBytes
        }
    }

    override func advance() {
        if let requestBody {
            if requestEnded { requestBody.finish() }
            return connection.account(self, held: requestBody.count, collecting: 0)
        }
        let bodySize = connection.limits.bodySize(request.path)
        if let refusal {
            if requestEnded || skipped > bodySize { connection.rejectHTTP(self, refusal) }
            return
        }
        guard body.readableBytes <= bodySize else {
            let refusal = HTTPRefusal.tooLarge(bodySize)
            abandon(RPCStatus(refusal.code, refusal.message))
            connection.rejectHTTP(self, refusal)
            return
        }
        guard requestEnded, !isDispatched else {
            connection.account(self, held: 0, collecting: body.readableBytes)
            return
        }
        isDispatched = true
        request.body = body.withUnsafeReadableBytes { ByteSlice(copying: $0) }
        body = ByteBuffer()
        connection.account(self, held: request.body.count, collecting: 0)
        connection.dispatch(self)
    }

    func respond(status: Int, headers: RPCMetadata, body: [UInt8]) {
        var headers = headers
        headers.append("content-length", String(body.count))
        begin(status: status, headers: headers)
        if !body.isEmpty { write(body) }
        end()
    }

    func begin(status: Int, headers: RPCMetadata) {
        connection.mailbox.post(.httpHead(self, status: status, headers), wake: connection.wakeUp)
    }

    func write(_ piece: [UInt8]) {
        guard gate.take(piece.count) else { return }
        connection.mailbox.post(.httpPiece(self, piece), wake: connection.wakeUp)
    }

    func end() { finish(.httpEnd(self)) }
    func cut() { finish(.httpCut(self)) }

    private func finish(_ post: ServerPost) {
        _ = requestBody?.close()
        connection.mailbox.post(
            post,
            if: {
                guard !isOver else { return false }
                isOver = true
                cancelHook = nil
                return true
            },
            wake: connection.wakeUp)
    }

    func whenWritable() async throws(RPCStatus) { try await gate.whenWritable() }

    func onCancel(_ body: @escaping @Sendable () -> Void) {
        let isLate = connection.mailbox.state.withLock { _ in
            if !isOver { cancelHook = body }
            return isAbandoned
        }
        if isLate { body() }
    }

    override func abandon(_ reason: RPCStatus) {
        gate.end(reason)
        requestBody?.fail(reason)
        let hook: (@Sendable () -> Void)? = connection.mailbox.state.withLock { _ in
            guard !isOver else { return nil }
            isOver = true
            isAbandoned = true
            defer { cancelHook = nil }
            return cancelHook
        }
        hook?()
    }

    override func confirmed(_ bytes: Int) { _ = gate.confirm(bytes) }
}
