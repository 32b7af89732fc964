// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOHPACK

/// The client's half of a connection. Created before the socket: operations wait until `connected`.
///
/// `@unchecked Sendable`: every mutable property is accessed on `eventLoop` only, except for `isUsable`, which is accessed under
/// the lock of the mailbox.
final class ClientConnection: ConnectionCore, @unchecked Sendable {
    let eventLoop: any EventLoop
    let limits: RPCLimits
    private let authority: String
    private let scheme: String
    private let mailbox: Mailbox<ClientPost>
    /// Whether it takes new calls: it is not lost, and the server has not sent GOAWAY.
    private var isUsable = true

    private var port: (any ConnectionPort)?
    private var isLost: RPCStatus?
    private var streams: [StreamID: ClientStream] = [:]
    /// Calls opened before the connection; those that have ended meanwhile are skipped.
    private var waiting: [ClientStream] = []
    private var nextStream: StreamID = 1
    private var posts: [ClientPost] = []
    private var window: ReceiveWindow
    private var deadlines: [ObjectIdentifier: Scheduled<Void>] = [:]
    /// Whether the connection closes after the last call.
    private var isLeaving = false
    private var closeHooks: [@Sendable () -> Void] = []

    /// The maximum number of calls that wait for a connection.
    private static let maximumWaiting = 10_000

    init(eventLoop: any EventLoop, limits: RPCLimits, authority: String, scheme: String) {
        self.eventLoop = eventLoop
        self.limits = limits
        self.authority = authority
        self.scheme = scheme
        mailbox = Mailbox(eventLoop: eventLoop)
        window = ReceiveWindow(size: limits.connectionWindow)
    }

    var openStreams: Int { streams.count }
    /// Servers do not open streams.
    var highestStream: StreamID { 0 }

    // MARK: From any thread

    /// Returns false if the connection no longer takes calls.
    func open(_ stream: ClientStream) -> Bool {
        var isOpened = false
        mailbox.post(
            .open(stream),
            if: {
                isOpened = isUsable
                return isUsable
            },
            wake: wakeUp)
        return isOpened
    }

    /// Ends a call that has no connection.
    func refuse(_ stream: ClientStream) {
        eventLoop.execute {
            let reason = self.isLost ?? RPCStatus(.unavailable, "the channel was shut down")
            self.tellEnd(stream, reason.before(.notBegun), RPCMetadata())
        }
    }

    func post(_ post: ClientPost) { mailbox.post(post, wake: wakeUp) }

    private var wakeUp: @Sendable () -> Void { { self.emptyMailbox() } }

    private func emptyMailbox() {
        takePosts()
        port?.flush()
    }

    private func takePosts() {
        var posts: [ClientPost] = []
        swap(&posts, &self.posts)
        while mailbox.takeAll(into: &posts) {
            for post in posts { take(post) }
        }
        self.posts = posts
    }

    private func take(_ post: ClientPost) {
        switch post {
        case .open(let stream): open(onLoop: stream)
        case .message(let stream, let message):
            guard !stream.isOver, !stream.requestEnded else { return }
            if stream.id == 0 { stream.early.append(message) } else { write(message, stream) }
        case .halfClose(let stream):
            guard !stream.isOver, !stream.requestEnded else { return }
            stream.requestEnded = true
            if stream.id != 0 { port?.data(stream.id, ByteBuffer(), end: .yes, confirms: 0) }
        case .cancel(let stream):
            abort(stream, RPCStatus(.cancelled, "the call was cancelled", progress: stream.id == 0 ? .notBegun : .unknown))
        case .reading(let stream, let isOn):
            guard !stream.isOver else { return }
            stream.isReading = isOn
            if isOn {
                stream.advance()
                giveBackWindow(of: stream)
            }
        case .shutdown:
            if port == nil { connectionLost(RPCStatus(.unavailable, "the channel was shut down")) }
            port?.close()
        }
    }

    // MARK: Opening

