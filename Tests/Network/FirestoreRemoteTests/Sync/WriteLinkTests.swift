// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreRemote
import FirestoreWire
import NetworkFaults
import TestSupport
import Testing

/// Raw Write streams: the engine sends the handshake, and nothing is repeated.
@Suite(.timeLimit(.minutes(3)))
struct WriteLinkTests {
    @Test func `a handshake, batches in order, and a proper end`() async throws {
        try await RemoteFixture.with { fixture in
            let transport = try fixture.service.transport
            let log = WriteLog()
            let link = transport.write(log)
            link.send(.handshake)
            await eventually("the handshake is answered") { log.count == 1 }
            let greeting = try #require(log.responses.first)
            #expect(!greeting.streamID.isEmpty && !greeting.streamToken.isEmpty && greeting.results.isEmpty)
            for number in 0..<100 { link.send(.batch(greeting.streamToken, .set("c/last", number), .set("c/\(number)", number))) }
            await eventually("all are answered") { log.count == 101 }
            let times = log.responses.dropFirst().compactMap(\.commitTime)
            #expect(times.count == 100 && times == times.sorted() && Set(times).count == 100)
            #expect(log.responses.dropFirst().allSatisfy { $0.results.count == 2 })
            #expect(try await fixture.truth.get("c/last")?.number == 99)
            link.close()
            link.close()
            await eventually("the end") { log.hasEnded }
            // Closed with a message, not cancelled.
            #expect(log.ends.count == 1 && log.error == nil && log.afterEnd == 0)
            #expect(fixture.counter.started("Write") == 1 && fixture.counter.started("Commit") == 0)
        }
    }

    @Test func `a batch that fails ends the stream with its error, and those after it are not applied`() async throws {
        try await RemoteFixture.with { fixture in
            let transport = try fixture.service.transport
            let log = WriteLog()
            let link = transport.write(log)
            link.send(.handshake)
            await eventually("the handshake is answered") { log.count == 1 }
            let token = try #require(log.responses.first?.streamToken)
            link.send(.batch(token, .set("c/a", 1)))
            link.send(.batch(token, .set("c/b", 2, .exists(true))))
            link.send(.batch(token, .set("c/c", 3)))
            await eventually("the end") { log.hasEnded }
            #expect(log.count == 2 && log.error?.code == .notFound && log.error?.progress == .answered)
            #expect(try await fixture.truth.paths(.collection("c")) == ["c/a"])
        }
    }

    @Test func `a stream with unanswered batches is cancelled, one without is closed with its last token`() throws {
        for (batches, answers, isCancelled) in [(0, 0, true), (0, 1, false), (1, 1, true), (1, 2, false)] {
            let channel = HandDrivenChannel()
            let transport = try RemoteService(channel, database: RemoteFixture.database).transport
            let log = WriteLog()
            let link = transport.write(log)
            let call = try #require(channel.calls.first)
            link.send(.handshake)
            for _ in 0..<batches { link.send(.batch(.empty, .set("c/a"))) }
            for number in 0..<answers {
                call.handler.receive(ByteSlice(WriteResponse(streamID: "s", streamToken: ByteSlice([UInt8(number)])).encoded()))
            }
            while log.count < answers {}
            link.close()
            #expect(call.isCancelled == isCancelled && call.isHalfClosed == !isCancelled, "\(batches) sent, \(answers) answers")
            link.send(.batch(.empty, .set("c/b")))
            #expect(call.sent.count == 1 + batches + (isCancelled ? 0 : 1))
            guard !isCancelled, let last = call.sent.last else { continue }
            let request = try WriteRequest(decoding: last)
            #expect(request.writes.isEmpty && request.streamToken == ByteSlice([UInt8(answers - 1)]))
        }
    }

    @Test(arguments: [RPCStatus(.aborted, "a conflict"), RPCStatus(.unavailable, "lost", progress: .unknown), nil])
    func `the end of a stream is reported unchanged`(status: RPCStatus?) async throws {
        let channel = HandDrivenChannel()
        let transport = try RemoteService(channel, database: RemoteFixture.database).transport
        let log = WriteLog()
        _ = transport.write(log)
        let call = try #require(channel.calls.first)
        #expect(call.sent.isEmpty)
        call.handler.ended(status, trailers: RPCMetadata())
        await eventually("the end") { log.hasEnded }
        #expect(log.error?.code == status?.code && log.error?.message == status?.message && log.error?.progress == status?.progress)
    }

    @Test func `over a socket that breaks before the answer the stream ends, and the applied batch is not reported`() async throws {
        try await FaultFixture.with { fixture in
            let transport = try fixture.service.transport
            let log = WriteLog()
            let link = transport.write(log)
            link.send(WriteRequest(database: FaultFixture.database))
            await eventually("the handshake is answered") { log.count == 1 }
            let token = try #require(log.responses.first?.streamToken)
            fixture.proxy.loseAnswer()
            link.send(WriteRequest(database: FaultFixture.database, streamToken: token, writes: [.set("c/a", 1)]))
            await eventually("the end") { log.hasEnded }
            #expect(log.count == 1 && log.error?.code == .unavailable && log.error?.progress == .unknown)
            #expect(try await fixture.truth.get("c/a")?.number == 1)
        }
    }
}
