// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// A cache whose server has opened its database again, or found it put back as it was earlier: the tokens name another run.
@Suite struct ReopenedServerTests {
    private func token(_ time: Int64, _ run: UInt32?) -> ByteSlice {
        ListenToken(time: DocumentVersion(microseconds: time), history: 1, run: run).bytes
    }

    private func complete(
        _ world: EngineFixture, _ target: TargetID, _ documents: [RemoteDocument], at time: Int64, _ run: UInt32?, raises: Bool = true
    ) {
        world.server { server in
            for document in documents { server.tell(document, to: target) }
            let (token, version) = (token(time, run), DocumentVersion(microseconds: time))
            server.send(.targetChange(TargetChange(.current, targets: [target], resumeToken: token, readTime: version)))
            if raises { server.send(.targetChange(TargetChange(.noChange, targets: [], resumeToken: token, readTime: version))) }
        }
    }

    private static let a2 = RemoteDocument.found("c/a", 20, ("n", .integer(2)))
    private static let a1 = RemoteDocument.found("c/a", 10, ("n", .integer(1)))
    private static let d = RemoteDocument.found("c/d", 31, ("n", .integer(1)))

    private func listening(_ run: UInt32? = 1) throws -> EngineFixture {
        let world = try EngineFixture()
        world.listen("M")
        world.server { $0.change(.add, 2) }
        complete(world, 2, [Self.a2], at: 22, run)
        #expect(try world.fields("a") == "{n: 2}")
        return world
    }

    private func reconnect(_ world: EngineFixture) {
        world.server { $0.endListen() }
        if !world.server.isListening { world.fire(.listenBackoff) }
    }

    private func hasBegunAnew(_ world: EngineFixture) -> Bool { world.log.lines.contains { $0.contains("restored") } }

    @Test func `a server that was only opened again is followed, and nothing is forgotten`() throws {
        let world = try listening()
        reconnect(world)
        world.server { $0.change(.add, 2) }
        complete(world, 2, [Self.d], at: 32, 2)
        #expect(world.store.followed == FollowedHistory(history: 1, run: 2) && !hasBegunAnew(world))
        #expect(try world.document("a").updateTime.microseconds == 20)
        #expect(world.shown["M"]?.documents.map(\.key.id) == ["a", "d"])
    }

    @Test(arguments: [32, 12] as [Int64])
    func `a server that resets what is resumed was put back: its older documents win`(time: Int64) throws {
        let world = try listening()
        reconnect(world)
        world.server { server in
            server.change(.add, 2)
            server.change(.reset, 2)
        }
        complete(world, 2, [Self.a1, Self.d], at: time, 2)
        #expect(try world.fields("a") == "{n: 1}")
        #expect(world.store.followed?.run == 2 && hasBegunAnew(world))
    }

    @Test func `a snapshot of another target waits until the resumed one is answered`() throws {
        let world = try listening()
        world.listen("O", .query("o"))
        reconnect(world)
        world.server { server in
            server.change(.add, 2)
            server.change(.add, 4)
        }
        complete(world, 4, [.found("o/x", 15, ("n", .integer(1)))], at: 32, 2)
        #expect(world.store.followed?.run == 1)
        world.server { $0.change(.reset, 2) }
        complete(world, 2, [Self.a1], at: 33, 2)
        #expect(try world.fields("a") == "{n: 1}")
        #expect(try world.fields("x", of: "O") == "{n: 1}")
        #expect(world.store.followed?.run == 2 && hasBegunAnew(world))
    }

    @Test func `without a target that could show it, the cache begins anew`() throws {
        let world = try EngineFixture()
        let listener = world.listen("M")
        world.server { $0.change(.add, 2) }
        complete(world, 2, [Self.a2], at: 22, 1)
        world.unlisten(listener)
        world.server { $0.endListen() }
        world.listen("O", .query("o"))
        if !world.server.isListening { world.fire(.listenBackoff) }
        world.server { $0.change(.add, 4) }
        complete(world, 4, [.found("o/x", 15, ("n", .integer(1)))], at: 32, 2)
        #expect(world.store.followed?.run == 2 && hasBegunAnew(world))
        #expect(try world.store.documents([DocumentKey(trusted: "c/a")])[0].version.microseconds == 1)
    }

    @Test func `the first run is followed without a question`() throws {
        let world = try listening(nil)
        #expect(world.store.followed == FollowedHistory(history: 1))
        complete(world, 2, [Self.d], at: 32, 7)
        #expect(world.store.followed == FollowedHistory(history: 1, run: 7) && !hasBegunAnew(world))
        #expect(try world.document("a").updateTime.microseconds == 20)
    }

    @Test func `what is followed is read as it was stored`() {
        for followed in [FollowedHistory(history: 3), FollowedHistory(history: .max, run: 1)] {
            #expect(FollowedHistory(stored: followed.stored) == followed)
        }
        for bytes in [[], [1], [1, 2, 3, 4, 5]] as [[UInt8]] { #expect(FollowedHistory(stored: bytes) == nil) }
    }
}
