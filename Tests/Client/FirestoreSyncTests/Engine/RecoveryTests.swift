// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// What happens when the cache cannot be written or read for a while (SY-159): the client is offline, and loses nothing.
@Suite struct RecoveryTests {
    /// A listener M synchronized with a, and a write w of a in flight.
    private func world() throws -> EngineFixture {
        let world = try EngineFixture()
        world.listen("M")
        world.server { $0.complete(2, .found("c/a", 1, ("n", .integer(1))), at: 10) }
        world.write("w", .patch("c/a", "n", .integer(2)))
        #expect(world.takeEvents() == ["M: [a] +a", "M: [a] ~a pw"])
        return world
    }

    private func fail(_ world: EngineFixture, _ operations: StoreOperation...) {
        world.store.willRun = { (operation) throws(FirestoreError) in
            if operations.contains(operation) { throw FirestoreError(.unavailable, "the disk is full") }
        }
    }

    private func expectOffline(_ world: EngineFixture, _ comment: Comment) {
        #expect(!world.server.isListening && !world.server.isWriting, comment)
        #expect(world.engine.onlineState == .offline, comment)
        #expect(world.timers.running[.storeRetry] != nil, comment)
        #expect(world.log.lines.contains { $0.contains("the disk is full") }, comment)
    }

    /// The store works again. The server sends what it has on the new streams.
    private func recover(_ world: EngineFixture) {
        world.store.willRun = nil
        world.fire(.storeRetry)
        #expect(world.server.isListening)
        #expect(world.timers.running[.storeRetry] == nil)
        #expect(world.engine.streams.recovery.isEmpty)
    }

    @Test func `an answer that cannot be stored is applied later, once`() throws {
        let world = try world()
        fail(world, .acknowledge)
        world.server { $0.acknowledge(at: 12) }
        expectOffline(world, "acknowledgement")
        #expect(world.takeEvents() == ["M: [a] fc pw"])
        // Still broken: tried again later.
        world.fire(.storeRetry)
        expectOffline(world, "still")
        recover(world)
        #expect(world.takeEvents() == ["w: acknowledged"])
        #expect(world.server.batches.isEmpty)
        #expect(try world.store.pendingBatches().isEmpty)
        world.server { $0.complete(2, .found("c/a", 12, ("n", .integer(2))), at: 12) }
        #expect(world.takeEvents() == ["M: [a] µa"])
    }

    @Test func `a rejection that cannot be stored is applied later, once`() throws {
        let world = try world()
        fail(world, .reject)
        world.server { $0.endWrite(.permissionDenied) }
        expectOffline(world, "rejection")
        #expect(world.takeEvents() == ["M: [a] fc pw"])
        recover(world)
        #expect(world.takeEvents() == ["w: rejected permissionDenied", "M: [a] ~a fc"])
        #expect(try world.store.failedBatches().map(\.id) == [1])
        #expect(world.server.batches.isEmpty)
    }

    @Test func `a snapshot that cannot be stored is reported again`() throws {
        let world = try world()
        fail(world, .applyRemoteEvent, .lastSnapshotVersion)
        world.server {
            $0.tell(.found("c/b", 11), to: 2)
            $0.snapshot(at: 11)
        }
        expectOffline(world, "snapshot")
        #expect(world.takeEvents() == ["M: [a] fc pw"])
        _ = world.server.takeRequests()
        world.fire(.storeRetry)
        expectOffline(world, "the probe fails")
        recover(world)
        // From before the snapshot.
        #expect(world.server.takeRequests() == ["+2 from t10"])
        #expect(world.server.batches.count == 1)
        world.server {
            $0.tell(.found("c/b", 11), to: 2)
            $0.complete(2, at: 11)
        }
        #expect(world.takeEvents() == ["M: [a b] +b pw"])
    }

