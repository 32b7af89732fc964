// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOHPACK

/// The server's half of a connection: streams, messages, statuses, deadlines, windows. Independent of sockets.
///
/// Runs on one loop. Requests that were read together leave it as one job; answers return through the mailbox, any number of them for
/// one turn of the loop and one flush.
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
    let mailbox: Mailbox<ServerPost>
    let memory = ConnectionMemory()
    let account: ConnectionAccount
    let clients: ProxiedClients?
    private let lane: ConnectionLane

    /// nil once the connection is lost.
    var port: (any ConnectionPort)?
    var door: ConnectionDoor
    var streams = StreamTable()
    var methods = MethodCache()
    var requests = ReadRequests()
    var bounds: ConnectionBounds
    private var posts: [ServerPost] = []
    private var joined: JoinedMessages?
    private var deadlines = StreamDeadlines()
    private(set) var isDraining = false
    private(set) var lingeringCalls = 0
    private var lookout: RoomLookout
    private(set) var highestStream: StreamID = 0

    init(
        eventLoop: any EventLoop, service: any RPCService, http: (any HTTPService)?, limits: RPCLimits,
        observer: (any RPCObserver)?, peer: String, doorkeeper: Doorkeeper? = nil, clients: ProxiedClients? = nil,
        budget: MemoryBudget = .process, port: any ConnectionPort, runOffLoop: @escaping OffLoop = offLoop
    ) {
        self.eventLoop = eventLoop
        self.service = service
        self.http = http
        self.limits = limits
        self.observer = observer
        self.peer = peer
        self.port = port
        mailbox = Mailbox(eventLoop: eventLoop)
        door = ConnectionDoor(doorkeeper)
        self.clients = clients
        account = ConnectionAccount(limit: limits.budgetPerConnection, of: budget)
        lane = ConnectionLane(account, http: http, runOffLoop: runOffLoop)
        bounds = ConnectionBounds(limits, account)
        lookout = RoomLookout(account, on: eventLoop)
        account.observe(onWait: { [weak self] in self?.post(.waits) }, onShed: { [weak self] in self?.post(.shed) })
    }

    private func post(_ post: ServerPost) { mailbox.post(post, wake: wakeUp) }

    var openStreams: Int { streams.count }
    /// For `Mailbox.post`.
    var wakeUp: @Sendable () -> Void { { self.emptyMailbox() } }

    // MARK: Requests

    func receiveHeaders(_ id: StreamID, _ headers: HPACKHeaders, end: Bool) {
        if let stream = streams.stream(id) {
            // Trailers of a request: they have no content, but may end it.
            if end { endRequest(stream) }
            return
        }
        // Trailers of a refused request may still arrive: stream numbers only grow, so this is not a new stream.
        guard id > highestStream else { return }
        highestStream = id
        if let stream = open(id, headers, end: end), end { endRequest(stream) }
    }

    func receiveData(_ id: StreamID, _ bytes: ByteBuffer, length: Int, end: Bool) {
        // Bytes of closed streams are included in the connection's window, too, or it would shrink permanently.
        bounds.received(length)
        if let stream = streams.stream(id), !stream.responseEnded, !stream.requestEnded {
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
        guard let stream = streams.stream(id), !stream.responseEnded else { return }
        close(stream, RPCStatus(.cancelled, "the client cancelled the call"))
    }

    /// The client will open no more streams, but still expects its answers.
    func receiveGoAway(lastStream: StreamID) {}

    func streamClosed(_ id: StreamID) {
        guard let stream = streams.remove(id) else { return }
        release(stream)
        close(stream, RPCStatus(.cancelled, "the call was cancelled"))
        giveBackWindow()
    }

    private func release(_ stream: ServerStream) {
        bounds.confirmed(stream.unconfirmed, stream)
        bounds.note(-stream.overhead)
        if let client = stream.client { clients?.leave(client) }
    }

    /// The request of a caller that has gone was carried out, or dropped.
    func lingered(_ stream: ServerStream) {
        guard let bytes = stream.lingering else { return }
        stream.lingering = nil
        lingeringCalls -= 1
        bounds.note(-bytes)
    }

    func stalled(_ id: StreamID) {
        shed(.unreadAnswer)
        guard let stream = streams.stream(id) else { return }
        close(stream, RPCStatus(.resourceExhausted, "the client has read nothing of the answer for too long"))
    }

    func shed(_ reason: ShedReason) { observer?.shed(reason) }

    func socketHolds(_ change: Int) { if change > 0 { account.charge(change) } else { account.release(-change) } }

    // MARK: Windows and bounds

    func account(_ stream: ServerStream, held: Int, collecting: Int) {
        guard !bounds.account(stream, held: held, collecting: collecting) else { return }
        shed(.requestBytes)
        fail(stream, RPCStatus(.resourceExhausted, "too many large messages are being sent at once on this connection"))
    }

    /// The stream reads again.
    func giveBackWindows(of stream: ServerStream) {
        giveBackWindow(of: stream)
        giveBackWindow()
    }

    private func giveBackWindow(of stream: ServerStream) {
        guard !stream.requestEnded, !stream.responseEnded, !stream.isPaused, let bytes = stream.window.giveBack() else { return }
        port?.windowUpdate(stream.id, bytes)
    }

    private func giveBackWindow() {
        if let bytes = bounds.giveBack() { port?.windowUpdate(0, bytes) }
    }

    func confirmed(_ id: StreamID, _ bytes: Int) {
        guard let stream = streams.stream(id) else { return }
        bounds.confirmed(bytes, stream)
        stream.confirmed(bytes)
        lookout.makeRoom()
    }

    private func wait() { if port != nil { lookout.begin { self.look() } } }

    private func look() { lookout.look { self.look() } }

    // MARK: The ends of streams

    /// Ends the bookkeeping of a response that has ended in any way: releases the resources of the request and notifies the observer.
    func settle(_ stream: ServerStream, code: FirestoreError.Code) {
        stream.responseEnded = true
        if stream.isBeingAnswered {
            bounds.linger(stream)
            lingeringCalls += 1
        } else {
            _ = bounds.account(stream, held: 0, collecting: 0)
        }
        guard let call = stream as? ServerCallStream else { return }
        call.deframer.clear()
        guard let observer, let start = call.start else { return }
        observer.callEnded(
            RPCCallRecord(
                path: call.info.path, code: code, duration: Duration(eventLoop.now - start), received: call.receivedBytes,
                sent: call.sentBytes, metadata: call.info.metadata))
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

    /// Sends the status. If the peer is still sending, it is asked to stop.
    func finish(_ stream: ServerStream, _ status: RPCStatus?) {
        settle(stream, code: status?.code ?? .ok)
        port?.trailers(stream.id, status, alone: !stream.responseStarted, requestEnded: stream.requestEnded)
    }

    // MARK: Posts

    private func emptyMailbox() {
        takePosts()
        port?.flush()
        bounds.report()
        lookout.makeRoom()
    }

    private func takePosts() {
        var posts: [ServerPost] = []
        swap(&posts, &self.posts)
        while mailbox.takeAll(into: &posts) {
            for post in posts {
                if case .streaming(let stream, .message(let message)) = post {
                    send(message, of: stream)
                } else {
                    sendJoined()
                    take(post)
                }
            }
        }
        sendJoined()
        self.posts = posts
    }

    private func take(_ post: ServerPost) {
        switch post {
        case .unary(let stream, let result): stream.take(result)
        case .streaming(let stream, let step): stream.take(step)
        case .late(let stream):
            stream.giveBackReserved()
            lingered(stream)
        case .http(let stream, let step): stream.take(step)
        case .waits: wait()
        case .shed:
            shed(.memory)
            port?.close()
        case .drain:
            isDraining = true
            for case let stream as StreamingServerStream in streams.all { stream.handler?.drain() }
        }
    }

    /// Sends a message of a streaming call, together with those that follow it in this turn.
    private func send(_ message: [UInt8], of stream: StreamingServerStream) {
        guard !stream.responseEnded else { return account.release(message.count) }
        if joined?.stream !== stream || joined?.isFull == true { sendJoined() }
        stream.startResponse()
        stream.sentBytes += message.count
        bounds.sent(message.count, stream)
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

    // MARK: Turns

    func beginTurn() { mailbox.stayAwake() }

    func endTurn() {
        requests.sendOut(to: lane)
        takePosts()
        // A handler that resumes a paused stream may have completed a request.
        requests.sendOut(to: lane)
        port?.flush()
        bounds.report()
        lookout.makeRoom()
    }

    func drain() {
        mailbox.post(.drain, wake: wakeUp)
    }

    // MARK: Deadlines

    func setDeadline(_ deadline: NIODeadline, of id: StreamID) {
        deadlines.add(deadline, of: id, among: streams)
        deadlines.schedule(on: eventLoop) { self.expire() }
    }

    private func expire() {
        for id in deadlines.fire(at: eventLoop.now) {
            guard let stream = streams.stream(id) else { continue }
            fail(stream, RPCStatus(.deadlineExceeded, "the call's deadline has passed"))
        }
        deadlines.schedule(on: eventLoop) { self.expire() }
        port?.flush()
    }

    // MARK: The end

    func connectionLost(_ reason: RPCStatus) {
        port = nil
        deadlines.cancel()
        lookout.end()
        requests.removeAll()
        lane.close()
        for stream in streams.removeAll() {
            release(stream)
            close(stream, reason)
        }
        account.close()
        endTurn()
    }
}
