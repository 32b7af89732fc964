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
        let waiting = Task { await failure(HTTPQuestion(address)) }
        waiting.cancel()
        #expect(await waiting.value == "the request was cancelled")
        try await silent.close()
    }
}
