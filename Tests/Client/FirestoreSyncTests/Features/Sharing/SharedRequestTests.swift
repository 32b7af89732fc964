// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreWire
import Foundation
import NetworkFaults
import TestSupport
import Testing

@testable import FirestoreSync

/// What only the leader of a shared cache can do, asked for by another process (SY-D15, SY-D22).
@Suite(.waitingForProcesses, .timeLimit(.minutes(3))) struct SharedRequestTests {
    /// Nothing listens there.
    private static let nowhere = 1

    /// Queues a write and returns its number; `outcome` gets its outcome.
    private func queue(_ client: SyncClient, _ write: Write, _ outcome: Notes = Notes()) async throws -> Int64 {
        let id = await withCheckedContinuation { continuation in
            client.write([write], saved: { continuation.resume(returning: $0) }) { result in
                switch result {
                case .success: outcome.add("acknowledged")
                case .failure(let error): outcome.add("\(error.code)")
                }
            }
        }
        return id
    }

    private func pending(_ client: SyncClient) async throws -> [Int64] { try await client.queue?.pendingWrites().map(\.id) ?? [] }

    // MARK: Alone

    @Test func `alone without a network, a process cancels its writes`() async throws {
        try await SharedCacheFixture.with { shared in
            let client = try shared.client()
            let queue = try #require(client.queue)
            // So that there is a Write stream to resume.
            _ = try await self.queue(client, .set("c/a", ("n", .integer(1))))
            try await client.waitForPendingWrites()
            try await client.setNetworkEnabled(false)
            let outcome = Notes()
            let first = try await self.queue(client, .set("c/b", ("n", .integer(1))), outcome)
            let second = try await self.queue(client, .increment("c/a"))
            #expect(try await pending(client) == [first, second])
            try await queue.cancel(first)
            #expect(try await pending(client) == [second])
            #expect(outcome.lines == ["cancelled"])
            await expectError(.notFound) { try await queue.cancel(first) }
            try await client.setNetworkEnabled(true)
            try await client.waitForPendingWrites()
            #expect(try await shared.truth("c/a") == 2)
            #expect(try await shared.truth("c/b") == nil)
        }
    }

    @Test func `what another leader may have sent is not canceled without it`() async throws {
        try await SharedCacheFixture.with { shared in
            let proxy = FaultProxy(to: shared.port)
            let (leader, other) = (try shared.client(port: try await proxy.start()), try shared.client(port: Self.nowhere))
            try await other.setNetworkEnabled(false)
            _ = try await queue(leader, .set("c/a", ("n", .integer(1))))
            try await leader.waitForPendingWrites()
            proxy.silence([.toClient])
            let id = try await queue(leader, .increment("c/a"))
            try await eventually("the write is applied") { try await shared.truth("c/a") == 2 }
            // No process leads from here on.
            await leader.terminate()
            await expectError(.failedPrecondition, mentioning: "was sent") { try await other.queue?.cancel(id) }
            #expect(try await pending(other) == [id])
            await proxy.stop()
        }
    }

    // MARK: Asking the leader

    @Test func `a follower cancels what the leader has not sent`() async throws {
        try await SharedCacheFixture.with { shared in
            let (leader, follower) = (try shared.client(port: Self.nowhere), try shared.client(port: Self.nowhere))
            let (one, two) = (SharedView(leader, "c"), SharedView(follower, "c"))
            let (outcome, others) = (Notes(), Notes())
            let first = try await queue(follower, .set("c/a", ("n", .integer(1))), outcome)
            let second = try await queue(leader, .set("c/b", ("n", .integer(2))), others)
            await eventually("both are told \(one.all) \(two.all)") { one.last == "[a=1* b=2*] cache" && two.last == one.last }
            try await follower.queue?.cancel(first)
            try await follower.queue?.cancel(second)
            #expect(try await pending(follower).isEmpty)
            await eventually("both are told \(one.all) \(two.all)") { one.last == "[] cache" && two.last == "[] cache" }
            await eventually("the callers are told") { outcome.lines == ["cancelled"] && others.lines == ["cancelled"] }
            await expectError(.notFound) { try await follower.queue?.cancel(first) }
            #expect(try await follower.queue?.state(of: first, in: follower.cacheID) == nil)
        }
    }

    @Test func `a follower does not cancel what the leader has sent`() async throws {
        try await SharedCacheFixture.with { shared in
            let proxy = FaultProxy(to: shared.port)
            let (leader, follower) = (try shared.client(port: try await proxy.start()), try shared.client(port: Self.nowhere))
            _ = try await queue(leader, .set("c/a", ("n", .integer(1))))
            try await leader.waitForPendingWrites()
            proxy.silence([.toClient])
            let id = try await queue(follower, .increment("c/a"))
            try await eventually("the write is applied") { try await shared.truth("c/a") == 2 }
            await expectError(.failedPrecondition, mentioning: "was sent") { try await follower.queue?.cancel(id) }
            #expect(try await pending(follower) == [id])
            await proxy.stop()
        }
    }

    @Test func `the next leader answers what the last one was asked`() async throws {
        try await SharedCacheFixture.with { shared in
            let child = try CacheSharer(shared.file, port: Self.nowhere)
            defer { child.kill() }
            await child.says("ready")
            let follower = try shared.client(port: Self.nowhere)
            let id = try await queue(follower, .set("c/a"))
            child.pause()
            async let canceled: Void? = follower.queue?.cancel(id)
            child.kill()
            try await canceled
            #expect(try await pending(follower).isEmpty)
        }
    }

    @Test func `a call that waits for the leader ends with its client`() async throws {
        try await SharedCacheFixture.with { shared in
            let (leader, follower) = (try shared.client(port: Self.nowhere), try shared.client(port: Self.nowhere))
            let id = try await queue(follower, .set("c/a"))
            // The leader does nothing until the end.
            let end = DispatchSemaphore(value: 0)
            defer { end.signal() }
            await withCheckedContinuation { continuation in
                leader.runner.async { _ in
                    continuation.resume()
                    end.wait()
                }
            }
            let canceled = Task { try await follower.queue?.cancel(id) }
            await follower.terminate()
            await expectError(.failedPrecondition, mentioning: "terminated") { try await canceled.value }
        }
    }

    @Test func `a follower that does not know the leader yet notices its end`() async throws {
        try await SharedCacheFixture.with { shared in
            let leader = try shared.client()
            let end = DispatchSemaphore(value: 0)
            await withCheckedContinuation { continuation in
                leader.runner.async { _ in
                    continuation.resume()
                    end.wait()
                }
            }
            let follower = try shared.client()
            let write = try await queue(follower, .set("c/a", ("n", .integer(1))))
            #expect(write == 1)
            end.signal()
            await leader.terminate()
            try await follower.waitForPendingWrites()
            #expect(try await shared.truth("c/a") == 1)
        }
    }

    // MARK: Bundles

    private func open(_ file: String) throws -> LocalStore {
        var configuration = LocalStore.Configuration(
            location: .file(path: file), databaseID: SharedCacheFixture.database, server: "s", durability: .relaxed,
            clock: ManualClock(microseconds: 1_000_000_000_000_000))
        configuration.isShared = true
        return try LocalStore.open(configuration)
    }

    @Test func `what a bundle says of a target is taken by the leader if it is newer than what it knows`() throws {
        let folder = try ScratchFolder()
        let (leader, follower) = (try open(folder.file()), try open(folder.file()))
        follower.membership?.isFollower = true
        let target = SyncTarget.query(.collection("c"))
        let id = try leader.allocate(target).targetID
        let (a, b, c) = (DocumentKey(trusted: "c/a"), DocumentKey(trusted: "c/b"), DocumentKey(trusted: "c/c"))
        _ = try leader.apply(
            RemoteEvent(
                snapshotVersion: DocumentVersion(microseconds: 30),
                targetChanges: [id: TargetDelta(resumeToken: ByteSlice([1]), isCurrent: true, added: [a, b])],
                documents: [.found("c/a", 5), .found("c/b", 5)]))
        let cases: [(Int64, Set<DocumentKey>, Set<DocumentKey>)] = [(20, [c], [a, b]), (40, [b, c], [b, c])]
        for (time, keys, expected) in cases {
            try follower.offerNamedQuery(
                name: "q", query: ByteSlice([9]), readTime: DocumentVersion(microseconds: time), keys: keys)
            #expect(try follower.namedQuery("q")?.readTime.microseconds == time)
            #expect(try leader.catchUp()?.hasRequests == true)
            let requests = try leader.openRequests()
            guard case .takeOver(let request)? = requests.first else { return #expect(Bool(false), "\(requests)") }
            #expect(requests.count == 1 && request.content == ByteSlice([9]) && request.kind == BundleFeature.offer)
            try leader.takeOffer(target, readTime: DocumentVersion(microseconds: time), from: request.holder)
            #expect(try leader.remoteKeys(of: id) == expected)
            #expect(leader.targetData(of: id)?.snapshotVersion.microseconds == max(30, time))
            #expect(try leader.openRequests().isEmpty)
            #expect(try leader.check() == [])
        }
        try follower.close()
        try leader.close()
    }

    @Test func `a bundle that a follower has loaded reaches the leader`() async throws {
        try await SharedCacheFixture.with { shared in
            let (leader, follower) = (try shared.client(port: Self.nowhere), try shared.client(port: Self.nowhere))
            let view = SharedView(leader, "c")
            let name = "projects/shared/databases/(default)/documents"
            let body = [
                #"{"namedQuery":{"name":"all","bundledQuery":{"parent":"\#(name)","structuredQuery":{"from":[{"collectionId":"c"}]}},"#
                    + #""readTime":"2026-01-01T00:00:05Z"}}"#,
                #"{"documentMetadata":{"name":"\#(name)/c/a","readTime":"2026-01-01T00:00:05Z","exists":true,"queries":["all"]}}"#,
                #"{"document":{"name":"\#(name)/c/a","fields":{"n":{"integerValue":"7"}},"createTime":"2026-01-01T00:00:01Z","#
                    + #""updateTime":"2026-01-01T00:00:01Z"}}"#,
            ].map { "\($0.utf8.count)\($0)" }.joined()
            let head =
                #"{"metadata":{"id":"b","createTime":"2026-01-01T00:00:05Z","version":1,"totalDocuments":1,"totalBytes":"\#(body.utf8.count)"}}"#
            let bytes = [UInt8]("\(head.utf8.count)\(head)\(body)".utf8)
            try await follower.onStore { (engine) throws(FirestoreError) in try engine.loadBundle(bytes) }
            await eventually("the leader is told \(view.all)") { view.last == "[a=7] cache" }
            try await eventually("the leader goes on from the bundle") {
                try await leader.onStore { (engine) throws(FirestoreError) in
                    let target = try engine.store.allocate(ClientTarget.query(ClientQuery(.collection("c"))).syncTarget)
                    let keys = try engine.store.remoteKeys(of: target.targetID)
                    return target.snapshotVersion.microseconds == 1_767_225_605_000_000 && keys.map(\.path) == ["c/a"]
                }
            }
            #expect(try await leader.bundles?.query(named: "all", in: SharedCacheFixture.database) != nil)
        }
    }
}
