// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestSupport
import Testing

@testable import FirestoreRPC

/// Whole conversations over HTTP/1.1, from the bytes of the client to the bytes of the server.
struct HTTP1TraceTests {
    private static let requests = [
        "POST /whole HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n0123456789",
        "GET /whole HTTP/1.1\r\nhost: localhost\r\n\r\n",
        "HEAD http://localhost/whole HTTP/1.1\r\nhost: evil.example\r\n\r\n",
        "POST /whole HTTP/1.1\r\nhost: evil.example\r\ncontent-length: 4\r\n\r\nabcd",
        "POST /whole HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
        "POST /pieces HTTP/1.1\r\nhost: localhost\r\ncontent-length: 6\r\n\r\nuvwxyz",
    ]

    @Test func `however the bytes are cut, the answers are the same`() throws {
        let bytes = Array(Self.requests.joined().utf8)
        let answers = try Self.talk([bytes[...]])
        #expect(answers.matches(of: /HTTP\/1\.1 (\d+)/).map(\.1) == ["200", "200", "200", "421", "100", "200", "200"])
        #expect(answers.matches(of: /<.*?>/).map(\.0) == ["<POST 0123456789>", "<GET >", "<POST abcde>", "<POST uvwxyz>"])
        for cut in 1..<bytes.count { #expect(try Self.talk([bytes[..<cut], bytes[cut...]]) == answers, "cut at \(cut)") }
        #expect(try Self.talk(bytes.indices.map { bytes[$0...$0] }) == answers)
        var random = SeededGenerator(seed: 11)
        for _ in 0..<TestScale.pick(quick: 20, full: 500) {
            var pieces: [ArraySlice<UInt8>] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...40, using: &random))
                pieces.append(piece)
                rest = rest.dropFirst(piece.count)
            }
            #expect(try Self.talk(pieces) == answers)
        }
    }

    /// What a server answers to these bytes.
    private static func talk(_ pieces: [ArraySlice<UInt8>]) throws -> String {
        let channel = EmbeddedChannel()
        let service = ReflectingService()
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: false)
        try channel.pipeline.syncOperations.addHandler(
            HTTP1ConnectionHandler(
                service: service, limits: RPCLimits(messageSize: 1_000), doorkeeper: Doorkeeper(policy: AccessPolicy(), isEncrypted: false),
                patience: .init(), eventLoop: channel.eventLoop, peer: "test", runOffLoop: { $0() }))
        var answers = ""
        for piece in pieces {
            try channel.writeInbound(ByteBuffer(bytes: piece))
            channel.embeddedEventLoop.run()
            service.readOn()
            channel.embeddedEventLoop.run()
            while let bytes = try channel.readOutbound(as: ByteBuffer.self) { answers += String(buffer: bytes) }
        }
        _ = try channel.finish(acceptAlreadyClosed: true)
        return answers
    }
}

/// Answers with what it gets; reads the bodies of `/pieces` while they arrive, when asked to.
private final class ReflectingService: HTTPService {
    private let upload = Mutex<(exchange: any HTTPExchange, content: [UInt8])?>(nil)

    func readsBody(method: String, path: String) -> Bool { path == "/pieces" }

    func handle(_ exchange: any HTTPExchange) {
        guard exchange.requestBody != nil else { return respond(exchange, exchange.request.body.array) }
        upload.withLock { $0 = (exchange, []) }
    }

    /// Reads what has arrived, and answers at the end.
    func readOn() {
        guard case (let exchange, var content)? = upload.withLock({ $0 }) else { return }
        do {
            while let part = try exchange.requestBody?.next(within: .zero) { content += part.array }
            upload.withLock { $0 = nil }
            respond(exchange, content)
        } catch {
            upload.withLock { $0 = (exchange, content) }
        }
    }

    private func respond(_ exchange: any HTTPExchange, _ content: [UInt8]) {
        exchange.respond(status: 200, headers: RPCMetadata(), body: Array("<\(exchange.request.method) ".utf8) + content + Array(">".utf8))
    }
}
