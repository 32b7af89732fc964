// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// Several listeners of one query.
@Suite struct ListenerRowTests {
    /// A listener M of the collection, synchronized with a and b.
    private func synced() throws -> (EngineFixture, SyncListener) {
        let world = try EngineFixture()
        let listener = world.listen("M")
        world.server { $0.complete(2, .found("c/a", 1, ("n", .integer(1))), .found("c/b", 1), at: 10) }
        #expect(world.takeEvents() == ["M: [a b] +a +b"])
        #expect(world.server.takeRequests() == ["+2"])
        return (world, listener)
    }

    // T14
    @Test func `a second listener of a synchronized query receives everything immediately, and nothing is requested`() throws {
        let (world, _) = try synced()
        world.listen("M2")
        #expect(world.takeEvents() == ["M2: [a b] +a +b"])
        #expect(world.server.takeRequests() == [])
    }

    // T15
    @Test func `a second listener of a query that is not synchronized yet receives the same documents, from the cache`() throws {
        let world = try EngineFixture()
        world.listen("M")
        world.server {
            $0.tell(.found("c/a", 1), to: 2)
            $0.snapshot(at: 10)
        }
        #expect(world.takeEvents() == ["M: [a] +a fc"])
        world.listen("M2")
        #expect(world.takeEvents() == ["M2: [a] +a fc"])
        #expect(world.server.takeRequests() == ["+2"])
    }

    // T16
    @Test func `when one of two listeners is removed, the other continues`() throws {
        let (world, first) = try synced()
        world.listen("M2")
        _ = world.takeEvents()
        world.unlisten(first)
        world.server {
            $0.tell(.found("c/a", 11, ("n", .integer(2))), to: 2)
            $0.snapshot(at: 11)
        }
        #expect(world.takeEvents() == ["M2: [a b] ~a"])
        #expect(world.server.takeRequests() == [])
    }

    // T17
    @Test func `a listener that removes itself in its first callback receives nothing more`() throws {
        let (world, first) = try synced()
        world.unlisten(first)
        _ = (world.takeEvents(), world.server.takeRequests())
        // From the cache, while the call that starts it has not returned.
        let options = SyncListener.Options(includeMetadataChanges: true)
        var listener: SyncListener?
        listener = SyncListener(to: .query("c"), options: options) { _ in
            world.note("M")
            if let listener { world.engine.unlisten(listener) }
        }
        if let listener { world.engine.listen(listener) }
        world.drain()
        #expect(world.takeEvents() == ["M"])
        #expect(world.server.takeRequests() == ["+2 from t10", "-2"])
        #expect(world.server.targets.isEmpty)
        #expect(world.store.active.isEmpty)
        // With the first answer of the server.
        var other: SyncListener?
        other = SyncListener(to: .query("d"), options: options) { _ in
            world.note("O")
            if let other { world.engine.unlisten(other) }
        }
        if let other { world.engine.listen(other) }
        world.drain()
        let target = try #require(other.flatMap { world.engine.targetID(of: $0) })
        world.server { $0.complete(target, .found("d/a", 11), at: 11) }
        world.server {
            $0.tell(.found("d/b", 12), to: target)
            $0.snapshot(at: 12)
        }
        #expect(world.takeEvents() == ["O"])
        #expect(world.server.targets.isEmpty)
        #expect(world.store.active.isEmpty)
    }

    @Test func `a listener that another one removes in its callback receives nothing more`() throws {
        let (world, _) = try synced()
        var second: SyncListener?
        world.listen("K") { _ in if let second { world.engine.unlisten(second) } }
        second = world.listen("L")
        _ = world.takeEvents()
        world.write("w", .patch("c/a", "n", .integer(2)))
        #expect(world.takeEvents() == ["M: [a b] ~a pw", "K: [a b] ~a pw"])
    }

