// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import NIOCore
import NIOPosix

/// A server on this machine that answers each connection with the next step of a script, whatever it is asked, and notes the requests.
final class ScriptedServer: Sendable {
    enum Step: Sendable {
        /// A whole answer, or a part of one, after which the connection is closed.
        case answer(String)
        /// The connection is closed without an answer.
        case drop
        /// There is no answer.
        case hang
    }

    private let state: Mutex<(steps: [Step], requests: [String])>
    private let channel: Mutex<(any Channel)?>

    private init(_ steps: [Step]) {
        state = Mutex((steps, []))
        channel = Mutex(nil)
    }

    /// Runs a server while a closure runs.
    static func run<R>(
        _ steps: Step..., isolation: isolated (any Actor)? = #isolation, body: (ScriptedServer) async throws -> R
    ) async throws -> R {
        let server = ScriptedServer(steps)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Connection(server)) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.channel.withLock { $0 = channel }
        defer { channel.close(promise: nil) }
        return try await body(server)
    }

    var port: Int { channel.withLock { $0?.localAddress?.port ?? 0 } }

    /// The requests as they arrived, with their bodies.
    var requests: [String] { state.withLock { $0.requests } }

    /// Without further steps connections are dropped.
    private func next(after request: String) -> Step {
        state.withLock { state in
            state.requests.append(request)
            return state.steps.isEmpty ? .drop : state.steps.removeFirst()
        }
    }

    private final class Connection: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let server: ScriptedServer
        private var received = ""
        private var isAnswered = false

        init(_ server: ScriptedServer) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += String(buffer: unwrapInboundIn(data))
            guard !isAnswered, isWhole else { return }
            isAnswered = true
            switch server.next(after: received) {
            case .answer(let text):
                let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text))).whenComplete { _ in loopBound.value.close(promise: nil) }
            case .drop: context.close(promise: nil)
            case .hang: break
            }
        }

        private var isWhole: Bool {
            guard let end = received.range(of: "\r\n\r\n") else { return false }
            let length = received[..<end.lowerBound].split(separator: "\r\n").compactMap { line -> Int? in
                line.lowercased().hasPrefix("content-length:") ? Int(line.dropFirst(15).drop { $0 == " " }) : nil
            }
            return received[end.upperBound...].utf8.count >= length.first ?? 0
        }
    }
}

extension ScriptedServer.Step {
    /// An answer with a body of this length.
    static func status(_ status: Int, _ headers: [String] = [], _ body: String = "") -> Self {
        let lines = ["HTTP/1.1 \(status) Status", "Content-Length: \(body.utf8.count)"] + headers
        return .answer(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    static func error(_ status: Int, _ code: String, _ more: String = "") -> Self {
        .status(
            status, ["Content-Type: application/xml"],
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>\(code)</Code><Message>Words.</Message>\(more)</Error>")
    }

    static let stored = status(200, ["ETag: \"0\""])
    static func object(_ text: String) -> Self { status(200, ["ETag: \"0\""], text) }

    static func listing(_ names: [String], continuation: String? = nil) -> Self {
        let contents = names.map { "<Contents><Key>\($0)</Key><Size>1</Size></Contents>" }.joined()
        let next = continuation.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? ""
        return status(
            200, ["Content-Type: application/xml"],
            "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><IsTruncated>\(continuation != nil)</IsTruncated>"
                + "\(contents)\(next)</ListBucketResult>")
    }
}
