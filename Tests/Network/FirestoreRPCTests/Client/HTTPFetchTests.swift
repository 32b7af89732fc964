// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import NIOCore
import NIOPosix
import Testing

extension HTTPQuestion {
    init(_ address: RPCAddress, usesTLS: Bool = false, target: String = "/page", posts: String? = nil) {
        self.init(
            usesTLS: usesTLS, host: address.host, port: address.port, target: target, header: ("X-Test", "1"), posts: posts)
    }
}

/// Single requests to a server of HTTP, and all that can come of them.
@Suite(.timeLimit(.minutes(2)))
struct HTTPFetchTests {
    private static let patience = Duration.seconds(60)

    /// Answers by what it is asked for.
    private struct Pages: HTTPService {
        func handle(_ exchange: any HTTPExchange) {
            let request = exchange.request
            switch request.path {
            case "/long": exchange.respond(status: 200, headers: RPCMetadata(), body: [UInt8](repeating: 7, count: 65 << 10))
            case "/moved": exchange.respond(status: 302, headers: RPCMetadata([("location", "http://127.0.0.1:1/")]), body: [1])
            case "/gone": exchange.respond(status: 404, headers: RPCMetadata(), body: Array("gone".utf8))
            default:
                let said = "\(request.method) \(request.path) \(request.query.map { "\($0.name)=\($0.value)" }) \(request.headers["x-test"] ?? "-") "
                exchange.respond(status: 200, headers: RPCMetadata(), body: Array(said.utf8) + request.body.array)
            }
        }
    }

    private func with(_ body: (RPCAddress) async throws -> Void) async throws {
        let server = RPCServer(configuration: RPCServerConfiguration(), service: EchoService(), http: Pages())
        try await body(try await server.start())
        await server.shutdown(grace: .zero)
    }

    private func failure(_ question: HTTPQuestion, patience: Duration = patience) async -> String? {
        do throws(HTTPFetchError) {
            _ = try await HTTPFetch.run(question, patience: patience)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `a question is answered, whatever the answer is`() async throws {
        try await with { address in
            let got = try await HTTPFetch.run(HTTPQuestion(address, target: "/a?b=c"), patience: Self.patience)
            #expect(got.status == 200)
            #expect(String(decoding: got.body, as: UTF8.self) == #"GET /a ["b=c"] 1 "#)
            let posted = try await HTTPFetch.run(HTTPQuestion(address, posts: "grant=x&y=z"), patience: Self.patience)
            #expect(String(decoding: posted.body, as: UTF8.self) == "POST /page [] 1 grant=x&y=z")
            let gone = try await HTTPFetch.run(HTTPQuestion(address, target: "/gone"), patience: Self.patience)
            #expect(gone.status == 404 && gone.body == Array("gone".utf8))
        }
    }

    @Test func `a question has any method, and a body in bytes`() async throws {
        try await with { address in
            var question = HTTPQuestion(address)
            question.method = "PUT"
            question.bytes = Array(repeating: UInt8(ascii: "x"), count: 200_000)
            question.maximumBytes = 1 << 20
            let put = try await HTTPFetch.run(question, patience: Self.patience)
            #expect(put.status == 200 && put.body == Array("PUT /page [] 1 ".utf8) + (question.bytes ?? []))
            question.method = "DELETE"
            question.bytes = nil
            let deleted = try await HTTPFetch.run(question, patience: Self.patience)
            #expect(String(decoding: deleted.body, as: UTF8.self) == "DELETE /page [] 1 ")
        }
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", ""])
    func `an answer that is cut off is not an answer`(text: String) async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(CutAnswer(text)) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let address = RPCAddress(host: "127.0.0.1", port: try #require(server.localAddress?.port))
        #expect(await failure(HTTPQuestion(address)) == "the connection was lost")
        try await server.close()
    }

    @Test func `the header of the host names the port, unless it is the usual one`() {
        func authority(_ host: String, _ port: Int, _ usesTLS: Bool) -> String {
            HTTPQuestion(usesTLS: usesTLS, host: host, port: port, target: "/", header: ("a", "b")).authority
        }
        #expect(authority("a.test", 443, true) == "a.test" && authority("a.test", 80, false) == "a.test")
        #expect(authority("a.test", 443, false) == "a.test:443" && authority("::1", 9_000, true) == "[::1]:9000")
    }

    @Test func `redirects are not followed, long answers not taken`() async throws {
        try await with { address in
            let moved = try await HTTPFetch.run(HTTPQuestion(address, target: "/moved"), patience: Self.patience)
            #expect(moved.status == 302)
            let tooLong = await failure(HTTPQuestion(address, target: "/long"))
            #expect(tooLong == "the answer is too long")
        }
    }

    @Test func `an unreachable server is described in words`() async throws {
        var closed = RPCAddress(host: "127.0.0.1", port: 1)
        try await with { address in
            closed = address
            // A server without TLS.
            let plain = await failure(HTTPQuestion(address, usesTLS: true))
            #expect(plain == "the TLS handshake with it failed" || plain == "the connection was lost")
        }
        #expect(await failure(HTTPQuestion(closed)) == "it cannot be reached")
        #expect(await failure(HTTPQuestion(RPCAddress(host: "host.invalid", port: 80))) == "its name cannot be resolved")
    }

    @Test func `a fetch ends at its timeout, and earlier when it is cancelled`() async throws {
        // Takes connections and says nothing.
        let silent = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(host: "127.0.0.1", port: 0).get()
        let address = RPCAddress(host: "127.0.0.1", port: try #require(silent.localAddress?.port))
        #expect(await failure(HTTPQuestion(address), patience: .milliseconds(50)) == "there was no answer within 0.05 seconds")
        var idle = HTTPQuestion(address)
        idle.idlePatience = .milliseconds(50)
        #expect(await failure(idle) == "there was no answer within 0.05 seconds")
        let waiting = Task { await failure(HTTPQuestion(address)) }
        waiting.cancel()
        #expect(await waiting.value == "the request was cancelled")
        try await silent.close()
    }
}

/// Answers the first bytes of a connection with a text, and closes it.
private final class CutAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let text: String

    init(_ text: String) { self.text = text }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        context.close(promise: nil)
    }
}
