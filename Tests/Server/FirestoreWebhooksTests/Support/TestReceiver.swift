// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP server of a test: remembers what it receives, and answers as it is asked to.
final class TestReceiver: Sendable {
    struct Request: Sendable {
        var path: String
        var headers: [(String, String)]
        var body: [UInt8]

        func header(_ name: String) -> String? { headers.first { $0.0.lowercased() == name }?.1 }
    }

    enum Answer: Sendable {
        case status(Int, headers: [(String, String)] = [], body: String = "")
        /// Sends a head, and a body without end.
        case endless(Int)
        /// Never answers.
        case hang
        /// Closes the connection.
        case close
    }

    private let state = Mutex<(requests: [Request], connections: Int, channels: [any Channel])>(([], 0, []))
    private let answer: @Sendable (Request, Int) -> Answer
    private let channel = Mutex<(any Channel)?>(nil)

    /// - Parameter answer: Is given the request and how many came before.
    init(_ answer: @escaping @Sendable (Request, Int) -> Answer = { _, _ in .status(200) }) { self.answer = answer }

    var requests: [Request] { state.withLock { $0.requests } }
    var connections: Int { state.withLock { $0.connections } }

    /// Returns the URL.
    func start(host: String = "127.0.0.1", port: Int = 0) async throws -> String {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { [self] channel in
                state.withLock { state in
                    state.connections += 1
                    state.channels.append(channel)
                }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(self))
                }
            }
            .bind(host: host, port: port).get()
        self.channel.withLock { $0 = channel }
        return "http://\(host):\(channel.localAddress?.port ?? 0)"
    }

    func stop() async {
        try? await channel.withLock { $0 }?.close().get()
        closeConnections()
    }

    func closeConnections() {
        let channels = state.withLock { state in
            defer { state.channels = [] }
            return state.channels
        }
        for channel in channels { channel.close(promise: nil) }
    }

    private func take(_ request: Request) -> Answer {
        let number = state.withLock { state in
            state.requests.append(request)
            return state.requests.count - 1
        }
        return answer(request, number)
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let receiver: TestReceiver
        private var request = Request(path: "", headers: [], body: [])

        init(_ receiver: TestReceiver) { self.receiver = receiver }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): request = Request(path: head.uri, headers: head.headers.map { ($0.name, $0.value) }, body: [])
            case .body(let bytes): request.body += Array(bytes.readableBytesView)
            case .end: send(receiver.take(request), context)
            }
        }

        private func send(_ answer: Answer, _ context: ChannelHandlerContext) {
            switch answer {
            case .status(let status, let headers, let body):
                var fields = HTTPHeaders(headers)
                fields.add(name: "content-length", value: String(body.utf8.count))
                let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: fields)
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            case .endless(let status):
                let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: ["transfer-encoding": "chunked"])
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                sendPiece(context)
            case .hang: break
            case .close: context.close(promise: nil)
            }
        }

        private func sendPiece(_ context: ChannelHandlerContext) {
            guard context.channel.isActive else { return }
            let piece = ByteBuffer(repeating: 0x78, count: 16 << 10)
            let promise = context.eventLoop.makePromise(of: Void.self)
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            promise.futureResult.whenSuccess { bound.value.0.sendPiece(bound.value.1) }
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece))), promise: promise)
        }
    }
}