    // T24, T25
    @Test func `a listener of the cache shares the view of one of the server, and keeps it when that one is removed`() throws {
        let world = try EngineFixture()
        world.listen("C", source: .cache)
        #expect(world.takeEvents() == ["C: [] fc"])
        #expect(world.server.takeRequests() == [])
        let remote = world.listen("S")
        #expect(world.takeEvents() == [])
        world.server { $0.complete(2, .found("c/a", 1), at: 10) }
        #expect(world.takeEvents() == ["C: [a] +a", "S: [a] +a"])
        #expect(world.server.takeRequests() == ["+2"])
        world.unlisten(remote)
        #expect(world.server.takeRequests() == ["-2"])
        // Another client's change is not requested any more, and one that was in flight is ignored.
        world.server {
            $0.tell(.found("c/a", 11, ("n", .integer(2))), to: 2)
            $0.snapshot(at: 11)
        }
        #expect(world.takeEvents() == [])
        // A change of this client is shown.
        world.write("w", .patch("c/a", "n", .integer(3)))
        #expect(world.takeEvents() == ["C: [a] ~a pw"])
    }

    // T76
    @Test func `a rejection while offline is shown, from the cache`() throws {
        let (world, _) = try synced()
        world.write("w", .patch("c/a", "n", .integer(2)))
        world.server.answersTargets = false
        world.server { $0.endListen() }
        world.fire(.listenBackoff)
        world.server { $0.endListen() }
        #expect(world.takeEvents() == ["M: [a b] ~a pw", "M: [a b] fc pw"])
        world.server { $0.endWrite(.permissionDenied) }
        #expect(world.takeEvents() == ["w: rejected permissionDenied", "M: [a b] ~a fc"])
        #expect(try world.fields("a") == "{n: 1}")
    }

    // T78
    @Test func `a rejected batch is rolled back as a whole, in one snapshot`() throws {
        let (world, _) = try synced()
        world.write("w", .patch("c/a", "n", .integer(2)), .delete("c/b"), .set("c/d"))
        #expect(world.takeEvents() == ["M: [a d] -b +d ~a pw"])
        world.server { $0.endWrite(.failedPrecondition) }
        #expect(world.takeEvents() == ["w: rejected failedPrecondition", "M: [a b] -d +b ~a"])
        #expect(try world.fields("a") == "{n: 1}")
    }

    // T81
    @Test func `a call that waits for pending writes fails when the user changes`() throws {
        let world = try EngineFixture(user: SyncUser(uid: "alice"))
        world.write("w", .set("c/a"))
        world.engine.waitForPendingWrites { result in
            if case .failure(let error) = result { world.note("wait: \(error.code)") } else { world.note("wait: done") }
        }
        #expect(world.takeEvents() == [])
        world.engine.changeUser(to: SyncUser(uid: "bob"))
        world.drain()
        #expect(world.takeEvents() == ["wait: cancelled"])
        world.engine.waitForPendingWrites { _ in world.note("wait: done") }
        #expect(world.takeEvents() == ["wait: done"])
        world.engine.changeUser(to: SyncUser(uid: "alice"))
        world.drain()
        world.server { $0.acknowledge(at: 20) }
        #expect(world.takeEvents() == ["w: acknowledged"])
    }

    // T75
    @Test func `a handshake that fails for good rejects nothing: the token is forgotten and the stream opened again`() throws {
        let (world, _) = try synced()
        world.write("v", .set("c/v"))
        world.server { $0.acknowledge(at: 11) }
        world.server { $0.endWrite(.unavailable) }
        #expect(world.engine.streams.outgoing.channel.token != .empty)
        #expect(world.takeEvents() == ["M: [a b v] +v pw", "v: acknowledged"])
        world.server.answersHandshakes = false
        world.write("w", .set("c/w"))
        world.fire(.writeBackoff)
        _ = world.takeEvents()
        world.server { $0.endWrite(.permissionDenied) }
        #expect(world.engine.streams.outgoing.channel.token == .empty)
        #expect(world.takeEvents() == [])
        #expect(try world.store.pendingBatches().map(\.id) == [2])
        world.server.answersHandshakes = true
        world.fire(.writeBackoff)
        #expect(world.server.handshakes.last?.streamToken == .empty)
        world.server { $0.acknowledge(at: 12) }
        #expect(world.takeEvents() == ["w: acknowledged"])
    }
}
