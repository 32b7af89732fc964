// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// Views and streams of which something is left over from before (SY-135, SY-116).
@Suite struct StaleViewTests {
    private func one(_ n: Int64, at version: Int64) -> RemoteDocument { .found("c/a", version, ("n", .integer(n))) }

    @Test func `a read from the server waits for it, although a listener in the cache shows an earlier result`() throws {
        let world = try EngineFixture()
        world.listen("C", source: .cache)
        let read = world.listen("R", source: .server, waitsForSync: true)
        world.server { $0.complete(2, one(1, at: 10), at: 10) }
        world.unlisten(read)
        #expect(world.takeEvents() == ["C: [] fc", "C: [a] +a", "R: [a] +a"])
        // The server has another state, of which this client receives nothing.
        _ = world.server.takeRequests()
        world.listen("S", source: .server, waitsForSync: true)
        #expect(world.takeEvents() == ["C: [a] fc"])
        #expect(world.server.takeRequests() == ["+2 from t10"])
        world.server { $0.complete(2, one(2, at: 20), at: 20) }
        #expect(try world.takeEvents() == ["C: [a] ~a", "S: [a] +a"] && world.fields("a", of: "S") == "{n: 2}")
    }

    // MARK: The Listen stream

    @Test func `after a wrong count nothing resumes from an earlier time`() throws {
        let served = try ServedEngine()
        served.engine.listen(SyncListener(to: .query("c")) { _ in })
        served.sync(2, at: 10, one(1, at: 5))
        served.server.listen?.tell(.filter(ExistenceFilter(target: 2, count: 3, names: nil)))
        served.server.listen?.tell(.targetChange(TargetChange(.noChange, readTime: DocumentVersion(microseconds: 11))))
        served.run()
        #expect(served.server.targets[2] == .beginning)
        served.breakListenStream()
        served.pass(.seconds(60), .listenBackoff)
        #expect(served.server.targets[2] == .beginning)
    }

    @Test func `to enable an enabled network ends a wait, and changes nothing else`() throws {
        let served = try ServedEngine()
        served.engine.listen(SyncListener(to: .query("c")) { _ in })
        served.breakListenStream()
        #expect(served.offline == [true] && served.server.listen == nil)
        served.engine.setNetworkEnabled(true)
        #expect(served.server.listen != nil && served.engine.onlineState == .offline)
        served.sync(2, at: 10)
        #expect(served.engine.onlineState == .online)
        served.engine.retryNow()
        #expect(served.engine.onlineState == .online && served.offline == [true, false])
    }

    @Test func `a stream that nothing needs any more ends when it was idle`() throws {
        let served = try ServedEngine()
        let listener = SyncListener(to: .query("c")) { _ in }
        served.engine.listen(listener)
        served.breakListenStream()
        served.engine.unlisten(listener)
        served.pass(.seconds(60), .listenBackoff)
        #expect(served.timers.running[.listenIdle] != nil)
        served.engine.write([.set("c/a")]) { _ in }
        served.breakWriteStream()
        try served.engine.cancel(1)
        served.pass(.seconds(60), .writeBackoff)
        served.answerHandshake()
        #expect(served.server.batches.isEmpty && served.timers.running[.writeIdle] != nil)
    }

    // MARK: Targets that end

    /// M listens to target 2, which is synced; the server answers no requests by itself.
    private func world() throws -> (EngineFixture, SyncListener) {
        let world = try EngineFixture()
        world.server.answersTargets = false
        let listener = world.listen("M")
        world.server {
            $0.change(.add, 2)
            $0.complete(2, one(1, at: 10), at: 10)
        }
        _ = (world.takeEvents(), world.server.takeRequests())
        return (world, listener)
    }

    private let refusal = FirestoreError(.permissionDenied, "no")

    @Test func `an error that crosses the end of a listener does not silence the next`() throws {
        let (world, listener) = try world()
        world.unlisten(listener)
        world.server { $0.change(.remove, 2, because: refusal) }
        world.listen("N")
        world.server {
            $0.change(.add, 2)
            $0.complete(2, one(2, at: 20), at: 20)
        }
        #expect(world.takeEvents() == ["N: [a] +a fc", "N: [a] ~a"])
    }

    @Test func `an error of an earlier use does not end the next`() throws {
        let (world, listener) = try world()
        world.unlisten(listener)
        world.listen("N")
        world.server {
            $0.change(.remove, 2, because: refusal)
            $0.change(.add, 2)
            $0.complete(2, one(2, at: 20), at: 20)
        }
        #expect(world.takeEvents() == ["N: [a] +a fc", "N: [a] ~a"])
        // This one is its own.
        world.server { $0.change(.remove, 2, because: refusal) }
        #expect(world.takeEvents() == ["N: permissionDenied"])
    }

    @Test func `a target that the server gives up without a word is requested again`() throws {
        let (world, _) = try world()
        world.server { $0.change(.remove, 2) }
        #expect(world.server.takeRequests() == ["+2 from t10"])
        world.server {
            $0.change(.add, 2)
            $0.complete(2, one(2, at: 20), at: 20)
        }
        #expect(world.takeEvents() == ["M: [a] ~a"])
    }
}
