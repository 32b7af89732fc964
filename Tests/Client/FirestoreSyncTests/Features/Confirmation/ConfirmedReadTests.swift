// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// Reads directly after writes, when the acknowledgement overtakes the watch, in a cache that holds nothing of the document.
@Suite struct ConfirmedReadTests {
    private let old = RemoteDocument.found("c/a", 5, ("m", .integer(1)), ("n", .integer(1)))
    private let new = RemoteDocument.found("c/a", 20, ("m", .integer(1)), ("n", .integer(2)))

    private static let targets: [ClientTarget] = [.document("c/a"), .query("c")]

    private func merge(_ n: Int64) -> Write { .patch("c/a", "n", .integer(n)) }

    @discardableResult
    private func read(_ world: EngineFixture, _ target: ClientTarget, _ name: String = "R") -> SyncListener {
        world.listen(name, target, waitsForSync: true, confirmsWrites: true)
    }

    @Test(arguments: targets)
    func `a read shows the whole document, not only the fields that were written`(_ target: ClientTarget) throws {
        let world = try EngineFixture(collection: .eager)
        world.write("w", merge(2))
        read(world, target)
        world.server { $0.acknowledge(at: 20) }
        // The state of before the write.
        world.server { $0.complete(2, old, at: 10) }
        #expect(world.takeEvents() == ["w: acknowledged"])
        world.server {
            $0.tell(new, to: 2)
            $0.snapshot(at: 20)
        }
        #expect(world.takeEvents() == ["R: [a] +a"])
        #expect(try world.fields("a", of: "R") == "{m: 1, n: 2}")
    }

    @Test func `a read that need not wait for the watch does not`() throws {
        let world = try EngineFixture(collection: .eager)
        world.write("w", merge(2))
        read(world, .document("c/a"))
        // Pending: the write lies over what the server has.
        world.server { $0.complete(2, old, at: 10) }
        #expect(world.takeEvents() == ["R: [a] +a pw"])
        #expect(try world.fields("a", of: "R") == "{m: 1, n: 2}")
    }

    @Test(arguments: targets)
    func `an update of a document of which the cache knows nothing is in the read that follows it`(_ target: ClientTarget) throws {
        let world = try EngineFixture(collection: .eager)
        world.write("w", .update("c/a", "n", .integer(2)))
        read(world, target)
        world.server { $0.acknowledge(at: 20) }
        #expect(try world.store.documents([DocumentKey(trusted: "c/a")])[0].content == .unknown)
        world.server { $0.complete(2, old, at: 10) }
        #expect(world.takeEvents() == ["w: acknowledged"])
        world.server {
            $0.tell(new, to: 2)
            $0.snapshot(at: 20)
        }
        #expect(world.takeEvents() == ["R: [a] +a"])
        #expect(try world.fields("a", of: "R") == "{m: 1, n: 2}")
    }

    @Test func `a read that begins after the acknowledgement waits as well`() throws {
        let world = try EngineFixture(collection: .eager)
        world.listen("M", .query("d"))
        world.write("w", .update("c/a", "n", .integer(2)))
        world.server { $0.acknowledge(at: 20) }
        read(world, .document("c/a"))
        world.server { $0.complete(4, old, at: 10) }
        #expect(world.takeEvents() == ["w: acknowledged"])
        world.server {
            $0.tell(new, to: 4)
            $0.snapshot(at: 20)
        }
        #expect(try world.takeEvents() == ["R: [a] +a"] && world.fields("a", of: "R") == "{m: 1, n: 2}")
    }

    @Test(arguments: [LocalStore.Collection.eager, .leastRecentlyUsed])
    func `a count of zero as of before the write does not hide the document`(_ collection: LocalStore.Collection) throws {
        let world = try EngineFixture(collection: collection)
        world.write("w", .set("c/a", ("n", .integer(2))))
        let first = read(world, .document("c/a"))
        world.server { $0.complete(2, at: 10) }
        world.unlisten(first)
        #expect(world.takeEvents() == ["R: [a] +a pw"])
        read(world, .document("c/a"))
        let target = try #require(world.server.targets.keys.max())
        world.server { $0.acknowledge(at: 20) }
        world.server {
            $0.send(.filter(ExistenceFilter(target: target, count: 0, names: nil)))
            $0.complete(target, at: 10)
        }
        #expect(world.takeEvents() == ["w: acknowledged"])
        world.server { $0.complete(target, .found("c/a", 20, ("n", .integer(2))), at: 20) }
        #expect(try world.takeEvents() == ["R: [a] +a"] && world.fields("a", of: "R") == "{n: 2}")
    }

