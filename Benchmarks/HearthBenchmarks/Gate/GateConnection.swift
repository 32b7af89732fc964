// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import Foundation
import Logging
import NIOCore
import NIOEmbedded

/// A client's and a server's connection on one loop that stands still between turns: a call passes through both cores, both framings, the
/// server's methods and the engine, on the calling thread.
struct GateConnection {
    /// Few enough for the engine to read the documents on the calling thread.
    private static let inFlight = 8

    private let loop = EmbeddedEventLoop()
    private let client: EmbeddedChannel
    private let server: EmbeddedChannel
    private let channel: RPCLoopback

    init(_ service: FirestoreService, _ observer: ServerObserver) throws {
        client = EmbeddedChannel(loop: loop)
        server = EmbeddedChannel(loop: loop)
        channel = try RPCLoopback(service, observer: observer, from: client, to: server)
        for side in [client, server] { try side.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait() }
        try carry()
    }

    /// Carries bytes until both sides are silent.
    private func carry() throws {
        var isSilent = false
        while !isSilent {
            loop.run()
            isSilent = try !(carry(from: client, to: server))
            loop.run()
            if try carry(from: server, to: client) { isSilent = false }
        }
    }

    /// One turn of the receiver for everything that the sender has written. Returns whether that was something.
    private func carry(from sender: EmbeddedChannel, to receiver: EmbeddedChannel) throws -> Bool {
        var bytes = ByteBuffer()
        while var written = try sender.readOutbound(as: ByteBuffer.self) { bytes.writeBuffer(&written) }
        guard bytes.readableBytes > 0 else { return false }
        try receiver.writeInbound(bytes)
        return true
    }

    /// So many calls, some of them in flight at a time.
    func call(_ method: FirestoreMethod, _ request: [UInt8], times: Int) throws {
        for start in stride(from: 0, to: times, by: Self.inFlight) {
            let answers = Answers()
            let count = min(Self.inFlight, times - start)
            for _ in 0..<count {
                _ = channel.open(method.path, only: request, metadata: RPCMetadata(), deadline: nil, handler: answers)
            }
            try carry()
            try answers.check(count)
        }
    }

    static var get: BenchmarkCase {
        BenchmarkCase("gRPC: GetDocument of 1 KB from the client's connection to the engine and back") {
            let log = Logger(label: "hearth.gate") { _ in SwiftLogNoOpLogHandler() }
            let folder = try BenchmarkDirectory.make()
            // In a file, where reads need no other thread.
            let databases = DatabaseRegistry(
                DatabaseOpening(storage: .directory(folder.path), clock: ManualClock(microseconds: GateCases.time.microseconds)), log: log)
            let database = try await databases.open(GateCases.database)
            _ = try await database.commit([GateDatabase.write(7)], context: .embedded)
            let service = FirestoreService(databases: databases)
            let observer = ServerObserver(metrics: ServerMetrics(factory: PrometheusRegistry()), log: log)
            let request = GetDocumentRequest(database: GateCases.database, key: GateCases.key(7)).encoded()
            return BenchmarkCase.Contenders(
                // A connection for each round, because a loop that stands still belongs to its thread.
                ours: { try GateConnection(service, observer).call(.getDocument, request, times: $0) },
                tearDown: {
                    await databases.close()
                    try BenchmarkDirectory.remove(folder)
                })
        }
    }
}

/// Counts the calls that end well, with a message of a document's size.
private final class Answers: RPCClientHandler {
    private let state = Mutex((messages: 0, ended: 0, failure: RPCStatus?.none))

    /// Fails unless each of so many calls has had an answer and has ended well.
    func check(_ count: Int) throws {
        let (messages, ended, failure) = state.withLock { $0 }
        if let failure { throw failure }
        guard messages == count, ended == count else { throw BenchmarkFailure("\(messages) answers and \(ended) ends of \(count) calls") }
    }

    func receive(_ message: ByteSlice) { if message.count > 900 { state.withLock { $0.messages += 1 } } }
    func becameWritable() {}

    func ended(_ status: RPCStatus?, trailers: RPCMetadata) {
        state.withLock { state in
            state.ended += 1
            state.failure = state.failure ?? status
        }
    }
}
