// SPDX-License-Identifier: Apache-2.0
import FaultInjection
import FirestoreCore
import FirestoreEngine
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// A sync that fails drops what did not wait for the disk, although this process has seen it.
@Suite struct LostLogTests {
    @Test func `a client opens its cache again, and has what the app has written`() async throws {
        let folder = try ScratchFolder()
        let path = folder.file("cache.sqlite")
        let disk = FaultyDisk(under: path)
        defer { disk.remove() }
        let client = try SyncClient(
            SyncClient.Parts(
                database: FaultServer.database, transport: SilentTransport(),
                service: try Engine.open(EngineConfiguration(location: .memory, databaseID: FaultServer.database)),
                cache: { user throws(FirestoreError) in
                    LocalStore.Configuration(
                        location: .file(path: path), databaseID: FaultServer.database, server: "s", user: user, durability: .full)
                }))
        try await client.setNetworkEnabled(false)
        #expect(await save("c/a", client) == nil)
        disk.arm(Fault(.lostSync, at: 1))
        let first = try await client.onStore { (engine) throws(FirestoreError) in
            let event = RemoteEvent(snapshotVersion: DocumentVersion(microseconds: 8), documents: [.found("c/theirs", 8)])
            _ = try engine.store.apply(event, waitsForDisk: false)
            return ObjectIdentifier(engine.store)
        }
        #expect(await save("c/b", client) != nil)
        #expect(disk.hasStruck)

        #expect(await save("c/c", client) == nil)
        #expect(try await client.queue?.pendingWrites().map { $0.writes[0].key.path } == ["c/a", "c/c"])
        #expect(try await client.onStore { (engine) throws(FirestoreError) in ObjectIdentifier(engine.store) } != first)
        await client.terminate()
    }

    /// Queues a write; returns the code of the error, if it is not saved.
    private func save(_ path: String, _ client: SyncClient) async -> FirestoreError.Code? {
        let (answers, continuation) = AsyncStream<FirestoreError.Code?>.makeStream()
        client.write(
            [.set(path)], saved: { _ in continuation.yield(nil) },
            completion: { if case .failure(let error) = $0 { continuation.yield(error.code) } })
        for await answer in answers { return answer }
        return nil
    }
}
