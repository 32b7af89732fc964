// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync
import TestSupport
import Testing

/// What processes that share a cache know of the network.
@Suite(.timeLimit(.minutes(3))) struct SharedOfflineTests {
    @Test func `the only process cancels its writes while its network is disabled`() async throws {
        try await SharedCacheFixture.with { shared in
            let client = try shared.client()
            try await client.setNetworkEnabled(false)
            let id = await withCheckedContinuation { continuation in
                client.write([.set("c/a")], saved: { continuation.resume(returning: $0) }, completion: { _ in })
            }
            try await client.queue?.cancel(id)
            #expect(try await client.queue?.pendingWrites().isEmpty == true)
        }
    }

    @Test func `a follower is offline when the leader's writes do not arrive`() async throws {
        try await SharedCacheFixture.with { shared in
            let (leader, follower) = (try shared.client(port: 1), try shared.client(port: 1))
            let states = Mutex<[Bool]>([])
            let handle = try #require(follower.queue?.observeOffline { isOffline in states.withLock { $0.append(isOffline) } })
            follower.write([.set("c/a")], saved: { _ in }, completion: { _ in })
            await eventually("the follower is offline") { states.withLock { $0.last } == true }
            handle.remove()
            await leader.terminate()
        }
    }
}
