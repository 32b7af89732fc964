// SPDX-License-Identifier: Apache-2.0
#if Remote
import Dispatch
import FirebaseFirestore
import FirestoreCore
import FirestoreRemote
import FirestoreTesting
import FirestoreWire
import Foundation
import TestSupport
import Testing

/// A server and the network to it, which does to connections what networks do.
@Suite(.timeLimit(.minutes(3)))
struct TestNetworkTests {
    private let network = TestNetwork(callbackQueue: DispatchQueue(label: "hearth.tests.network"))

    private func client() -> Firestore {
        let client = Firestore(over: network.connect(), databaseID: network.databaseID)
        let settings = client.settings
        settings.dispatchQueue = DispatchQueue(label: "hearth.tests.client")
        client.settings = settings
        return client
    }

    /// A Write stream with its handshake answered, and its token.
    private func writeStream(_ transport: any SyncTransport, _ log: StreamLog<WriteResponse>) async throws -> (any WriteLink, ByteSlice) {
        let link = transport.openWrite { log.receive($0) }
        link.send(WriteRequest(database: network.databaseID))
        await eventually("the handshake is answered") { log.count == 1 }
        return (link, try #require(log.responses.first?.streamToken))
    }

    private func send(_ path: String, _ link: any WriteLink, _ token: ByteSlice) {
        link.send(WriteRequest(database: network.databaseID, streamToken: token, writes: [.set(path, ("n", .integer(1)))]))
    }

    private func paths() async throws -> [String] { try await network.server.collection("c").getDocuments().documents.map(\.reference.path) }

    @Test func `clients share the server, and its clock stands still`() async throws {
        let (first, second) = (client(), client())
        try await first.document("c/a").setData(["at": FieldValue.serverTimestamp()])
        let at = try await second.document("c/a").getDocument().get("at") as? Timestamp
        #expect(at?.dateValue() == network.clock.now)
        try await network.server.document("c/b").setData(["n": 1])
        #expect(try await first.collection("c").getDocuments().count == 2)
        for client in [first, second] { try await client.terminate() }
        try await network.close()
    }

    @Test func `offline, streams end and calls fail, and nothing arrives`() async throws {
        let service = network.connect()
        let transport = try service.transport
        let log = StreamLog<WriteResponse>()
        let (link, token) = try await writeStream(transport, log)
        #expect(network.isOnline)
        network.goOffline()
        #expect(!network.isOnline)
        send("c/a", link, token)
        await eventually("the end") { log.hasEnded }
        #expect(log.error?.code == .unavailable && log.error?.progress == .unknown)
        let refused = StreamLog<ListenResponse>()
        _ = transport.openListen { refused.receive($0) }
        await eventually("the end") { refused.hasEnded }
        #expect(refused.error?.code == .unavailable && refused.error?.progress == .notConnected)
        await expectError(.unavailable) { try await service.commit(.set("c/b", ("n", .integer(1)))) }
        #expect(try await paths() == [])
        network.goOnline()
        let again = StreamLog<WriteResponse>()
        let (next, fresh) = try await writeStream(transport, again)
        send("c/c", next, fresh)
        await eventually("the answer") { again.count == 2 }
        #expect(try await paths() == ["c/c"])
        #expect(log.ends.count == 1 && log.afterEnd == 0)
        try await network.close()
    }

    @Test func `in silence nothing arrives and nothing fails`() async throws {
        let transport = try network.connect().transport
        let (log, listening, later) = (StreamLog<WriteResponse>(), StreamLog<ListenResponse>(), StreamLog<WriteResponse>())
        let (link, token) = try await writeStream(transport, log)
        let listen = transport.openListen { listening.receive($0) }
        listen.send(
            ListenRequest(
                database: network.databaseID,
                change: .add(ListenTargetRequest(target: .success(.query(.collection("c"))), targetID: 2))))
        await eventually("the first snapshot") { listening.count >= 3 }
        network.goSilent()
        let count = listening.count
        send("c/a", link, token)
        let opened = transport.openWrite { later.receive($0) }
        opened.send(WriteRequest(database: network.databaseID))
        try await network.server.document("c/b").setData(["n": 1])
        #expect(try await paths() == ["c/b"])
        #expect(listening.count == count && log.count == 1 && later.count == 0)
        #expect(!listening.hasEnded && !log.hasEnded && !later.hasEnded)
        // Who gives up may do so.
        opened.close()
        await eventually("the end") { later.hasEnded }
        network.goOnline()
        await eventually("connections of that time end") { listening.hasEnded && log.hasEnded }
        #expect(log.error?.code == .unavailable && listening.error?.code == .unavailable && later.error?.code == .cancelled)
        try await network.close()
    }

    @Test func `an interruption ends open connections, once`() async throws {
        let transport = try network.connect().transport
        let log = StreamLog<WriteResponse>()
        _ = try await writeStream(transport, log)
        network.interrupt()
        await eventually("the end") { log.hasEnded }
        #expect(log.error?.code == .unavailable)
        _ = try await writeStream(transport, StreamLog())
        try await network.close()
    }

    @Test func `an answer that is lost belongs to a write that is applied`() async throws {
        let service = network.connect()
        let transport = try service.transport
        network.loseNextAnswers(2)
        let log = StreamLog<WriteResponse>()
        let (link, token) = try await writeStream(transport, log)
        send("c/a", link, token)
        await eventually("the end") { log.hasEnded }
        #expect(log.count == 1 && log.error?.code == .unavailable && log.error?.progress == .unknown)
        await expectError(.unavailable, mentioning: "may or may not") { try await service.commit(.set("c/b", ("n", .integer(1)))) }
        try await service.commit(.set("c/c", ("n", .integer(1))))
        #expect(try await paths() == ["c/a", "c/b", "c/c"])
        try await network.close()
    }

    @Test func `a write that the server rejects is not applied, and neither are those after it on the stream`() async throws {
        let service = network.connect()
        let transport = try service.transport
        let log = StreamLog<WriteResponse>()
        let (link, token) = try await writeStream(transport, log)
        send("c/a", link, token)
        network.failNextWrites(count: 2, with: .permissionDenied)
        send("c/b", link, token)
        send("c/c", link, token)
        await eventually("the end") { log.hasEnded }
        // The handshake and the first batch are answered before.
        #expect(log.count == 2 && log.error?.code == .permissionDenied && log.error?.progress == .answered)
        await expectError(.permissionDenied) { try await service.commit(.set("c/d", ("n", .integer(1)))) }
        #expect(try await paths() == ["c/a"])
        network.failNextWrites(count: .max, with: .permissionDenied)
        await expectError(.permissionDenied) { try await service.commit(.set("c/e", ("n", .integer(1)))) }
        await expectError(.permissionDenied) { try await service.commit(.set("c/e", ("n", .integer(1)))) }
        network.stopFailing()
        try await service.commit(.set("c/e", ("n", .integer(1))))
        try await network.close()
    }

    @Test func `closing a stream is not a write`() async throws {
        let transport = try network.connect().transport
        let log = StreamLog<WriteResponse>()
        let (link, _) = try await writeStream(transport, log)
        network.failNextWrites(with: .permissionDenied)
        link.close()
        await eventually("the end") { log.hasEnded }
        #expect(log.error == nil)
        try await network.close()
    }

    @Test func `a latency delays each message, in both directions`() async throws {
        network.latency = .milliseconds(20)
        let service = network.connect()
        let start = ContinuousClock.now
        try await service.commit(.set("c/a", ("n", .integer(1))))
        #expect(.now - start >= .milliseconds(40))
        let log = StreamLog<WriteResponse>()
        let (link, token) = try await writeStream(try service.transport, log)
        for number in 0..<50 { send("c/\(number)", link, token) }
        await eventually("the answers") { log.count == 51 }
        let times = log.responses.dropFirst().compactMap(\.commitTime)
        #expect(times == times.sorted())
        try await network.close()
    }
}

extension StreamLog<WriteResponse> {
    fileprivate func receive(_ event: WriteStreamEvent) {
        switch event {
        case .response(let response): note(response)
        case .ended(let error): noteEnd(error)
        }
    }
}

extension StreamLog<ListenResponse> {
    fileprivate func receive(_ event: ListenStreamEvent) {
        switch event {
        case .response(let response): note(response)
        case .ended(let error): noteEnd(error)
        }
    }
}
#endif