    @Test(arguments: targets)
    func `a document that was deleted is not shown again`(_ target: ClientTarget) throws {
        let world = try EngineFixture(collection: .eager)
        world.write("w", .delete("c/a"))
        read(world, target)
        world.server { $0.acknowledge(at: 20) }
        world.server { $0.complete(2, old, at: 10) }
        #expect(world.takeEvents() == ["w: acknowledged", "R: []"])
        #expect(try world.store.documents([DocumentKey(trusted: "c/a")])[0].content == .missing)
        world.server {
            $0.tell(.missing("c/a", 20), to: 2)
            $0.snapshot(at: 20)
        }
        #expect(world.takeEvents().isEmpty)
    }

    @Test func `an acknowledged document that nothing shows is forgotten when the watch has passed it, or ends`() throws {
        let world = try EngineFixture(collection: .eager)
        let content = { try world.store.documents([DocumentKey(trusted: "d/a")])[0].content }
        let listener = world.listen("M")
        for (version, ends) in [(Int64(20), false), (40, true)] {
            world.write("w", .delete("d/a"))
            world.server { $0.acknowledge(at: version) }
            world.server { $0.snapshot(at: version - 1) }
            #expect(try content() == .missing)
            if ends { world.unlisten(listener) } else { world.server { $0.snapshot(at: version) } }
            #expect(try content() == .none)
        }
        // Nothing is reported while there is no listener.
        world.write("w", .delete("d/a"))
        world.server { $0.acknowledge(at: 60) }
        #expect(try content() == .none)
    }

    @Test func `a cache in memory keeps a bounded number of them`() throws {
        let world = try EngineFixture(collection: .eager)
        world.listen("M")
        for number in 0..<UnconfirmedDocuments.maximum + 3 {
            world.write("w", .delete("d/\(number)"))
            world.server { $0.acknowledge(at: 20) }
        }
        let kept = try (0..<UnconfirmedDocuments.maximum + 3).map { number in
            try world.store.documents([DocumentKey(trusted: "d/\(number)")])[0].content == .missing
        }
        #expect(kept.filter(\.self).count == UnconfirmedDocuments.maximum)
        world.server { $0.snapshot(at: 20) }
        #expect(try world.store.documents([DocumentKey(trusted: "d/0")])[0].content == .none)
    }

    // MARK: The end of the wait

    /// A read that waits: the watch is behind the acknowledgement.
    private func waiting(_ target: ClientTarget = .query("c")) throws -> EngineFixture {
        let world = try EngineFixture(collection: .eager)
        world.write("w", merge(2))
        read(world, target)
        world.server { $0.acknowledge(at: 20) }
        world.server { $0.complete(2, at: 10) }
        #expect(world.takeEvents() == ["w: acknowledged"])
        return world
    }

    @Test func `a report that never comes is waited for only so long`() throws {
        let world = try waiting()
        #expect(world.timers.running[.confirmation] == .seconds(2))
        world.fire(.confirmation)
        #expect(world.takeEvents() == ["R: [a] +a pw"])
        // The next one waits again.
        read(world, .query("c"), "S")
        #expect(world.takeEvents().isEmpty && world.timers.running[.confirmation] == .seconds(2))
    }

    @Test func `a client that goes offline does not wait`() throws {
        let world = try waiting()
        world.engine.setNetworkEnabled(false)
        world.drain()
        #expect(world.takeEvents() == ["R: [a] +a fc pw"])
    }

    @Test func `a write that changed nothing is not waited for`() throws {
        let world = try EngineFixture(collection: .eager)
        world.listen("M")
        world.server { $0.complete(2, old, at: 10) }
        world.write("w", merge(1))
        // The version of a write that changes nothing is that of the document (R33).
        world.server { $0.acknowledge(at: 5) }
        _ = world.takeEvents()
        read(world, .query("c"))
        #expect(world.takeEvents() == ["R: [a] +a"])
    }

    @Test func `a listener shows what is known immediately`() throws {
        let world = try waiting()
        world.listen("L")
        #expect(world.takeEvents() == ["L: [a] +a pw"])
    }
}
