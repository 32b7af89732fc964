// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A connection that asks one question after the other.
///
/// `@unchecked Sendable`: the variables are accessed on the loop of the channel only; what other threads use is in a lock.
final class PooledConnection: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    enum Failure: Error {
        /// The connection ended before a byte of the answer came.
        case stale
        case failed(HTTPFetchError)
    }

    private struct Open {
        let promise: EventLoopPromise<Result<HTTPAnswer, Failure>>
        let maximumBytes: Int
        var answer = HTTPAnswer(status: 0, body: [])
        var keepsAlive = false
    }

    /// How long a connection stays open without a request. Servers close theirs after some time, too.
    private static let rest = TimeAmount.seconds(15)

    private let refusesCloudAddresses: Bool
    private let shared = Mutex<(channel: (any Channel)?, isReusable: Bool)>((nil, false))
    private var open: Open?
    private var failure: HTTPFetchError?
    private var timer: Scheduled<Void>?
    private var whenClosed: (@Sendable () -> Void)?

    init(refusesCloudAddresses: Bool) { self.refusesCloudAddresses = refusesCloudAddresses }

    /// On the loop of the channel.
    func install(in channel: any Channel, _ tls: NIOSSLContext?, host: String) throws {
        shared.withLock { $0.channel = channel }
        let pipeline = channel.pipeline.syncOperations
        if refusesCloudAddresses { try pipeline.addHandler(CloudAddressGuard()) }
        if let tls {
            let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
            try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : host))
        }
        try pipeline.addHTTPClientHandlers()
        try pipeline.addHandler(self)
    }

    /// Whether another question may follow.
    var isReusable: Bool { shared.withLock { $0.isReusable } }

    private var channel: (any Channel)? { shared.withLock { $0.channel } }

    /// - Parameter patience: The whole time that the caller waits, for the message.
    func ask(_ question: HTTPQuestion, within rest: Duration, _ patience: Duration) async -> Result<HTTPAnswer, Failure> {
        guard let channel else { return .failure(.stale) }
        let promise = channel.eventLoop.makePromise(of: Result<HTTPAnswer, Failure>.self)
        channel.eventLoop.execute { self.begin(question, channel, promise, within: rest, patience) }
        return await withTaskCancellationHandler {
            // The promise is never failed.
            (try? await promise.futureResult.get()) ?? .failure(.failed(.cancelled))
        } onCancel: {
            channel.eventLoop.execute { self.fail(.cancelled) }
        }
    }

    /// Waits for the next question, and closes if none comes.
    func rest(_ closed: @escaping @Sendable () -> Void) {
        guard let channel else { return closed() }
        channel.eventLoop.execute {
            guard channel.isActive else { return closed() }
            guard self.open == nil else { return }
            self.whenClosed = closed
            self.timer = channel.eventLoop.scheduleTask(in: Self.rest) { channel.close(promise: nil) }
        }
    }

    func close() { channel?.close(promise: nil) }

    // MARK: On the loop

    private func begin(
        _ question: HTTPQuestion, _ channel: any Channel, _ promise: EventLoopPromise<Result<HTTPAnswer, Failure>>, within rest: Duration,
        _ patience: Duration
    ) {
        timer?.cancel()
        whenClosed = nil
        shared.withLock { $0.isReusable = false }
        if let failure { return promise.succeed(.failure(.failed(failure))) }
        guard channel.isActive, open == nil else { return promise.succeed(.failure(.stale)) }
        open = Open(promise: promise, maximumBytes: question.maximumBytes)
        timer = channel.eventLoop.scheduleTask(in: TimeAmount(rest)) { self.fail(.tooLate(patience)) }
        var headers: HTTPHeaders = ["Host": question.authority, "User-Agent": "hearth", question.header.name: question.header.value]
        for header in question.otherHeaders { headers.add(name: header.name, value: header.value) }
        let body = question.body
        if let body { headers.add(name: "Content-Length", value: "\(body.readableBytes)") }
        let method = question.method.map { HTTPMethod(rawValue: $0) } ?? (body == nil ? .GET : .POST)
        channel.write(
            HTTPClientRequestPart.head(HTTPRequestHead(version: .http1_1, method: method, uri: question.target, headers: headers)),
            promise: nil)
        if let body { channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil) }
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    private func fail(_ error: HTTPFetchError) {
        guard open != nil else { return }
        finish(.failure(.failed(error)), keepsAlive: false)
    }

    private func finish(_ result: Result<HTTPAnswer, Failure>, keepsAlive: Bool) {
        guard let open else { return }
        self.open = nil
        timer?.cancel()
        shared.withLock { $0.isReusable = keepsAlive }
        if !keepsAlive { channel?.close(promise: nil) }
        open.promise.succeed(result)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard var open else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            open.answer.status = Int(head.status.code)
            open.answer.headers = head.headers.map { ($0.name, $0.value) }
            open.keepsAlive = head.isKeepAlive
            self.open = open
        case .body(let bytes):
            let room = open.maximumBytes - open.answer.body.count
            open.answer.body.append(contentsOf: bytes.readableBytesView.prefix(room))
            self.open = open
            if bytes.readableBytes > room { finish(.success(open.answer), keepsAlive: false) }
        case .end: finish(.success(open.answer), keepsAlive: open.keepsAlive)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let open {
            let isStale = open.answer.status == 0 && failure == nil
            finish(.failure(isStale ? .stale : .failed(failure ?? .failed("the connection was lost"))), keepsAlive: false)
        }
        timer?.cancel()
        whenClosed?()
        whenClosed = nil
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // One that the end of the connection explains is not a reason.
        if case HTTPParserError.invalidEOFState = error, open?.answer.status ?? 0 == 0 { return context.close(promise: nil) }
        failure = .failed(HTTPFetch.reason(error))
        finish(.failure(.failed(.failed(HTTPFetch.reason(error)))), keepsAlive: false)
        context.close(promise: nil)
    }
}
