// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreRPC
import FirestoreRemote
import FirestoreWire
import NetworkFaults
import TestSupport
import Testing

/// Raw Listen streams: messages as they are, and how the stream ended.
@Suite(.timeLimit(.minutes(3)))
struct ListenLinkTests {
    private let query = StructuredQuery.collection("c")

    @Test func `a target is added, listened to and removed`() async throws {
        try await RemoteFixture.with { fixture in
            try await fixture.truth.commit(.set("c/a", 1))
            let transport = try fixture.service.transport
            let log = ListenLog()
            let link = transport.listen(log)
            link.send(.add(query, 2))
            await eventually("the first snapshot") { log.isCurrent(2) && log.snapshots > 0 }
            #expect(log.changed == ["c/a"])
            try await fixture.truth.commit(.set("c/b", 2))
            await eventually("the change") { log.changed == ["c/a", "c/b"] }
            link.send(.remove(2))
            await eventually("the removal is confirmed") { log.isRemoved(2) }
            #expect(!log.hasEnded)
            link.close()
            link.close()
            await eventually("the end") { log.hasEnded }
            #expect(log.ends.count == 1 && log.error?.code == .cancelled && log.afterEnd == 0)
            await eventually("the server knows") { fixture.counter.open("Listen") == 0 }
        }
    }

    @Test func `a token resumes a target, and a wrong count is answered by an existence filter`() async throws {
        try await RemoteFixture.with { fixture in
            try await fixture.truth.commit(.set("c/a", 1))
            let transport = try fixture.service.transport
            let first = ListenLog()
            let link = transport.listen(first)
            link.send(.add(query, 2))
            await eventually("the first snapshot") { first.snapshots > 0 && first.token != nil }
            let token = try #require(first.token)
            link.close()
            try await fixture.truth.commit(.set("c/b", 2))

            let right = ListenLog()
            let next = transport.listen(right)
            next.send(.add(query, 2, from: .resumeToken(token), expecting: 1))
            await eventually("what is new") { right.isCurrent(2) && right.snapshots > 0 }
            #expect(right.changed == ["c/b"])
            next.close()

            let wrong = ListenLog()
            let last = transport.listen(wrong)
            last.send(.add(query, 2, from: .resumeToken(token), expecting: 7))
            await eventually("the filter") { !wrong.filters.isEmpty }
            #expect(wrong.filters.first?.target == 2 && wrong.filters.first?.count == 2)
            last.close()
        }
    }

    @Test func `a target's labels are sent`() throws {
        let channel = HandDrivenChannel()
        let transport = try RemoteService(channel, database: RemoteFixture.database).transport
        let link = transport.listen(ListenLog())
        link.send(.add(query, 4, labels: [("goog-listen-tags", "existence-filter-mismatch")]))
        let sent = try #require(channel.calls.first?.sent.first)
        let request = try ListenRequest(decoding: sent)
        #expect(request.labels.map(\.name) == ["goog-listen-tags"] && request.labels.map(\.value) == ["existence-filter-mismatch"])
    }

    @Test(arguments: [
        RPCStatus(.permissionDenied, "no", progress: .answered), RPCStatus(.unavailable, "gone", progress: .notConnected),
        RPCStatus(.unavailable, "lost", progress: .unknown), RPCStatus(.unauthenticated, "who", progress: .notBegun), nil,
    ])
    func `the end of a stream is reported unchanged`(status: RPCStatus?) async throws {
        let channel = HandDrivenChannel()
        let transport = try RemoteService(channel, database: RemoteFixture.database).transport
        let log = ListenLog()
        _ = transport.listen(log)
        let call = try #require(channel.calls.first)
        call.handler.receive(ByteSlice(ListenResponse.targetChange(TargetChange(.add, targets: [2])).encoded()))
        call.handler.ended(status, trailers: RPCMetadata())
        await eventually("the end") { log.hasEnded }
        #expect(log.count == 1 && log.ends.count == 1)
        #expect(log.error?.code == status?.code && log.error?.message == status?.message && log.error?.progress == status?.progress)
    }

    @Test func `after a message that cannot be read nothing is believed`() async throws {
        let channel = HandDrivenChannel()
        let transport = try RemoteService(channel, database: RemoteFixture.database).transport
        let log = ListenLog()
        _ = transport.listen(log)
        let call = try #require(channel.calls.first)
        call.handler.receive(ByteSlice([0xFF, 0xFF]))
        call.handler.receive(ByteSlice(ListenResponse.targetChange(TargetChange(.add, targets: [2])).encoded()))
        await eventually("it is cancelled") { call.isCancelled }
        call.handler.ended(RPCStatus(.cancelled, "cancelled"), trailers: RPCMetadata())
        await eventually("the end") { log.hasEnded }
        #expect(log.count == 0 && log.ends.count == 1 && log.error?.code == .unavailable)
    }

    @Test func `an engine that is slow stops the server`() async throws {
        let channel = HandDrivenChannel()
        let transport = try RemoteService(channel, database: RemoteFixture.database).transport
        let (log, gate) = (ListenLog(), DispatchSemaphore(value: 0))
        _ = transport.openListen { event in
            gate.wait()
            log.receive(event)
        }
        let call = try #require(channel.calls.first)
        let document = Document(
            key: DocumentKey(trusted: "c/a"), createTime: DocumentVersion(microseconds: 1), updateTime: DocumentVersion(microseconds: 1),
            fields: FieldBytes(FieldMap([("t", .string(String(repeating: "x", count: 900_000)))])))
        let message = ByteSlice(ListenResponse.documentChange(RemoteFixture.database, document, targets: [2], removedFrom: []).encoded())
        for _ in 0..<4 { call.handler.receive(message) }
        #expect(call.readings == [])
        call.handler.receive(message)
        #expect(call.readings == [false])
        for _ in 0..<5 { gate.signal() }
        await eventually("it goes on") { call.readings == [false, true] }
        await eventually("all arrived") { log.count == 5 }
    }

    @Test func `over a socket that breaks the stream ends, and the next user opens another one`() async throws {
        try await FaultFixture.with { fixture in
            try await fixture.truth.commit(.set("c/a", 1))
            let transport = try fixture.service.transport
            let log = ListenLog()
            let link = transport.listen(log)
            link.send(.add(query, 2, of: FaultFixture.database))
            await eventually("the first snapshot") { log.snapshots > 0 }
            fixture.proxy.cut(.reset)
            await eventually("the end") { log.hasEnded }
            #expect(log.ends.count == 1 && log.error?.code == .unavailable && log.afterEnd == 0)
            let again = ListenLog()
            let next = transport.listen(again)
            next.send(.add(query, 2, of: FaultFixture.database))
            await eventually("the first snapshot again") { again.snapshots > 0 }
            #expect(fixture.counter.started("Listen") == 2)
            next.close()
        }
    }
}
