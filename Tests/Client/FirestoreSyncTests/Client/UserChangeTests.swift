// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreEngine
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// Changes of the user of a client, each with a cache or a queue of their own.
@Suite(.timeLimit(.minutes(2))) struct UserChangeTests {
    private static let (alice, bob) = (SyncUser(uid: "alice"), SyncUser(uid: "bob"))

    /// A network that does what a test says, also on streams that have ended.
    private final class Wire: SyncTransport {
        private struct State {
            var listens: [@Sendable (ListenStreamEvent) -> Void] = []
            var writes: [@Sendable (WriteStreamEvent) -> Void] = []
            var batches = 0
        }

        private final class Link: ListenLink, WriteLink {
            let wire: Wire
            init(_ wire: Wire) { self.wire = wire }
            func send(_ request: ListenRequest) {}
            func send(_ request: WriteRequest) { if !request.writes.isEmpty { wire.state.withLock { $0.batches += 1 } } }
            func close() {}
        }

        let writeWindow = 10
        let resumesWriteStreams = false
        private let state = Mutex(State())

        func openListen(_ receive: @escaping @Sendable (ListenStreamEvent) -> Void) -> any ListenLink {
            state.withLock { $0.listens.append(receive) }
            return Link(self)
        }

        func openWrite(_ receive: @escaping @Sendable (WriteStreamEvent) -> Void) -> any WriteLink {
            state.withLock { $0.writes.append(receive) }
            return Link(self)
        }

        func invalidateCredentials() {}

        var listens: [@Sendable (ListenStreamEvent) -> Void] { state.withLock { $0.listens } }
        var writes: [@Sendable (WriteStreamEvent) -> Void] { state.withLock { $0.writes } }
        var batches: Int { state.withLock { $0.batches } }
    }

    private func client(_ wire: Wire = Wire(), isPerUser: Bool = true) throws -> SyncClient {
        let database = EngineFixture.database
        return try SyncClient(
            SyncClient.Parts(
                database: database, user: Self.alice, cacheIsPerUser: isPerUser, transport: wire,
                service: try Engine.open(EngineConfiguration(location: .memory, databaseID: database)),
                cache: { user throws(FirestoreError) in
                    LocalStore.Configuration(location: .memory, databaseID: database, server: "test.invalid", user: user)
                }))
    }

    private func save(_ client: SyncClient, _ path: String = "c/a") async -> Int64 {
        await withCheckedContinuation { continuation in
            client.write([.set(path)], saved: { continuation.resume(returning: $0) }, completion: { _ in })
        }
    }

    private func queued(_ client: SyncClient) async throws -> [String] {
        try await client.queue?.pendingWrites().map { $0.writes[0].key.path } ?? []
    }

    @Test func `streams of the engine before do not reach the next one`() async throws {
        let wire = Wire()
        let client = try client(wire)
        let notes = Notes()
        let handle = client.listen(to: .query("c"), options: ListenOptions(includeMetadataChanges: true), schedule: { $0() }) { result in
            notes.add(ClientFixture.text(result))
        }
        _ = await save(client)
        client.changeUser(to: Self.bob)
        _ = await save(client, "c/b")
        _ = try await queued(client)
        #expect(wire.listens.count == 2 && wire.writes.count == 2)
        // What the closed streams still say.
        wire.listens[0](.ended(FirestoreError(.cancelled, "closed")))
        wire.writes[0](.response(WriteResponse(streamID: "", streamToken: ByteSlice([1]))))
        wire.writes[0](.ended(FirestoreError(.cancelled, "closed")))
        _ = try await queued(client)
        #expect(wire.batches == 0)
        // The new ones work.
        wire.writes[1](.response(WriteResponse(streamID: "", streamToken: ByteSlice([1]))))
        _ = try await queued(client)
        #expect(wire.batches == 1)
        for kind: TargetChange.Kind in [.add, .current] { wire.listens[1](.response(.targetChange(TargetChange(kind, targets: [2])))) }
        wire.listens[1](.response(.targetChange(TargetChange(.noChange, readTime: DocumentVersion(microseconds: 5)))))
        _ = try await queued(client)
        #expect(notes.lines.last == "[b] pw")
        #expect(wire.listens.count == 2 && wire.writes.count == 2)
        handle.remove()
        await client.terminate()
    }

    @Test(arguments: [true, false]) func `a write belongs to the user at the time of the call`(isPerUser: Bool) async throws {
        let client = try client(isPerUser: isPerUser)
        let gate = DispatchSemaphore(value: 0)
        client.runner.async { _ in gate.wait() }
        client.write([.set("c/a")], saved: { _ in }, completion: { _ in })
        client.changeUser(to: Self.bob)
        client.write([.set("c/b")], saved: { _ in }, completion: { _ in })
        gate.signal()
        #expect(try await queued(client) == ["c/b"])
        client.changeUser(to: Self.alice)
        #expect(try await queued(client) == ["c/a"])
        await client.terminate()
    }

    @Test func `the newest user wins, in whatever order changes are reported`() async throws {
        let client = try client(isPerUser: false)
        client.changeUser {
            // Reported later, and read immediately.
            client.changeUser { Self.bob }
            return SyncUser(uid: "carol")
        }
        #expect(try await client.onStore { (engine) throws(FirestoreError) in engine.store.user } == Self.bob)
        await client.terminate()
    }

    @Test func `what a user has queued in memory waits until that user returns`() async throws {
        let client = try client()
        let id = await save(client)
        let cache = try #require(client.queue?.cacheID)
        client.changeUser(to: Self.bob)
        #expect(try await queued(client) == [])
        // A receipt of one cache is not looked up in the other.
        #expect(await save(client, "c/b") == id)
        #expect(client.queue?.cacheID != cache)
        await expectError(.failedPrecondition, mentioning: "another user") { try await client.queue?.state(of: id, in: cache) }
        client.changeUser(to: Self.alice)
        #expect(try await queued(client) == ["c/a"])
        #expect(client.queue?.cacheID == cache)
        #expect(try await client.queue?.state(of: id, in: cache) != nil)
        await client.terminate()
    }

    @Test func `listeners for snapshots in sync go on with the next cache`() async throws {
        let client = try client()
        let rounds = Notes()
        let handle = client.listenForSnapshotsInSync(schedule: { $0() }) { rounds.add("in sync") }
        let listener = client.listen(to: .query("c"), options: ListenOptions(source: .cache), schedule: { $0() }) { _ in }
        _ = try await queued(client)
        client.changeUser(to: Self.bob)
        _ = try await queued(client)
        let before = rounds.lines.count
        _ = await save(client)
        _ = try await queued(client)
        #expect(rounds.lines.count > before)
        handle.remove()
        _ = try await queued(client)
        let after = rounds.lines.count
        _ = await save(client)
        _ = try await queued(client)
        #expect(rounds.lines.count == after)
        listener.remove()
        await client.terminate()
    }
}
