// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A request to another server by HTTP/1.1.
package struct HTTPQuestion: Sendable {
    package var usesTLS: Bool
    package var host: String
    package var port: Int
    /// Path and query, escaped.
    package var target: String
    package var header: (name: String, value: String)
    package var otherHeaders: [(name: String, value: String)] = []
    /// The body of a POST; nil for a GET, or for a body in `bytes`.
    package var posts: String?
    /// A body in bytes, instead of `posts`.
    package var bytes: [UInt8]?
    /// `PUT`, `DELETE`. By default POST with a body, and GET without one.
    package var method: String?
    /// A longer answer fails.
    package var maximumBytes = 64 << 10
    /// The request fails when so much time passes before the connection exists, or without a byte being sent or received; nil for no such
    /// limit.
    package var idlePatience: Duration?
    /// A PEM file with the certificates to trust; nil for those of the system.
    package var trustFile: String?
    /// The certificates to trust, if many requests share them: instead of `trustFile`.
    package var trust: HTTPTrust?
    /// Whether addresses such as 169.254.169.254, where clouds keep the secrets of machines, are refused: of every URL that is written in a
    /// file or comes from another server.
    package var refusesCloudAddresses = false
    /// Receives the body of an answer with the status 200 instead, of any length, in pieces on the connection's thread. Returns false to
    /// end the request.
    package var sink: (@Sendable ([UInt8]) -> Bool)?

    package init(
        usesTLS: Bool, host: String, port: Int, target: String, header: (name: String, value: String), posts: String? = nil
    ) {
        self.usesTLS = usesTLS
        self.host = host
        self.port = port
        self.target = target
        self.header = header
        self.posts = posts
    }

    /// The value of the header `Host`.
    package var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (usesTLS ? 443 : 80) ? name : "\(name):\(port)"
    }

    var body: ByteBuffer? { bytes.map { ByteBuffer(bytes: $0) } ?? posts.map { ByteBuffer(string: $0) } }
}

package struct HTTPAnswer: Sendable {
    package var status: Int
    package var body: [UInt8]
    /// The header of this name, if there is one.
    package var cacheControl: String?
    package var headers: [(name: String, value: String)] = []

    /// The value of a header, which is named in lower case.
    package func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }
}

/// Why there is no answer. Does not contain anything that was sent.
package enum HTTPFetchError: Error, CustomStringConvertible {
    case tooLate(Duration)
    case tooLong
    case cancelled
    case failed(String)

    package var description: String {
        switch self {
        case .tooLate(let patience): "there was no answer within \(patience)"
        case .tooLong: "the answer is too long"
        case .cancelled: "the request was cancelled"
        case .failed(let reason): reason
        }
    }
}

/// One HTTP request on a separate connection. The answer is bounded in size and in time, and redirects are not followed, because
/// they could send secrets elsewhere.
///
/// Does not use `URLSession`: on Linux it requires libcurl and thirty libraries, and crashes the process when a task is cancelled
/// while it ends (decision 18).
package enum HTTPFetch {
    package static func run(_ question: HTTPQuestion, patience: Duration) async throws(HTTPFetchError) -> HTTPAnswer {
        let tls: NIOSSLContext?
        do {
            // Reads certificates, which must not happen on a loop.
            tls = question.usesTLS ? try (question.trust ?? HTTPTrust(file: question.trustFile)).context() : nil
        } catch {
            throw .failed("TLS cannot be set up: \(error)")
        }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = loop.makePromise(of: Result<HTTPAnswer, HTTPFetchError>.self)
        let handler = HTTPFetchHandler(question, promise)
        let timer = loop.scheduleTask(in: TimeAmount(patience)) { handler.finish(.failure(.tooLate(patience))) }
        loop.execute { handler.connect(on: loop, tls, patience: patience) }
        let result = await withTaskCancellationHandler {
            // The promise is never failed.
            (try? await promise.futureResult.get()) ?? .failure(.cancelled)
        } onCancel: {
            loop.execute { handler.finish(.failure(.cancelled)) }
        }
        timer.cancel()
        return try result.get()
    }
}

