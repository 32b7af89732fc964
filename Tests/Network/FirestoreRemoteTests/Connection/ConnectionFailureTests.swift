// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import Foundation
import Logging
import NIOCore
import NIOPosix
import ServerTestSupport
import TestSupport
import Testing

@testable import FirestoreRemote

/// Connection failures are explained, over real sockets and real TLS.
@Suite(.timeLimit(.minutes(3)))
struct ConnectionFailureTests {
    private static let key = DocumentKey(trusted: "c/d")
    private static let database = DatabaseID(projectID: "p")

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let server: TestCertificate?
        let usesTLS: Bool
        let trusted: TestCertificate?
        /// nil: it works.
        let code: FirestoreError.Code?
        let words: [String]
    }

    static let rows = [
        Row(testDescription: "a trusted certificate", server: .localhost, usesTLS: true, trusted: .localhost, code: nil, words: []),
        Row(testDescription: "no TLS on either side", server: nil, usesTLS: false, trusted: nil, code: nil, words: []),
        Row(
            testDescription: "an authority nobody knows", server: .localhost, usesTLS: true, trusted: nil, code: .failedPrecondition,
            words: ["not trusted", "trustedCertificates"]),
        Row(
            testDescription: "another authority", server: .localhost, usesTLS: true, trusted: .elsewhere, code: .failedPrecondition,
            words: ["not trusted", "trust.pem"]),
        Row(
            testDescription: "another host's certificate", server: .elsewhere, usesTLS: true, trusted: .elsewhere, code: .failedPrecondition,
            words: ["for another host"]),
        Row(
            testDescription: "TLS to a plain server", server: nil, usesTLS: true, trusted: .localhost, code: .failedPrecondition,
            words: ["does not speak TLS", "isSSLEnabled = false"]),
        Row(
            testDescription: "no TLS to a server with TLS", server: .localhost, usesTLS: false, trusted: nil, code: nil, words: ["TLS", "isSSLEnabled"]),
    ]

    private func endpoint(_ row: Row, _ port: Int, _ folder: ScratchFolder) throws -> RemoteEndpoint {
        let trust = try row.trusted.map { try folder.file("trust.pem", $0.certificate + "\n") }
        return try .server("localhost:\(port)", usesTLS: row.usesTLS, trustFile: trust, credentials: Credentials.none)
    }

    private func with(_ row: Row, _ body: (RemoteService) async throws -> Void) async throws {
        let folder = try ScratchFolder()
        var log = Logger(label: "test")
        log.logLevel = .critical
        let databases = DatabaseRegistry(DatabaseOpening(storage: .memory), log: log)
        let server = RPCServer(
            configuration: RPCServerConfiguration(tls: try row.server.map { try $0.files(in: folder.url) }),
            service: FirestoreService(databases: databases), logger: log)
        let address = try await server.start()
        let sleeps = SleepRecorder()
        let remote = try endpoint(row, address.port, folder).open(
            Self.database, backoff: sleeps.backoff(first: .zero),
            retries: RetryPolicy(attemptsBeforeContact: 2, backoff: sleeps.backoff(first: .zero)))
        do { try await body(remote) } catch {
            Issue.record(error)
        }
        await remote.shutdown()
        await server.shutdown(grace: .zero)
        await databases.close()
    }

    @Test(arguments: rows) func `an error names what is wrong with a connection`(_ row: Row) async throws {
        try await with(row) { remote in
            let read = await failure { try await remote.documents([Self.key], context: .embedded) }
            let write = await failure { try await remote.commit([Write(key: Self.key, operation: .delete)], context: .embedded) }
            for error in [read, write] {
                if row.words.isEmpty {
                    #expect(error == nil, "\(String(describing: error))")
                    continue
                }
                let error = try #require(error)
                // A server that only closes a connection might be one that stops.
                if let code = row.code { #expect(error.code == code, "\(error)") } else { #expect([.failedPrecondition, .unavailable].contains(error.code)) }
                for word in row.words + ["localhost:"] { #expect(error.message.contains(word), "\(error.message)") }
            }
        }
    }

    @Test func `a listener fails with the reason when a certificate is invalid`() async throws {
        try await with(Self.rows[2]) { remote in
            let sink = RecordingSink()
            let handle = remote.watch(.document(Self.key), context: .embedded, sink: sink)
            await until { sink.errors.last != nil }
            #expect(sink.errors.last?.message.contains("not trusted") == true)
            handle.cancel()
        }
    }

    @Test func `without a server at the port a call makes three attempts and reports the reason`() async throws {
        let sleeps = SleepRecorder()
        let remote = try RemoteEndpoint.server("127.0.0.1:1").open(
            Self.database, retries: RetryPolicy(backoff: sleeps.backoff(first: .seconds(1))))
        let error = await failure { try await remote.documents([Self.key], context: .embedded) }
        #expect(error?.code == .unavailable && error?.progress == .notConnected)
        #expect(error?.message.contains("127.0.0.1:1 cannot be reached: connection refused") == true, "\(String(describing: error))")
        #expect(sleeps.durations.count == 2)
        await remote.shutdown()
    }

    @Test func `a server of HTTP/1 is not a Firestore server`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let listener = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(BadRequestHandler())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        let remote = try RemoteEndpoint.server("127.0.0.1:\(port)").open(Self.database)
        let error = await failure { try await remote.documents([Self.key], context: .embedded) }
        #expect(error?.code == .failedPrecondition && error?.message.contains("HTTP/1") == true, "\(String(describing: error))")
        await remote.shutdown()
        try await listener.close().get()
        try await group.shutdownGracefully()
    }

    @Test func `a file of certificates that is missing is named`() throws {
        let error = #expect(throws: FirestoreError.self) {
            _ = try RemoteEndpoint.server("localhost:1", usesTLS: true, trustFile: "/nowhere/ca.pem").open(Self.database)
        }
        #expect(error?.code == .invalidArgument && error?.message.contains("/nowhere/ca.pem") == true)
    }

    @Test func `no token crosses a network unencrypted`() throws {
        let provider = Credentials.provider(TokenProvider { AccessToken("t", expiry: 1) })
        for host in ["example.com:80", "10.0.0.1:8080", "127.evil.example:80"] {
            let error = #expect(throws: FirestoreError.self) { _ = try RemoteEndpoint.server(host, credentials: provider).open(Self.database) }
            #expect(error?.code == .invalidArgument && error?.message.contains("TLS") == true)
        }
        for host in ["localhost:1", "127.0.0.1:1", "[::1]:1"] {
            _ = try RemoteEndpoint.server(host, credentials: provider).open(Self.database)
        }
    }
}

/// Answers anything with an error of HTTP/1.
private final class BadRequestHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let answer = ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")
        context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    }
}
