// SPDX-License-Identifier: Apache-2.0
import FaultInjection
import FirestoreCore
import FirestoreTesting
import TestSupport
import Testing

@testable import FirestoreSync

/// Writes that are made without a user while a sign-in is in progress (docs/decisions/0044).
@Suite(.timeLimit(.minutes(2))) struct SignInTests {
    private static let (alice, bob) = (SyncUser(uid: "alice"), SyncUser(uid: "bob"))

    private func queue(_ world: ServedEngine) throws -> [String] { try world.engine.store.pendingBatches().map { $0.writes[0].key.path } }

    @Test func `a write is shown immediately, waits while the sign-in is in progress, and is sent as the user who signs in`() throws {
        let world = try ServedEngine()
        var (outcomes, waited): ([String], [String]) = ([], [])
        world.engine.write([.set("c/before")]) { _ in outcomes.append("before") }
        world.engine.setSigningIn(true)
        world.engine.write([.set("c/a", ("n", .integer(1)))]) { _ in outcomes.append("a") }
        world.engine.write([.patch("c/a", "n", .integer(2))]) { _ in outcomes.append("b") }
        world.engine.waitForPendingWrites { waited.append("\($0)") }
        world.answerHandshake()
        #expect(try world.engine.store.documents([DocumentKey(trusted: "c/a")])[0].hasLocalMutations)
        // What was written before the sign-in is sent without a user.
        #expect(world.server.batches.count == 1 && world.server.batches[0][0].key.path == "c/before")
        try world.acknowledge(at: 5)
        #expect(outcomes == ["before"] && world.server.batches.isEmpty)

        world.engine.changeUser(to: Self.alice)
        world.engine.setSigningIn(false)
        world.run()
        #expect(try queue(world) == ["c/a", "c/a"])
        #expect(try world.engine.store.documents([DocumentKey(trusted: "c/a")])[0].hasLocalMutations)
        world.answerHandshake()
        #expect(world.server.batches.count == 2)
        try world.acknowledge(at: 6)
        #expect(waited.isEmpty)
        try world.acknowledge(at: 7)
        #expect(outcomes == ["before", "a", "b"] && waited.count == 1 && waited[0].hasPrefix("success"))
        try world.close()
    }

    @Test func `a write is sent without a user once the sign-in has ended without one`() throws {
        let world = try ServedEngine()
        world.engine.setSigningIn(true)
        var outcomes = 0
        world.engine.write([.set("c/a")]) { _ in outcomes += 1 }
        #expect(world.server.write == nil)
        world.engine.setSigningIn(false)
        world.answerHandshake()
        try world.acknowledge(at: 5)
        #expect(outcomes == 1)
        try world.close()
    }

    @Test func `a write of a user stays that user's while another sign-in is in progress`() throws {
        let world = try ServedEngine()
        world.engine.changeUser(to: Self.alice)
        world.engine.setSigningIn(true)
        world.engine.write([.set("c/a")]) { _ in }
        world.answerHandshake()
        #expect(world.server.batches.count == 1)
        world.engine.changeUser(to: Self.bob)
        world.engine.setSigningIn(false)
        #expect(try queue(world).isEmpty)
        world.engine.changeUser(to: Self.alice)
        #expect(try queue(world) == ["c/a"])
        try world.close()
    }

    @Test func `a sign-out during a sign-in holds later writes, too`() throws {
        let world = try ServedEngine()
        world.engine.changeUser(to: Self.alice)
        world.engine.setSigningIn(true)
        world.engine.changeUser(to: .unauthenticated)
        world.engine.write([.set("c/a")]) { _ in }
        #expect(world.server.write == nil)
        world.engine.changeUser(to: Self.bob)
        #expect(try queue(world) == ["c/a"])
        try world.close()
    }

    @Test func `a store that fails while the user changes moves the writes when it works again`() throws {
        let world = try ServedEngine()
        world.engine.setSigningIn(true)
        world.engine.write([.set("c/a")]) { _ in }
        var fails = true
        world.engine.store.willRun = { (operation) throws(FirestoreError) in
            if fails, operation == .changeUser { throw FirestoreError(.unavailable, "the disk is full") }
        }
        world.engine.changeUser(to: Self.alice)
        world.engine.setSigningIn(false)
        #expect(world.server.write == nil)
        fails = false
        world.pass(.seconds(120), .storeRetry)
        #expect(try queue(world) == ["c/a"] && world.engine.store.user == Self.alice)
        try world.close()
    }

    @Test func `writes that wait for another user are counted, and the log mentions them once`() throws {
        let log = EngineLog()
        let world = try ServedEngine { $0.log = { log.note($0) } }
        world.engine.setNetworkEnabled(false)
        for path in ["c/a", "c/b"] { world.engine.write([.set(path)]) { _ in } }
        for user in [Self.alice, .unauthenticated, Self.alice, Self.bob] {
            world.engine.changeUser(to: user)
            if user == Self.alice { world.engine.write([.set("c/c")]) { _ in } }
        }
        let counts = Dictionary(uniqueKeysWithValues: try world.engine.store.queuesOfOthers().map { ($0.user, $0.count) })
        #expect(counts == [.unauthenticated: 2, Self.alice: 2])
        #expect(log.lines.count == 2 && log.lines[0].contains("2 writes made while no user was signed in"), "\(log.lines)")
        #expect(log.lines[1].contains("1 write of a user who is not signed in"), "\(log.lines)")
        try world.close()
    }

    @Test func `a cache that is opened again hands the writes of a sign-in to the user who has signed in meanwhile`() async throws {
        let folder = try ScratchFolder()
        let disk = FaultyDisk(under: folder.file())
        let world = try ClientFixture(file: folder.file())
        let outcomes = Notes()
        try await world.onServer("c/seen", 1)
        // Without `waitsForDisk`: what is lost with the log.
        _ = await world.run(.collection("c"), .server)
        await world.goOffline()
        world.client.changeSignIn { true }
        world.client.write([.set("c/a", ("n", .integer(1)))], saved: { _ in outcomes.add("saved") }) { _ in outcomes.add("done") }
        await eventually("the write") { outcomes.lines == ["saved"] }
        try await world.client.runner.call { (engine) throws(FirestoreError) in
            _ = try engine.store.apply(RemoteEvent(snapshotVersion: engine.store.lastSnapshotVersion()), waitsForDisk: false)
            disk.arm(Fault(.lostSync, at: 1))
            engine.write([.set("c/lost")]) { outcomes.add("\($0)".hasPrefix("failure") ? "refused" : "accepted") }
            disk.lift()
            #expect(engine.store.hasLostLog)
        }
        world.client.changeUser(to: Self.alice)
        world.client.changeSignIn { false }
        let queue = try #require(world.client.queue)
        #expect(try await queue.pendingWrites().map(\.stage) == [.queued])
        world.network.goOnline()
        try await world.client.waitForPendingWrites()
        #expect(await world.read("c/a", .server) == "{n: 1}")
        try await world.close()
        disk.remove()
    }

    /// With a cache for each user the write moves to another file.
    @Test(arguments: [true, false]) func `a client hands the writes of a sign-in to the user who signs in`(isPerUser: Bool) async throws {
        let world = try ClientFixture(cacheIsPerUser: isPerUser)
        world.network.goOffline()
        world.client.changeSignIn { true }
        let outcomes = Notes()
        world.client.write([.set("c/a", ("n", .integer(1)))], saved: { _ in outcomes.add("saved") }) { _ in outcomes.add("done") }
        let queue = try #require(world.client.queue)
        #expect(try await queue.pendingWrites().map(\.stage) == [.signingIn])
        world.client.changeUser(to: Self.alice)
        world.client.changeSignIn { false }
        #expect(try await queue.pendingWrites().map(\.stage) == [.queued])
        #expect(try await queue.countOfOtherUsers() == 0)
        #expect(await world.read("c/a", .cache) == "{n: 1} fc pw")
        world.network.goOnline()
        await eventually("the acknowledgement") { outcomes.lines == ["saved", "done"] }
        world.client.changeUser(to: .unauthenticated)
        #expect(try await queue.pendingWrites().isEmpty)
        try await world.close()
    }
}
