// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSync

/// A client that only writes knows when it is offline (SY-D27).
@Suite struct WriteReachabilityTests {
    // MARK: The tracker

    @Test func `an attempt is timed until it is answered, or has failed`() {
        var tracker = WriteReachability()
        #expect(tracker.opening() == [.startTimer] && tracker.opening() == [])
        #expect(tracker.ended() == [.stopTimer] && tracker.timerFired() == [] && !tracker.isUnreachable)
        #expect(tracker.opening() == [.startTimer] && tracker.timerFired() == [.changed] && tracker.isUnreachable)
        #expect(tracker.opening() == [] && tracker.failed() == [])
        #expect(tracker.ended() == [.changed] && !tracker.isUnreachable)
        #expect(tracker.opening() == [.startTimer] && tracker.failed() == [.stopTimer, .changed])
    }

    // MARK: The engine

    @Test func `a refused connection makes a client that only writes offline, an answer online`() throws {
        let fixture = try ServedEngine()
        fixture.engine.write([.set("c/a", ("n", .integer(1)))]) { _ in }
        #expect(fixture.offline.isEmpty && fixture.timers.running[.writeState] == .seconds(10))
        fixture.breakWriteStream()
        #expect(fixture.offline == [true] && fixture.engine.isOffline && fixture.engine.onlineState == .unknown)
        #expect(fixture.timers.running[.writeState] == nil)
        fixture.pass(.seconds(60), .writeBackoff)
        #expect(fixture.offline == [true])
        fixture.answerHandshake()
        #expect(fixture.offline == [true, false])
        try fixture.acknowledge(at: 10)
        #expect(try fixture.cache.store.pendingBatches().isEmpty)
    }

    @Test func `a server that does not answer does so after a time`() throws {
        let fixture = try ServedEngine { $0.offlineAfter = .seconds(3) }
        fixture.engine.write([.set("c/a")]) { _ in }
        fixture.pass(.seconds(3), .writeState)
        #expect(fixture.offline == [true])
        fixture.answerHandshake()
        #expect(fixture.offline == [true, false])
    }

    @Test func `a broken stream that works again immediately is not noticed`() throws {
        let fixture = try ServedEngine()
        fixture.engine.write([.set("c/a")]) { _ in }
        fixture.answerHandshake()
        fixture.breakWriteStream()
        #expect(fixture.offline.isEmpty)
        fixture.pass(.seconds(60), .writeBackoff)
        fixture.breakWriteStream()
        #expect(fixture.offline == [true])
    }

    @Test func `rejected credentials and rejected handshakes are answers`() throws {
        let fixture = try ServedEngine()
        fixture.engine.write([.set("c/a")]) { _ in }
        fixture.breakWriteStream(.unauthenticated)
        fixture.pass(.seconds(60), .writeBackoff)
        fixture.breakWriteStream(.permissionDenied)
        #expect(fixture.offline.isEmpty)
    }

    @Test func `attempts to connect are counted for the oldest call, and leave their error`() throws {
        let fixture = try ServedEngine()
        fixture.engine.write([.set("c/a")]) { _ in }
        fixture.engine.write([.set("c/b")]) { _ in }
        fixture.breakWriteStream()
        fixture.pass(.seconds(60), .writeBackoff)
        fixture.breakWriteStream(.unauthenticated)
        let queue = try fixture.cache.store.pendingBatches()
        #expect(queue.map(\.attempts) == [2, 0] && queue.map { $0.error?.code } == [.unauthenticated, nil])
        fixture.pass(.seconds(60), .writeBackoff)
        fixture.answerHandshake()
        try fixture.acknowledge(at: 10)
        fixture.breakWriteStream()
        #expect(try fixture.cache.store.pendingBatches().map(\.attempts) == [1])
    }

    @Test func `where something is listened to, that decides`() throws {
        let fixture = try ServedEngine()
        let listener = SyncListener(to: .query(ClientQuery(.collection("c")))) { _ in }
        fixture.engine.listen(listener)
        fixture.sync(2, at: 10)
        fixture.engine.write([.set("c/a")]) { _ in }
        fixture.breakWriteStream()
        #expect(fixture.offline.isEmpty)
        fixture.engine.unlisten(listener)
        fixture.pass(.seconds(60), .listenIdle)
        #expect(fixture.offline == [true])
        fixture.engine.listen(listener)
        fixture.sync(2, at: 11)
        #expect(fixture.offline == [true, false])
    }

    @Test func `without anything to write, and with the network disabled, it says nothing of its own`() throws {
        let fixture = try ServedEngine()
        fixture.engine.write([.set("c/a")]) { _ in }
        fixture.breakWriteStream()
        try fixture.engine.cancel(1)
        fixture.pass(.seconds(60), .writeBackoff)
        fixture.breakWriteStream()
        #expect(fixture.offline == [true, false])
        fixture.engine.write([.set("c/a")]) { _ in }
        fixture.pass(.seconds(60), .writeBackoff)
        fixture.breakWriteStream()
        fixture.engine.setNetworkEnabled(false)
        #expect(fixture.offline.suffix(1) == [true])
        fixture.engine.setNetworkEnabled(true)
        fixture.answerHandshake()
        #expect(fixture.offline.suffix(1) == [false])
    }
}