    private func open(onLoop stream: ClientStream) {
        if let isLost {
            tellEnd(stream, isLost.before(.notBegun), RPCMetadata())
            return
        }
        if let deadline = stream.deadline {
            let rest = deadline - ContinuousClock.now
            guard rest > .zero else {
                tellEnd(stream, Self.expired.before(.notBegun), RPCMetadata())
                return
            }
            deadlines[ObjectIdentifier(stream)] = eventLoop.scheduleTask(in: TimeAmount(rest)) {
                self.abort(stream, stream.id == 0 ? Self.expired.before(.notBegun) : Self.expired)
                self.port?.flush()
            }
        }
        guard port != nil else {
            guard waiting.count < Self.maximumWaiting else {
                tellEnd(stream, RPCStatus(.unavailable, "too many calls wait for a connection", progress: .notBegun), RPCMetadata())
                return
            }
            waiting.append(stream)
            return
        }
        start(stream)
    }

    private static let expired = RPCStatus(.deadlineExceeded, "the call's deadline has passed", progress: .unknown)

    /// The connection is established.
    func connected(_ port: any ConnectionPort) {
        self.port = port
        let ready = waiting
        waiting = []
        for stream in ready where !stream.isOver { start(stream) }
        port.flush()
    }

    private func start(_ stream: ClientStream) {
        guard let port else { return }
        stream.id = nextStream
        nextStream += 2
        // Stream numbers are used up; the next call gets another connection.
        if nextStream > 1_000_000_000 { leave() }
        streams[stream.id] = stream
        var fields = HPACKHeaders()
        fields.reserveCapacity(stream.metadata.entries.count + 9)
        fields.add(name: ":method", value: "POST")
        fields.add(name: ":scheme", value: scheme)
        fields.add(name: ":path", value: stream.path)
        fields.add(name: ":authority", value: authority)
        fields.add(name: "content-type", value: "application/grpc")
        fields.add(name: "te", value: "trailers")
        if let deadline = stream.deadline {
            fields.add(name: "grpc-timeout", value: TimeoutHeader.format(deadline - ContinuousClock.now))
        }
        for (name, value) in stream.metadata.entries { fields.add(name: name, value: value) }
        port.headers(stream.id, .fields(fields), end: .no)
        if let message = stream.onlyMessage {
            stream.requestEnded = true
            port.data(stream.id, ByteBuffer(framing: message), end: .yes, confirms: 0)
            return
        }
        let early = stream.early
        stream.early = []
        for message in early { write(message, stream) }
        if stream.requestEnded { port.data(stream.id, ByteBuffer(), end: .yes, confirms: 0) }
    }

    private func write(_ message: [UInt8], _ stream: ClientStream) {
        guard stream.gate.unconfirmed <= limits.unconfirmedPerStream else {
            abort(stream, RPCStatus(.resourceExhausted, "the server reads more slowly than the call sends"))
            return
        }
        port?.data(stream.id, ByteBuffer(framing: message), end: .no, confirms: message.count)
    }

    func confirmed(_ id: StreamID, _ bytes: Int) {
        guard let stream = streams[id], stream.gate.confirm(bytes) else { return }
        stream.handler?.becameWritable()
    }

    // MARK: Answers

    func receiveHeaders(_ id: StreamID, _ headers: HPACKHeaders, end: Bool) {
        guard let stream = streams[id], !stream.isOver else { return }
        if stream.hasHeaders {
            guard end else { return }
            let (status, trailers) = StatusHeaders.parse(headers)
            stream.receiveEnd(status, trailers)
            return
        }
        var status = "", type = "", encoding = "", hasStatus = false
        for (name, value, _) in headers {
            switch name {
            case ":status": status = value
            case "content-type": type = value
            case "grpc-encoding": encoding = value
            case "grpc-status": hasStatus = true
            default: break
            }
        }
        // 1xx: the final headers are still to come.
        if status.utf8.first == UInt8(ascii: "1"), !end { return }
        stream.hasHeaders = true
        guard status == "200" || hasStatus, hasStatus || type.utf8.starts(with: "application/grpc".utf8) else {
            let code = StatusHeaders.code(forHTTP: Int(status) ?? 0)
            abort(stream, RPCStatus(code, "the server answered with HTTP status \(status) and content type \(type)"))
            return
        }
        stream.deframer.inflates = encoding == "gzip"
        if end {
            let (status, trailers) = StatusHeaders.parse(headers)
            stream.receiveEnd(status, trailers)
        }
    }