    @Test func `a store that can be read but not written is not tried all the time`() throws {
        let world = try world()
        fail(world, .applyRemoteEvent)
        func report() {
            world.server {
                $0.tell(.found("c/b", 11), to: 2)
                $0.snapshot(at: 11)
            }
        }
        // The store can be read, so the streams open immediately. The report comes again, and fails again.
        report()
        #expect(world.server.isListening)
        var delays: [Duration] = []
        for _ in 0..<4 {
            report()
            expectOffline(world, "later and later")
            delays.append(try #require(world.timers.running[.storeRetry]))
            world.fire(.storeRetry)
            #expect(world.server.isListening)
        }
        #expect(delays == delays.sorted() && delays[0] > .zero && delays[3] > delays[0])
        world.store.willRun = nil
        _ = world.takeEvents()
        world.server { $0.complete(2, .found("c/a", 1, ("n", .integer(1))), .found("c/b", 11), at: 11) }
        #expect(world.takeEvents() == ["M: [a b] +b pw"])
        // The next failure is a first one.
        fail(world, .applyRemoteEvent)
        report()
        #expect(world.server.isListening)
    }

    @Test func `a queue that cannot be read waits`() throws {
        let world = try world()
        world.engine.setNetworkEnabled(false)
        world.write("v", .set("c/v"))
        fail(world, .nextBatch)
        world.server { _ in world.engine.setNetworkEnabled(true) }
        expectOffline(world, "queue")
        recover(world)
        #expect(world.server.batches.count == 2)
    }

    @Test func `a refused lookup that cannot be stored is made again`() throws {
        let world = try world()
        world.server { $0.acknowledge(at: 12) }
        world.server {
            $0.tell(.found("c/a", 12, ("n", .integer(2))), to: 2)
            $0.snapshot(at: 12)
        }
        // Removed from the target without content: in limbo.
        world.server {
            $0.send(.documentRemove(EngineFixture.database, DocumentKey(trusted: "c/a"), removedFrom: [2], readTime: nil))
            $0.snapshot(at: 13)
        }
        #expect(world.takeEvents() == ["w: acknowledged", "M: [a] µa", "M: [a] fc"])
        #expect(world.server.takeRequests() == ["+2", "+1 limbo-document"])
        fail(world, .applyRemoteEvent, .lastSnapshotVersion)
        world.server { $0.change(.remove, 1, because: FirestoreError(.permissionDenied, "no")) }
        expectOffline(world, "refusal")
        recover(world)
        #expect(world.server.takeRequests().contains("+1 limbo-document"))
        world.server { $0.change(.remove, 1, because: FirestoreError(.permissionDenied, "no")) }
        #expect(world.takeEvents().last == "M: [] -a fc")
    }

    @Test func `a user change that cannot be stored is made later, before anything is sent`() throws {
        let world = try world()
        fail(world, .changeUser)
        world.engine.changeUser(to: SyncUser(uid: "bob"))
        world.drain()
        #expect(!world.server.isListening && !world.server.isWriting)
        #expect(world.store.user == .unauthenticated)
        #expect(world.timers.running[.storeRetry] != nil)
        _ = world.takeEvents()
        // The queue is still that of the one before.
        world.write("v", .set("c/v"))
        #expect(world.takeEvents() == ["v: rejected unavailable"])
        #expect(try world.store.pendingBatches().count == 1)
        recover(world)
        #expect(world.store.user == SyncUser(uid: "bob"))
        #expect(world.takeEvents() == ["M: [a] ~a"])
        #expect(!world.server.isWriting)
    }

    @Test func `streams end immediately when the user changes, although the store has to be waited for`() throws {
        let world = try world()
        // Something small is being tried again, and the streams stay open meanwhile.
        var isBroken = true
        world.engine.streams.retryLater { (_) throws(FirestoreError) in
            if isBroken { throw FirestoreError(.unavailable, "the disk is full") }
        }
        #expect(world.server.isListening && world.server.isWriting)
        for name in ["bob", "carol"] { world.engine.changeUser(to: SyncUser(uid: name)) }
        world.drain()
        #expect(!world.server.isListening && !world.server.isWriting)
        world.server { $0.endWrite(.unavailable) }
        world.fire(.storeRetry)
        #expect(!world.server.isWriting && world.store.user == .unauthenticated)
        isBroken = false
        world.fire(.storeRetry)
        #expect(world.store.user == SyncUser(uid: "carol") && world.server.isListening && !world.server.isWriting)
    }

    @Test func `a write that cannot be stored fails immediately and shows nothing`() throws {
        let world = try world()
        fail(world, .writeLocally)
        world.write("v", .set("c/v"))
        #expect(world.takeEvents() == ["v: rejected unavailable"])
        #expect(world.server.isListening && world.server.isWriting)
        world.store.willRun = nil
        world.write("v", .set("c/v"))
        #expect(world.takeEvents() == ["M: [a v] +v pw"])
    }

    @Test func `a listener that cannot be started fails, and the next one works`() throws {
        for operation in [StoreOperation.allocateTarget, .executeQuery, .remoteKeys] {
            let world = try world()
            fail(world, operation)
            world.listen("N", .query("d"))
            #expect(world.takeEvents() == ["N: unavailable"], "\(operation)")
            #expect(world.server.isListening)
            world.store.willRun = nil
            world.listen("N", .query("d"))
            let target = try #require(world.server.targets.keys.max())
            world.server { $0.complete(target, .found("d/x", 20), at: 20) }
            #expect(world.takeEvents() == ["N: [x] +x"], "\(operation)")
        }
    }

    @Test func `what only tidies up may fail`() throws {
        for operation in [StoreOperation.releaseTarget, .noteViewChanges] {
            let world = try world()
            fail(world, operation)
            let listener = world.listen("N", .query("d"))
            let target = try #require(world.server.targets.keys.max())
            world.server { $0.complete(target, .found("d/x", 20), at: 20) }
            world.unlisten(listener)
            #expect(world.takeEvents() == ["N: [x] +x"], "\(operation)")
            #expect(world.server.isListening)
            #expect(world.log.lines.contains { $0.contains("the disk is full") })
        }
    }

    @Test func `the network that is disabled while the store fails stays disabled`() throws {
        let world = try world()
        fail(world, .acknowledge)
        world.server { $0.acknowledge(at: 12) }
        world.engine.setNetworkEnabled(false)
        world.store.willRun = nil
        world.fire(.storeRetry)
        #expect(!world.server.isListening && !world.server.isWriting)
        #expect(world.takeEvents() == ["M: [a] fc pw", "w: acknowledged"])
        world.engine.setNetworkEnabled(true)
        world.drain()
        #expect(world.server.isListening)
    }

    // MARK: Broken servers (SY-29D)

    @Test(arguments: 0..<UInt64(TestScale.pick(quick: 20, full: 500))) func `no sequence of frames breaks the client`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let world = try EngineFixture()
        world.listen("M")
        world.listen("D", .document("c/a"))
        world.listen("Q", .query(.collection("c").window(limit: 2)))
        let ids: [TargetID] = [2, 4, 6, 1, 3, 8, 0, -1]
        func pick<Element>(_ elements: [Element]) -> Element { elements[Int.random(in: 0..<elements.count, using: &random)] }
        for _ in 0..<300 {
            let version = Int64.random(in: 0..<1_000, using: &random)
            let path = pick(["c/a", "c/b", "c/x", "d/y"])
            let (id, other) = (pick(ids), pick(ids))
            let key = DocumentKey(trusted: path)
            let time = DocumentVersion(microseconds: version)
            world.server { server in
                switch Int.random(in: 0..<14, using: &random) {
                case 0...3: server.tell(.found(path, version, ("n", .integer(version))), to: id)
                case 4: server.tell(.missing(path, version), to: id)
                case 5: server.send(.documentRemove(EngineFixture.database, key, removedFrom: [id, other], readTime: time))
                case 6:
                    let count = Int.random(in: -1..<5, using: &random)
                    let names = BloomFilter(bits: [UInt8.random(in: 0...255, using: &random)], padding: count, hashCount: count)
                    server.send(.filter(ExistenceFilter(target: id, count: count, names: pick([nil, names]))))
                case 7...11:
                    let cause = pick([nil, nil, nil, FirestoreError(.permissionDenied, "no")])
                    server.change(pick([.noChange, .add, .remove, .current, .reset]), id, because: id % 2 == 0 ? nil : cause, token: "x")
                case 12: server.snapshot(at: version)
                default: if Int.random(in: 0..<10, using: &random) == 0 { server.endListen(pick([.unavailable, .internal, .unauthenticated])) }
                }
            }
            if world.timers.running[.listenBackoff] != nil { world.fire(.listenBackoff) }
        }
        // A new stream, on which the server makes sense, reports the truth.
        world.server { $0.endListen() }
        if world.timers.running[.listenBackoff] != nil { world.fire(.listenBackoff) }
        let (a, z) = (RemoteDocument.found("c/a", 5_000, ("n", .integer(7))), RemoteDocument.found("c/z", 5_000))
        for id: TargetID in [2, 4, 6] {
            world.server {
                $0.change(.reset, id)
                $0.tell(a, to: id)
                if id != 4 { $0.tell(z, to: id) }
                $0.change(.current, id)
            }
        }
        world.server { $0.snapshot(at: 5_000) }
        // What is not in the results any more is looked up, and missing. The server begins anew: of a lookup that it resumes, silence
        // would mean that the document is as it was.
        for round in 1..<20 {
            for id in world.server.targets.keys.sorted() where id % 2 == 1 {
                world.server {
                    $0.change(.reset, id)
                    $0.change(.current, id)
                }
            }
            world.server { $0.snapshot(at: 5_000 + Int64(round)) }
        }
        #expect(world.shown["M"]?.documents.map(\.key.id) == ["a", "z"])
        #expect(world.shown["Q"]?.documents.map(\.key.id) == ["a", "z"])
        #expect(try world.fields("a", of: "D") == "{n: 7}")
        #expect(world.shown.values.allSatisfy { !$0.isFromCache })
        #expect(try world.store.check() == [])
    }
}
