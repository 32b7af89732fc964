// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import NIOCore
import NIOHPACK
import NIOHTTP2

/// The server's half of a connection: streams, messages, statuses, deadlines, windows. Independent of sockets.
///
/// Runs on one loop. Requests that were read together leave it as one job on `worker`; answers return through the mailbox, any
/// number of them for one turn of the loop and one flush.
///
/// `@unchecked Sendable`: every mutable property is accessed on `eventLoop` only. Other threads use `mailbox`, which locks, and
/// the immutable properties.
final class ServerConnection: ConnectionCore, @unchecked Sendable {
    let eventLoop: any EventLoop
    let service: any RPCService
    let http: (any HTTPService)?
    let limits: RPCLimits
    let observer: (any RPCObserver)?
    let peer: String
    /// nil without a socket: requests from the same process are not checked.
    private let doorkeeper: Doorkeeper?
    /// The last accepted authority. Nearly every call of a connection has the same.
    private var knownAuthority: String?
    let mailbox: Mailbox<ServerPost>
    /// Runs a job off the loop. Serial, so that the batches of one connection keep their order.
    private let runOffLoop: OffLoop

    /// nil once the connection is lost.
    var port: (any ConnectionPort)?
    private var streams: [StreamID: ServerStream] = [:]
    /// The stream of the last frame: DATA follows its HEADERS.
    private var recent: ServerStream?
    private var methods = MethodCache()
    private var batches: [UnaryBatch] = []
    private var exchanges: [HTTPServerStream] = []
    private var posts: [ServerPost] = []
    private var joined: JoinedMessages?
    private var deadlines = DeadlineHeap()
    private var timer: (deadline: NIODeadline, task: Scheduled<Void>)?
    private var window: ReceiveWindow
    private var held = 0
    private var collecting = 0
    private var unconfirmed = 0
    private var isDraining = false
    private(set) var highestStream: StreamID = 0

    init(
        eventLoop: any EventLoop, service: any RPCService, http: (any HTTPService)?, limits: RPCLimits,
        observer: (any RPCObserver)?, peer: String, doorkeeper: Doorkeeper? = nil, port: any ConnectionPort,
        runOffLoop: @escaping OffLoop = ServerConnection.worker()
    ) {
        self.eventLoop = eventLoop
        self.service = service
        self.http = http
        self.limits = limits
        self.observer = observer
        self.peer = peer
        self.doorkeeper = doorkeeper
        self.port = port
        mailbox = Mailbox(eventLoop: eventLoop)
        self.runOffLoop = runOffLoop
        window = ReceiveWindow(size: limits.connectionWindow)
    }

    typealias OffLoop = @Sendable (@escaping @Sendable () -> Void) -> Void

    /// A separate queue for each connection; they share the threads below.
    static func worker() -> OffLoop {
        let queue = DispatchQueue(label: "rpc", target: .global())
        return { job in queue.async(execute: job) }
    }

    var openStreams: Int { streams.count }
    /// For `Mailbox.post`.
    var wakeUp: @Sendable () -> Void { { self.emptyMailbox() } }

    // MARK: Requests

    func receiveHeaders(_ id: StreamID, _ headers: HPACKHeaders, end: Bool) {
        if let stream = stream(id) {
            // Trailers of a request: they have no content, but may end it.
            if end { endRequest(stream) }
            return
        }
        // Trailers of a refused request may still arrive: stream numbers only grow, so this is not a new stream.
        guard id > highestStream else { return }
        highestStream = id
        let head = RequestHead(headers)
        let stream: ServerStream
        do throws(Refusal) {
            switch admit(head) {
            case .success(let page): stream = try head.isGRPC ? openCall(id, head) : openExchange(id, head, page)
            case .failure(let refusal): stream = try openRefused(id, head, refusal)
            }
        } catch {
            observer?.requestRefused(error.code, isGRPC: head.isGRPC)
            refuse(id, error, requestEnded: end)
            return
        }
        if end { endRequest(stream) }
    }

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

    /// The origin of the page that sends the request, if it is from a page and allowed.
    private func admit(_ head: RequestHead) -> Result<String?, HTTPRefusal> {
        guard let doorkeeper else { return .success(head.origins.first) }
        let isPlain = head.origins.isEmpty && head.hosts.isEmpty && !head.isForwarded
        if isPlain, let knownAuthority, knownAuthority == head.authority { return .success(nil) }
        do throws(HTTPRefusal) {
            let page = try doorkeeper.admit(head)
            // Not the authority that an open path was requested under.
            if isPlain, !doorkeeper.isOpen(head) { knownAuthority = head.authority }
            return .success(page)
        } catch {
            return .failure(error)
        }
    }

