// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreWire
import Foundation
import TestSupport
import Testing

@testable import FirestoreSync

/// With a cache for each user, the next user's file may not open.
@Suite struct UserCacheRecoveryTests {
    @Test func `calls fail until the cache of the next user can be opened, and then work`() async throws {
        let folder = try ScratchFolder()
        let isBroken = Mutex(false)
        let service = try Engine.open(EngineConfiguration(location: .memory, databaseID: FaultServer.database))
        let client = try SyncClient(
            SyncClient.Parts(
                database: FaultServer.database, user: SyncUser(uid: "alice"), cacheIsPerUser: true, transport: SilentTransport(),
                service: service,
                cache: { user throws(FirestoreError) in
                    if isBroken.withLock({ $0 }) { throw FirestoreError(.unavailable, "the disk fails") }
                    return LocalStore.Configuration(
                        location: .file(path: folder.file(user.uid ?? "nobody")), databaseID: FaultServer.database, server: "s", user: user,
                        durability: .relaxed)
                }))
        try await client.setNetworkEnabled(false)
        isBroken.withLock { $0 = true }
        client.changeUser(to: SyncUser(uid: "bob"))
        #expect(await save(client) == .unavailable)
        await expectError(.unavailable, mentioning: "the disk fails") { try await client.waitForPendingWrites() }
        await expectError(.unavailable, mentioning: "the disk fails") { try await client.queue?.pendingWrites() }
        isBroken.withLock { $0 = false }
        #expect(await save(client) == nil)
        #expect(try await client.queue?.pendingWrites().count == 1)
        await client.terminate()
        #expect(await save(client) == .failedPrecondition)
    }

    /// Queues a write; returns the code of the error, if it is not saved.
    private func save(_ client: SyncClient) async -> FirestoreError.Code? {
        let (answers, continuation) = AsyncStream<FirestoreError.Code?>.makeStream()
        client.write(
            [.set("c/a")], saved: { _ in continuation.yield(nil) },
            completion: { if case .failure(let error) = $0 { continuation.yield(error.code) } })
        for await answer in answers { return answer }
        return nil
    }
}

/// A network in which nothing arrives.
struct SilentTransport: SyncTransport {
    private final class Link: ListenLink, WriteLink {
        func send(_ request: ListenRequest) {}
        func send(_ request: WriteRequest) {}
        func close() {}
    }

    let writeWindow = 1
    let resumesWriteStreams = false

    func openListen(_ receive: @escaping @Sendable (ListenStreamEvent) -> Void) -> any ListenLink { Link() }
    func openWrite(_ receive: @escaping @Sendable (WriteStreamEvent) -> Void) -> any WriteLink { Link() }
    func invalidateCredentials() {}
}
