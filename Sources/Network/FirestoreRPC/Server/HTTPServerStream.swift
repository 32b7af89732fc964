// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOHPACK

/// A request over HTTP/2 that is not gRPC.
///
/// `@unchecked Sendable`: *shared* variables are accessed under the lock of the connection's mailbox, the others on its loop only, except
/// for `request`, which the loop writes before it delivers the exchange to another thread, and never afterwards.
final class HTTPServerStream: ServerStream, LoopExchange, @unchecked Sendable {
    private(set) var request: HTTPRequest
    let gate: SendGate
    /// nil if the request has its body. Set in `init` only.
    private(set) var requestBody: HTTPRequestBody?
    /// Whether the peer has to wait, because the body is not read.
    private var isHeldBack = false
    private var body = ByteBuffer()
    private var isDispatched = false
    private var isAnswered = false
    /// Why the request is refused; its body is discarded.
    private let refusal: HTTPRefusal?
    private var skipped = 0
    /// *Shared.*
    var state = AnswerState.open(nil)

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
        gate = SendGate(limits: connection.limits, account: connection.account)
        super.init(id: id, connection: connection, metadata: head.metadata)
        if readsBody { requestBody = makeRequestBody() }
    }

    var mailbox: Mailbox<ServerPost> { connection.mailbox }
    var wakeUp: @Sendable () -> Void { connection.wakeUp }

    func post(_ step: AnswerStep) -> ServerPost { .http(self, step) }

    /// On the thread that is about to run it. Returns false if the caller has gone: it is not run.
    func begin() -> Bool {
        if connection.mailbox.state.withLock({ _ in state.isOpen }) { return true }
        cut()
        return false
    }

    override var isBeingAnswered: Bool { isDispatched && !isAnswered }

    override func abandon(_ reason: RPCStatus) { lose(reason) }

    // MARK: The request

    override var isPaused: Bool { isHeldBack }

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
            if requestEnded || skipped > bodySize { reject(refusal) }
            return
        }
        guard body.readableBytes <= bodySize else {
            let refusal = HTTPRefusal.tooLarge(bodySize)
            abandon(RPCStatus(refusal.code, refusal.message))
            reject(refusal)
            return
        }
        guard requestEnded, !isDispatched else {
            connection.account(self, held: 0, collecting: body.readableBytes)
            return
        }
        request.body = body.withUnsafeReadableBytes { ByteSlice(copying: $0) }
        body = ByteBuffer()
        connection.account(self, held: request.body.count, collecting: 0)
        dispatch()
    }

    /// The service receives the request at the end of the turn.
    func dispatch() {
        isDispatched = true
        connection.requests.append(self)
    }

    private func reject(_ refusal: HTTPRefusal) {
        connection.observer?.requestRefused(refusal.code, isGRPC: false)
        connection.settle(self, code: refusal.code)
        connection.refuse(id, refusal, isHEAD: request.method == "HEAD", requestEnded: requestEnded)
    }

    // MARK: The answer

    /// Sends a step of the answer.
    func take(_ step: AnswerStep) {
        switch step {
        case .end, .cut: isAnswered = true
        case .head, .piece, .room: break
        }
        guard !responseEnded else {
            if case .piece(let bytes) = step { connection.account.release(bytes.count) }
            if isAnswered { connection.lingered(self) }
            return
        }
        switch step {
        case .head(let status, let headers):
            guard !responseStarted else { return }
            responseStarted = true
            connection.port?.headers(id, .fields(HPACKHeaders(status: status, headers)), end: .no)
        case .piece(let bytes):
            guard responseStarted, request.method != "HEAD" else {
                connection.account.release(bytes.count)
                _ = gate.confirm(bytes.count)
                return
            }
            connection.bounds.sent(bytes.count, self)
            connection.port?.data(id, ByteBuffer(bytes: bytes), end: .no, confirms: bytes.count)
        case .end:
            guard responseStarted else { return }
            connection.settle(self, code: .ok)
            connection.port?.data(id, ByteBuffer(), end: .response(requestEnded: requestEnded), confirms: 0)
            gate.end(RPCStatus(.cancelled, "the response has ended"))
        case .cut:
            connection.settle(self, code: .internal)
            connection.port?.reset(id, .internalError)
            gate.end(RPCStatus(.cancelled, "the response was broken off"))
        case .room: makeRoom()
        }
    }

    private func makeRoom() {
        guard let requestBody else { return }
        isHeldBack = false
        connection.account(self, held: requestBody.count, collecting: 0)
        connection.giveBackWindows(of: self)
    }

    override func confirmed(_ bytes: Int) { _ = gate.confirm(bytes) }
}