    /// A request that is refused once it was received: some clients lose an answer that arrives, with a reset, while they send. gRPC
    /// clients do not.
    private func openRefused(_ id: StreamID, _ head: RequestHead, _ refusal: HTTPRefusal) throws(Refusal) -> ServerStream {
        if head.isSupportedGRPC { throw .http(refusal, isGRPC: true) }
        return add(HTTPServerStream(id: id, connection: self, head: head, page: nil, refusal: refusal))
    }

    private func openCall(_ id: StreamID, _ head: RequestHead) throws(Refusal) -> ServerStream {
        guard head.method == "POST" else { throw .http(.notPOST) }
        guard head.isSupportedGRPC else { throw .http(.unsupported(head.contentType ?? "")) }
        guard let method = methods.method(at: head.path, of: service) else {
            throw .status(RPCStatus(.unimplemented, "there is no method \(head.path)"))
        }
        guard unconfirmed <= limits.unconfirmedPerConnection else {
            throw .status(RPCStatus(.resourceExhausted, "too many answers wait for this connection to read them"))
        }
        var inflates = false
        switch head.encoding {
        case nil, "identity": break
        case "gzip": inflates = true
        case let encoding?: throw .status(RPCStatus(.unimplemented, "the encoding \(encoding) is not supported: send gzip or identity"))
        }
        var timeout: Duration?
        if let text = head.timeout {
            timeout = TimeoutHeader.parse(text)
            if timeout == nil { throw .status(RPCStatus(.internal, "grpc-timeout \(text) is not a number and a unit")) }
        }
        let info = RPCCallInfo(
            path: head.path, metadata: head.metadata, deadline: timeout.map { ContinuousClock.now + $0 }, peer: peer)
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

    private func openExchange(_ id: StreamID, _ head: RequestHead, _ page: String?) throws(Refusal) -> ServerStream {
        guard let http else { throw .http(.unsupported(head.contentType ?? "")) }
        guard unconfirmed <= limits.unconfirmedPerConnection else { throw .http(.overloaded) }
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
        if readsBody { dispatch(stream) }
        return add(stream)
    }

    private func refuse(_ id: StreamID, _ refusal: Refusal, requestEnded: Bool) {
        switch refusal {
        case .status(let status): port?.trailers(id, status, alone: true, requestEnded: requestEnded)
        case .http(let refusal, isGRPC: true):
            port?.headers(id, .fields(StatusHeaders.alone(refusal)), end: .response(requestEnded: requestEnded))
        case .http(let refusal, isGRPC: false):
            refuse(id, refusal, isHEAD: false, requestEnded: requestEnded)
        }
    }

    private func refuse(_ id: StreamID, _ refusal: HTTPRefusal, isHEAD: Bool, requestEnded: Bool) {
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

    func receiveData(_ id: StreamID, _ bytes: ByteBuffer, length: Int, end: Bool) {
        // Bytes of closed streams are included in the connection's window, too, or it would shrink permanently.
        window.take(length)
        if let stream = stream(id), !stream.responseEnded, !stream.requestEnded {
            if bytes.readableBytes > 0 { stream.receive(bytes) }
            stream.requestEnded = end
            stream.window.take(length)
            stream.advance()
            giveBackWindow(of: stream)
        }
        giveBackWindow()
    }

    private func endRequest(_ stream: ServerStream) {
        guard !stream.requestEnded else { return }
        stream.requestEnded = true
        if !stream.responseEnded { stream.advance() }
    }

    func receiveReset(_ id: StreamID, _ code: HTTP2ErrorCode) {
        guard let stream = stream(id), !stream.responseEnded else { return }
        close(stream, RPCStatus(.cancelled, "the client cancelled the call"))
    }

    /// The client will open no more streams, but still expects its answers.
    func receiveGoAway(lastStream: StreamID) {}

    // MARK: Windows and bounds

    func account(_ stream: ServerStream, held newHeld: Int, collecting newCollecting: Int) {
        held += newHeld - stream.held
        collecting += newCollecting - stream.collecting
        let grew = newCollecting > stream.collecting
        stream.held = newHeld
        stream.collecting = newCollecting
        if grew, collecting > limits.collectingPerConnection {
            fail(stream, RPCStatus(.resourceExhausted, "too many large messages are being sent at once on this connection"))
        }
    }

    private func giveBackWindow(of stream: ServerStream) {
        guard !stream.requestEnded, !stream.responseEnded, !stream.isPaused, let bytes = stream.window.giveBack() else { return }
        port?.windowUpdate(stream.id, bytes)
    }

    private func giveBackWindow() {
        guard held <= limits.heldPerConnection, let bytes = window.giveBack() else { return }
        port?.windowUpdate(0, bytes)
    }

    func confirmed(_ id: StreamID, _ bytes: Int) {
        guard let stream = stream(id) else { return }
        addUnconfirmed(-bytes, stream)
        stream.confirmed(bytes)
    }

    private func addUnconfirmed(_ bytes: Int, _ stream: ServerStream) {
        stream.unconfirmed += bytes
        unconfirmed += bytes
    }

    // MARK: Streams

    private func add(_ stream: ServerStream) -> ServerStream {
        streams[stream.id] = stream
        recent = stream
        return stream
    }

    private func stream(_ id: StreamID) -> ServerStream? {
        if let recent, recent.id == id { return recent }
        guard let stream = streams[id] else { return nil }
        recent = stream
        return stream
    }

    func streamClosed(_ id: StreamID) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        if recent === stream { recent = nil }
        unconfirmed -= stream.unconfirmed
        stream.unconfirmed = 0
        close(stream, RPCStatus(.cancelled, "the call was cancelled"))
        giveBackWindow()
    }

    /// Ends the bookkeeping of a response that has ended in any way: releases the resources of the request and notifies the observer.
    private func settle(_ stream: ServerStream, code: FirestoreError.Code) {
        stream.responseEnded = true
        held -= stream.held
        collecting -= stream.collecting
        stream.held = 0
        stream.collecting = 0
        guard let call = stream as? ServerCallStream else { return }
        call.deframer.clear()
        guard let observer, let start = call.start else { return }
        observer.callEnded(
            RPCCallRecord(
                path: call.info.path, code: code, duration: Duration(eventLoop.now - start), received: call.receivedBytes,
                sent: call.sentBytes))
    }

    /// Ends the stream without sending anything to the peer.
    private func close(_ stream: ServerStream, _ reason: RPCStatus) {
        guard !stream.responseEnded else { return }
        settle(stream, code: reason.code)
        stream.abandon(reason)
    }

    /// Ends a call with an error.
    func fail(_ stream: ServerStream, _ status: RPCStatus) {
        guard !stream.responseEnded else { return }
        stream.abandon(status)
        if stream is HTTPServerStream {
            observer?.requestRefused(status.code, isGRPC: false)
            settle(stream, code: status.code)
            port?.reset(stream.id, .enhanceYourCalm)
        } else {
            finish(stream, status)
        }
    }

    func rejectHTTP(_ stream: HTTPServerStream, _ refusal: HTTPRefusal) {
        observer?.requestRefused(refusal.code, isGRPC: false)
        settle(stream, code: refusal.code)
        refuse(stream.id, refusal, isHEAD: stream.request.method == "HEAD", requestEnded: stream.requestEnded)
    }

    // MARK: Answers

    /// Sends the status. If the peer is still sending, it is asked to stop.
    private func finish(_ stream: ServerStream, _ status: RPCStatus?) {
        settle(stream, code: status?.code ?? .ok)
        port?.trailers(stream.id, status, alone: !stream.responseStarted, requestEnded: stream.requestEnded)
    }

    private func emptyMailbox() {
        takePosts()
        port?.flush()
    }

    private func takePosts() {
        var posts: [ServerPost] = []
        swap(&posts, &self.posts)
        while mailbox.takeAll(into: &posts) {
            for post in posts {
                if case .message(let stream, let message) = post {
                    take(message, of: stream)
                } else {
                    sendJoined()
                    take(post)
                }
            }
        }
        sendJoined()
        self.posts = posts
    }

    private func take(_ message: [UInt8], of stream: StreamingServerStream) {
        guard !stream.responseEnded else { return }
        if joined?.stream !== stream || joined?.isFull == true { sendJoined() }
        startResponse(stream)
        stream.sentBytes += message.count
        addUnconfirmed(message.count, stream)
        guard stream.unconfirmed <= limits.unconfirmedPerStream else {
            sendJoined()
            fail(stream, RPCStatus(.resourceExhausted, "the client reads too slowly"))
            return
        }
        if joined == nil {
            joined = JoinedMessages(stream, message)
        } else {
            joined?.append(message)
        }
    }

    private func sendJoined() {
        guard let joined else { return }
        self.joined = nil
        port?.data(joined.stream.id, joined.bytes, end: .no, confirms: joined.messageBytes)
    }

    private func take(_ post: ServerPost) {
        switch post {
        case .answer(let stream, let result):
            guard !stream.responseEnded else { return }
            switch result {
            case .success(let message):
                let bytes = ByteBuffer(framing: message)
                stream.sentBytes = message.count
                stream.responseStarted = true
                addUnconfirmed(bytes.readableBytes, stream)
                port?.headers(stream.id, .grpcResponse, end: .no)
                port?.data(stream.id, bytes, end: .no, confirms: 0)
                finish(stream, nil)
            case .failure(let status):
                finish(stream, status)
            }
        case .message(let stream, let message):
            take(message, of: stream)
            sendJoined()
        case .finish(let stream, let status):
            guard !stream.responseEnded else { return }
            if status == nil { startResponse(stream) }
            finish(stream, status)
            stream.tellEnd(nil)
        case .reading(let stream, let isOn):
            guard !stream.responseEnded else { return }
            stream.isReading = isOn
            if isOn {
                stream.advance()
                giveBackWindow(of: stream)
                giveBackWindow()
            }
        case .httpHead(let stream, let status, let headers):
            guard !stream.responseEnded, !stream.responseStarted else { return }
            stream.responseStarted = true
            port?.headers(stream.id, .fields(HPACKHeaders(status: status, headers)), end: .no)
        case .httpPiece(let stream, let piece):
            guard !stream.responseEnded, stream.responseStarted else { return }
            guard stream.request.method != "HEAD" else {
                _ = stream.gate.confirm(piece.count)
                return
            }
            addUnconfirmed(piece.count, stream)
            port?.data(stream.id, ByteBuffer(bytes: piece), end: .no, confirms: piece.count)
        case .httpEnd(let stream):
            guard !stream.responseEnded, stream.responseStarted else { return }
            settle(stream, code: .ok)
            port?.data(stream.id, ByteBuffer(), end: .response(requestEnded: stream.requestEnded), confirms: 0)
            stream.gate.end(RPCStatus(.cancelled, "the response has ended"))
        case .httpCut(let stream):
            guard !stream.responseEnded else { return }
            settle(stream, code: .internal)
            port?.reset(stream.id, .internalError)
            stream.gate.end(RPCStatus(.cancelled, "the response was broken off"))
        case .httpRoom(let stream):
            guard !stream.responseEnded else { return }
            stream.makeRoom()
            giveBackWindow(of: stream)
            giveBackWindow()
        case .drain:
            isDraining = true
            for case let stream as StreamingServerStream in streams.values { stream.handler?.drain() }
        }
    }

    private func startResponse(_ stream: ServerStream) {
        guard !stream.responseStarted else { return }
        stream.responseStarted = true
        port?.headers(stream.id, .grpcResponse, end: .no)
    }

    // MARK: Turns

    func dispatch(_ stream: UnaryServerStream, _ run: @escaping @Sendable ([any RPCUnaryCall]) -> Void) {
        let path = stream.info.path
        for index in batches.indices where batches[index].path == path {
            batches[index].calls.append(stream)
            return
        }
        batches.append(UnaryBatch(path: path, run: run, calls: [stream]))
    }

    func dispatch(_ exchange: HTTPServerStream) { exchanges.append(exchange) }

    func beginTurn() { mailbox.stayAwake() }

    func endTurn() {
        sendOut()
        takePosts()
        // A handler that resumes a paused stream may have completed a request.
        sendOut()
        port?.flush()
    }

    /// One job for everything that was read together.
    private func sendOut() {
        if !batches.isEmpty {
            let jobs = batches
            batches.removeAll(keepingCapacity: true)
            runOffLoop { for job in jobs { job.run(job.calls) } }
        }
        if !exchanges.isEmpty, let http {
            let jobs = exchanges
            exchanges.removeAll(keepingCapacity: true)
            runOffLoop { for job in jobs { http.handle(job) } }
        }
    }

    func drain() {
        mailbox.post(.drain, wake: wakeUp)
    }

    // MARK: Deadlines

    private func setDeadline(_ deadline: NIODeadline, of id: StreamID) {
        deadlines.compact(living: streams.count) { streams[$0].map { !$0.responseEnded } ?? false }
        deadlines.insert(deadline, id)
        scheduleTimer()
    }

    private func scheduleTimer() {
        guard let next = deadlines.next else { return }
        if let timer {
            guard next < timer.deadline else { return }
            timer.task.cancel()
        }
        timer = (next, eventLoop.scheduleTask(deadline: next) { self.expire() })
    }

    private func expire() {
        timer = nil
        let now = eventLoop.now
        while let id = deadlines.popExpired(at: now) {
            guard let stream = streams[id] else { continue }
            fail(stream, RPCStatus(.deadlineExceeded, "the call's deadline has passed"))
        }
        scheduleTimer()
        port?.flush()
    }

    // MARK: The end

    func connectionLost(_ reason: RPCStatus) {
        port = nil
        timer?.task.cancel()
        timer = nil
        recent = nil
        let open = streams.values
        streams = [:]
        batches = []
        exchanges = []
        for stream in open { close(stream, reason) }
        endTurn()
    }
}
