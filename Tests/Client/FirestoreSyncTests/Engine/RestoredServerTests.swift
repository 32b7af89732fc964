// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// A cache whose server was restored from a copy: what it has is newer than what the server says, and wrong (OT-1, OP-4).
@Suite struct RestoredServerTests {
    private static func token(_ time: Int64, _ history: UInt32?) -> ByteSlice {
        ListenToken(time: DocumentVersion(microseconds: time), history: history).bytes
    }

    private func complete(_ world: EngineFixture, _ target: TargetID, _ documents: [RemoteDocument], at time: Int64, _ history: UInt32?) {
        world.server { server in
            for document in documents { server.tell(document, to: target) }
            let (token, version) = (Self.token(time, history), DocumentVersion(microseconds: time))
            server.send(.targetChange(TargetChange(.current, targets: [target], resumeToken: token, readTime: version)))
            server.send(.targetChange(TargetChange(.noChange, targets: [], resumeToken: token, readTime: version)))
        }
    }

    private static let a2 = RemoteDocument.found("c/a", 20, ("n", .integer(2)))
    private static let b = RemoteDocument.found("c/b", 21, ("n", .integer(1)))
    private static let a1 = RemoteDocument.found("c/a", 10, ("n", .integer(1)))
    private static let d = RemoteDocument.found("c/d", 31, ("n", .integer(1)))

    private func listening(_ history: UInt32? = 1) throws -> EngineFixture {
        let world = try EngineFixture()
        world.listen("M")
        world.server { $0.change(.add, 2) }
        complete(world, 2, [Self.a2, Self.b], at: 22, history)
        #expect(try world.fields("a") == "{n: 2}")
        return world
    }

    private func ids(_ world: EngineFixture) -> [String] { world.shown["M"]?.documents.map(\.key.id) ?? [] }

    /// The stream breaks, the database is restored, the target is resumed with the token of before.
    private func restore(_ world: EngineFixture, to history: UInt32, at time: Int64) {
        world.server { $0.endListen() }
        if !world.server.isListening { world.fire(.listenBackoff) }
        world.server { server in
            server.change(.add, 2)
            server.change(.reset, 2)
        }
        complete(world, 2, [Self.a1, Self.d], at: time, history)
    }

    @Test func `a listener shows the documents of the restored database, although they are older`() throws {
        let world = try listening()
        restore(world, to: 2, at: 32)
        #expect(try world.fields("a") == "{n: 1}")
        // What the server does not have any more is looked up before it goes.
        let lookup = try #require(world.engine.activeLimboResolutions[DocumentKey(trusted: "c/b")])
        world.server { $0.change(.add, lookup) }
        complete(world, lookup, [], at: 33, 2)
        #expect(ids(world) == ["a", "d"])
        #expect(try world.store.documents([DocumentKey(trusted: "c/b")])[0].content == .missing)
    }

    @Test func `so it does where the restored server is behind in time`() throws {
        let world = try listening()
        restore(world, to: 2, at: 12)
        #expect(try world.fields("a") == "{n: 1}")
    }

    @Test func `all targets of the cache begin anew, and its pending writes stay`() throws {
        let world = try listening()
        let other = world.listen("O", .query("o"))
        world.server { $0.change(.add, 4) }
        complete(world, 4, [.found("o/x", 15, ("n", .integer(1)))], at: 23, 1)
        world.unlisten(other)
        world.write("w", .set("c/mine", ("n", .integer(5))))
        restore(world, to: 2, at: 32)
        #expect(ids(world).contains("mine"))
        #expect(try world.store.pendingBatches().count == 1)
        _ = world.server.takeRequests()
        world.listen("O", .query("o"))
        #expect(world.server.takeRequests() == ["+4"])
        #expect(world.store.targetData(of: 4)?.resumeToken.isEmpty == true)
        world.server { $0.change(.add, 4) }
        complete(world, 4, [.found("o/x", 14, ("n", .integer(0)))], at: 34, 2)
        #expect(try world.fields("x", of: "O") == "{n: 0}")
    }

    @Test func `the history is followed once, and the log says so`() throws {
        let world = try listening()
        #expect(world.store.followedHistory == 1)
        restore(world, to: 2, at: 32)
        #expect(world.store.followedHistory == 2)
        complete(world, 2, [], at: 40, 2)
        #expect(world.log.lines.filter { $0.contains("restored") }.count == 1)
    }

    @Test func `tokens without a history change nothing, and the first one with a history neither`() throws {
        let world = try listening(nil)
        #expect(world.store.followedHistory == nil)
        complete(world, 2, [Self.d], at: 32, 5)
        #expect(world.store.followedHistory == 5)
        #expect(try world.document("a").updateTime.microseconds == 20)
        complete(world, 2, [], at: 33, nil)
        #expect(world.store.followedHistory == 5 && !world.log.lines.contains { $0.contains("restored") })
    }

    @Test func `a cache on disk knows the history that it follows`() throws {
        let folder = try ScratchFolder()
        var cache = try CacheFixture(file: folder.file())
        let target = try cache.listen("c")
        try cache.hear(Self.a2, at: 22, target: target, token: "t")
        #expect(try !cache.store.follow(FollowedHistory(history: 1)))
        try cache.store.close()
        cache = try CacheFixture(file: folder.file())
        #expect(try !cache.store.follow(FollowedHistory(history: 1)))
        #expect(try cache.store.follow(FollowedHistory(history: 2)))
        #expect(try cache.store.lastSnapshotVersion() == .none)
        #expect(try cache.store.documents([DocumentKey(trusted: "c/a")])[0].version.microseconds == 1)
        try cache.store.close()
        let inspector = try CacheInspector(folder.file())
        #expect(try inspector.check() == [])
        inspector.close()
    }

    @Test func `a store that fails meanwhile does it when the streams are open again`() throws {
        let world = try listening()
        world.server { $0.endListen() }
        if !world.server.isListening { world.fire(.listenBackoff) }
        var failures = 1
        world.store.willRun = { (operation: StoreOperation) throws(FirestoreError) in
            guard operation == .followHistory, failures > 0 else { return }
            failures -= 1
            throw FirestoreError(.unavailable, "the disk")
        }
        world.server { server in
            server.change(.add, 2)
            server.change(.reset, 2)
        }
        complete(world, 2, [Self.a1, Self.d], at: 32, 2)
        #expect(failures == 0)
        // A read of the store has shown that it works.
        #expect(world.server.isListening)
        world.server { server in
            server.change(.add, 2)
            server.change(.reset, 2)
        }
        complete(world, 2, [Self.a1, Self.d], at: 32, 2)
        #expect(try world.fields("a") == "{n: 1}")
    }
}