/// `@unchecked Sendable`: `question` and `promise` are constants of `Sendable` types; the variables are accessed on the loop only, which is
/// that of the connection, too.
private final class HTTPFetchHandler: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let question: HTTPQuestion
    private let promise: EventLoopPromise<Result<HTTPAnswer, HTTPFetchError>>
    private var channel: (any Channel)?
    private var answer = HTTPAnswer(status: 0, body: [])
    private var isOver = false

    init(_ question: HTTPQuestion, _ promise: EventLoopPromise<Result<HTTPAnswer, HTTPFetchError>>) {
        self.question = question
        self.promise = promise
    }

    func connect(on loop: any EventLoop, _ tls: NIOSSLContext?, patience: Duration) {
        guard !isOver else { return }
        let patience = min(patience, question.idlePatience ?? patience)
        ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(patience))
            .channelInitializer { [question] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if question.refusesCloudAddresses { try pipeline.addHandler(CloudAddressGuard()) }
                    if let idle = question.idlePatience { try pipeline.addHandler(IdleStateHandler(allTimeout: TimeAmount(idle))) }
                    if let tls {
                        let isAddress = (try? SocketAddress(ipAddress: question.host, port: 0)) != nil
                        try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : question.host))
                    }
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(self)
                }
            }
            .connect(host: question.host, port: question.port)
            .whenFailure { error in self.finish(.failure(HTTPFetch.connectFailure(error, within: patience))) }
    }

    /// Only the first result is used.
    func finish(_ result: Result<HTTPAnswer, HTTPFetchError>) {
        guard !isOver else { return }
        isOver = true
        promise.succeed(result)
        channel?.close(promise: nil)
        channel = nil
    }

    // MARK: ChannelInboundHandler

    func channelActive(context: ChannelHandlerContext) {
        // The caller is no longer waiting.
        guard !isOver else { return context.close(promise: nil) }
        channel = context.channel
        var headers: HTTPHeaders = [
            "Host": question.authority, "User-Agent": "hearth", "Accept": "application/json", "Connection": "close",
            question.header.name: question.header.value,
        ]
        for header in question.otherHeaders { headers.add(name: header.name, value: header.value) }
        let body = question.body
        if let body { headers.add(name: "Content-Length", value: "\(body.readableBytes)") }
        let method = question.method.map { HTTPMethod(rawValue: $0) } ?? (body == nil ? .GET : .POST)
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: question.target, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if let body { write(body, context) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// In pieces, so that one that has been sent counts as progress.
    private func write(_ body: ByteBuffer, _ context: ChannelHandlerContext) {
        var rest = body
        while let piece = rest.readSlice(length: min(rest.readableBytes, Self.pieceBytes)), piece.readableBytes > 0 {
            context.write(wrapOutboundOut(.body(.byteBuffer(piece))), promise: nil)
        }
    }

    private static let pieceBytes = 64 << 10

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            answer.status = Int(head.status.code)
            answer.cacheControl = head.headers["cache-control"].first
            answer.headers = head.headers.map { ($0.name, $0.value) }
            if (300..<400).contains(answer.status) { finish(.success(answer)) }
        case .body(let bytes):
            if answer.status == 200, let sink = question.sink {
                if !isOver, !sink(Array(bytes.readableBytesView)) { finish(.failure(.cancelled)) }
                return
            }
            guard answer.body.count + bytes.readableBytes <= question.maximumBytes else { return finish(.failure(.tooLong)) }
            answer.body.append(contentsOf: bytes.readableBytesView)
        case .end: finish(.success(answer))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.failure(.failed("the connection was lost")))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent, let patience = question.idlePatience else {
            return context.fireUserInboundEventTriggered(event)
        }
        finish(.failure(.tooLate(patience)))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(.failure(.failed(HTTPFetch.reason(error))))
        context.close(promise: nil)
    }
}

extension HTTPFetch {
    /// Why no connection was made. If no address of the host accepted one in time, there was no answer.
    static func connectFailure(_ error: any Error, within patience: Duration) -> HTTPFetchError {
        let tries = (error as? NIOConnectionError)?.connectionErrors ?? []
        let isLate = tries.allSatisfy { if case ChannelError.connectTimeout = $0.error { true } else { false } }
        return !tries.isEmpty && isLate ? .tooLate(patience) : .failed(reason(error))
    }

    /// The texts do not contain anything that was sent.
    static func reason(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            return error.connectionErrors.isEmpty ? "its name cannot be resolved" : "it cannot be reached"
        case is CloudAddress: return "its address is one at which clouds keep secrets of machines, and such addresses are refused"
        case is NIOSSLExtraError: return "its certificate is for another host"
        case NIOSSLError.unableToValidateCertificate, NIOSSLError.noCertificateToValidate: return "its certificate is not trusted"
        case NIOSSLError.handshakeFailed(let reason):
            return "\(reason)".contains("CERTIFICATE_VERIFY_FAILED")
                ? "its certificate is not trusted" : "the TLS handshake with it failed"
        case HTTPParserError.invalidEOFState: return "the connection was lost"
        case is HTTPParserError: return "its answer is not HTTP"
        default: return "the request failed (\(type(of: error)))"
        }
    }
}
