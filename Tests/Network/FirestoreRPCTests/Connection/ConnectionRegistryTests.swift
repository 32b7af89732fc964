// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOEmbedded
import Testing

@testable import FirestoreRPC

/// Which connections a server takes.
struct ConnectionRegistryTests {
    private let observer = CountingObserver()

    private func channel(at time: Int64 = 0) -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        channel.embeddedEventLoop.advanceTime(by: .seconds(time))
        return channel
    }

    @Test func `a full server ends the connection that has been idle for longest`() throws {
        let registry = ConnectionRegistry(limit: 4, observer: observer)
        let channels = (0..<4).map { channel(at: Int64($0)) }
        let activities = try channels.map { try #require(registry.admit($0, peer: "a:1")) }
        activities[0].note(openCalls: 1, at: .uptimeNanoseconds(0))
        activities[1].note(openCalls: 0, at: .uptimeNanoseconds(9_000_000_000))
        let journal = Journal()
        for (number, channel) in channels.enumerated() { channel.closeFuture.whenComplete { _ in journal.note("\(number)") } }
        func closed() -> [String] {
            for channel in channels { channel.embeddedEventLoop.run() }
            return journal.lines
        }
        #expect(registry.admit(channel(at: 10), peer: "a:1") != nil)
        #expect(closed() == ["2"])
        #expect(registry.admit(channel(at: 10), peer: "a:1") != nil)
        #expect(closed() == ["2", "3"])
        #expect(observer.lines.filter { $0 == "shed idle" }.count == 2)
    }

    @Test func `a full server without an idle connection refuses a new one`() throws {
        let registry = ConnectionRegistry(limit: 1, observer: observer)
        let busy = channel()
        try #require(registry.admit(busy, peer: "a:1")).note(openCalls: 3, at: .uptimeNanoseconds(1))
        #expect(registry.admit(channel(), peer: "a:1") == nil)
        #expect(observer.lines == ["opened", "shed connections", "connection refused"])
        try busy.close().wait()
        busy.embeddedEventLoop.run()
        #expect(registry.admit(channel(), peer: "a:1") != nil)
    }

    @Test func `an address has so many connections, whichever of its ports they come from; a proxy any number`() throws {
        let bound = AddressBound(limit: 2) { peer, metadata in
            if peer.hasPrefix("proxy") { return metadata.map { .address($0["x-forwarded-for"] ?? "") } ?? .proxy }
            return peer.hasPrefix("127.") ? .unbounded : .address(String(peer.prefix { $0 != ":" }))
        }
        let registry = ConnectionRegistry(limit: 100, bound: bound, observer: observer)
        let first = channel()
        #expect(registry.admit(first, peer: "a:1") != nil)
        #expect(registry.admit(channel(), peer: "a:2") != nil)
        #expect(registry.admit(channel(), peer: "a:3") == nil)
        #expect(observer.lines.suffix(2) == ["shed address", "connection refused"])
        #expect(registry.admit(channel(), peer: "b:1") != nil)
        for number in 0..<10 {
            #expect(registry.admit(channel(), peer: "127.0.0.1:\(number)") != nil)
            #expect(registry.admit(channel(), peer: "proxy:\(number)") != nil)
        }
        try first.close().wait()
        first.embeddedEventLoop.run()
        #expect(registry.admit(channel(), peer: "a:4") != nil)
        #expect(registry.clients(behind: "a:1") == nil && registry.clients(behind: "127.0.0.1:1") == nil)
        let clients = try #require(registry.clients(behind: "proxy:1"))
        // Clients that come through the proxy count together with clients that come directly.
        #expect(throws: RPCStatus.self) { try clients.enter(RPCMetadata([("x-forwarded-for", "a")])).get() }
        #expect(try clients.enter(RPCMetadata([("x-forwarded-for", "c")])).get() == "c")
    }
}
