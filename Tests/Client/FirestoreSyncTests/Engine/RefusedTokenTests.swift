// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// A server that accepts no token: each refusal makes the client get another token, for which the streams restart.
@Suite struct RefusedTokenTests {
    /// Refuses a stream, lets it open again, and announces the token that was fetched for it. Returns how long it waited.
    private func refuse(
        _ timer: SyncTimer, in world: EngineFixture, opens: () -> Int, _ end: (ScriptedServer) -> Void
    ) throws -> Duration {
        world.server(end)
        let wait = try #require(world.timers.running[timer])
        // Another caller has got another token meanwhile: the stream waits on.
        let before = opens()
        world.engine.renewCredentials()
        world.drain()
        #expect(opens() == before && world.timers.running[timer] == wait)
        world.fire(timer)
        // For the stream that opens a token is fetched by force.
        world.engine.renewCredentials()
        world.drain()
        if world.timers.running[timer] != nil { world.fire(timer) }
        #expect(opens() <= before + 2)
        return wait
    }

    @Test func `a Listen stream waits longer and longer, until a token is accepted`() throws {
        let world = try EngineFixture()
        world.server.answersTargets = false
        world.listen("M")
        var waits: [Duration] = []
        for _ in 0..<13 {
            waits.append(try refuse(.listenBackoff, in: world, opens: { world.server.listenCount }) { $0.endListen(.unauthenticated) })
        }
        #expect(Array(waits.prefix(4)) == [.zero, .seconds(1), .milliseconds(1_500), .milliseconds(2_250)])
        #expect(waits.last == .seconds(60))
        #expect(world.server.invalidations == 13)
        // From now on the server accepts the token, and later ones are shown immediately.
        world.server { $0.change(.current, 2, token: "t", at: 10) }
        let before = world.server.listenCount
        world.engine.renewCredentials()
        world.drain()
        #expect(world.server.listenCount == before + 1 && world.server.isListening)
        #expect(world.timers.running[.listenBackoff] == nil)
    }

    @Test func `a Write stream waits as well, and the batch stays in the queue`() throws {
        let world = try EngineFixture()
        world.server.answersHandshakes = false
        world.write("w", .set("c/a", ("n", .integer(1))))
        var waits: [Duration] = []
        for _ in 0..<4 {
            waits.append(
                try refuse(.writeBackoff, in: world, opens: { world.server.handshakes.count }) { $0.endWrite(.unauthenticated) })
        }
        #expect(waits == [.zero, .seconds(1), .milliseconds(1_500), .milliseconds(2_250)])
        #expect(world.takeEvents().isEmpty && world.engine.outstandingWriteCount == 1)
    }

    @Test func `a stream that broke for another reason opens immediately with the next token`() throws {
        let world = try EngineFixture()
        world.server.answersTargets = false
        world.listen("M")
        for _ in 0..<2 {
            world.server { $0.endListen(.unavailable) }
            if !world.server.isListening, world.timers.running[.listenBackoff] == .zero { world.fire(.listenBackoff) }
        }
        #expect(!world.server.isListening)
        world.engine.renewCredentials()
        world.drain()
        #expect(world.server.isListening)
    }

    @Test func `another user does not wait for the refusals of the one before`() throws {
        let world = try EngineFixture(user: SyncUser(uid: "ada"))
        world.server.answersTargets = false
        world.listen("M")
        for _ in 0..<3 {
            _ = try refuse(.listenBackoff, in: world, opens: { world.server.listenCount }) { $0.endListen(.unauthenticated) }
        }
        world.server { $0.endListen(.unauthenticated) }
        #expect(!world.server.isListening)
        world.engine.changeUser(to: SyncUser(uid: "bert"))
        world.drain()
        #expect(world.server.isListening)
    }
}