    func receiveData(_ id: StreamID, _ bytes: ByteBuffer, length: Int, end: Bool) {
        window.take(length)
        if let bytes = window.giveBack() { port?.windowUpdate(0, bytes) }
        guard let stream = streams[id], !stream.isOver else { return }
        if bytes.readableBytes > 0 { stream.deframer.append(bytes) }
        stream.window.take(length)
        stream.advance()
        if end {
            stream.receiveEnd(RPCStatus(.unknown, "the server ended the call without a status", progress: .unknown), RPCMetadata())
        } else {
            giveBackWindow(of: stream)
        }
    }

    private func giveBackWindow(of stream: ClientStream) {
        guard !stream.isOver, !stream.hasEnding, stream.isReading, let bytes = stream.window.giveBack() else { return }
        port?.windowUpdate(stream.id, bytes)
    }

    func receiveReset(_ id: StreamID, _ code: HTTP2ErrorCode) {
        guard let stream = streams[id] else { return }
        let reason: RPCStatus =
            switch code {
            case .cancel: RPCStatus(.cancelled, "the server cancelled the call", progress: .unknown)
            case .refusedStream: RPCStatus(.unavailable, "the server refused the call", progress: .notBegun)
            case .enhanceYourCalm: RPCStatus(.resourceExhausted, "the server asks for fewer calls", progress: .unknown)
            case .noError: RPCStatus(.unavailable, "the server ended the call without a status", progress: .unknown)
            default: RPCStatus(.internal, "the server reset the call (\(code))", progress: .unknown)
            }
        // The rest of the request is not wanted either; a reset must not be answered with another.
        stream.requestEnded = true
        stream.receiveEnd(reason, RPCMetadata())
    }

    func streamClosed(_ id: StreamID) {
        // A paused reader still gets the received messages, and the end after them.
        streams.removeValue(forKey: id)?.receiveEnd(
            RPCStatus(.unavailable, "the connection ended the call", progress: .unknown), RPCMetadata())
        if isLeaving, streams.isEmpty { port?.close() }
    }

    func receiveGoAway(lastStream: StreamID) {
        leave()
        for (id, stream) in streams where id > lastStream {
            stream.receiveEnd(
                RPCStatus(.unavailable, "the server is going away and has not begun the call", progress: .notBegun), RPCMetadata())
        }
        if streams.isEmpty { port?.close() }
    }

    private func leave() {
        mailbox.state.withLock { _ in isUsable = false }
        isLeaving = true
    }

    // MARK: Ends

    /// Ends a call from the client's side.
    func abort(_ stream: ClientStream, _ reason: RPCStatus) {
        guard !stream.isOver else { return }
        // Removed from the table first: the framing reports the stream as closed while it writes the reset.
        let isOpen = streams.removeValue(forKey: stream.id) != nil
        tellEnd(stream, reason, RPCMetadata())
        if isOpen { port?.reset(stream.id, .cancel) }
    }

    func tellEnd(_ stream: ClientStream, _ status: RPCStatus?, _ trailers: RPCMetadata) {
        guard !stream.isOver else { return }
        stream.isOver = true
        stream.deframer.clear()
        stream.early = []
        deadlines.removeValue(forKey: ObjectIdentifier(stream))?.cancel()
        stream.gate.end(status ?? RPCStatus(.cancelled, "the call has ended"))
        // The server has answered and does not want the rest.
        if stream.id != 0, !stream.requestEnded, streams[stream.id] != nil, stream.hasEnding {
            stream.requestEnded = true
            port?.reset(stream.id, .cancel)
        }
        let handler = stream.handler
        stream.handler = nil
        handler?.ended(status, trailers: trailers)
    }

    func beginTurn() { mailbox.stayAwake() }

    func endTurn() {
        takePosts()
        port?.flush()
    }

    func connectionLost(_ reason: RPCStatus) {
        guard isLost == nil else { return }
        leave()
        isLost = reason
        port = nil
        let open = Array(streams.values) + waiting
        streams = [:]
        waiting = []
        for stream in open {
            stream.isReading = true
            stream.receiveEnd(stream.id == 0 ? reason.before(.notBegun) : reason, RPCMetadata())
        }
        let hooks = closeHooks
        closeHooks = []
        for hook in hooks { hook() }
        endTurn()
    }

    /// Runs `hook` once the connection is closed. On the loop.
    func whenClosed(_ hook: @escaping @Sendable () -> Void) {
        if isLost == nil { closeHooks.append(hook) } else { hook() }
    }

    func drain() {}
}
