// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync
import Foundation
import TestSupport
import Testing

/// Several clients on one cache, each a process as far as the cache is concerned (SY-D14 … SY-D17, T135 … T137).
@Suite(.timeLimit(.minutes(3))) struct SharedCacheTests {
    private func write(_ client: SyncClient, _ write: Write) async throws -> CommitResponse {
        try await withCheckedThrowingContinuation { continuation in
            client.write([write], saved: { _ in }) { result in continuation.resume(with: result) }
        }
    }

    @Test func `both processes read, listen and write (T135)`() async throws {
        try await SharedCacheFixture.with { shared in
            try await shared.change(.set("c/a", ("n", .integer(1))))
            let (leader, follower) = (try shared.client(), try shared.client())
            let (one, two) = (SharedView(leader, "c"), SharedView(follower, "c"))
            await eventually("the leader is told \(one.all)") { one.last == "[a=1] server" }
            await eventually("the follower is told \(two.all)") { two.last == "[a=1] server" }
            // Their writes.
            #expect(try await write(follower, .set("c/b", ("n", .integer(2)))).results.count == 1)
            await eventually("the leader is told \(one.all)") { one.last == "[a=1 b=2] server" }
            await eventually("the follower is told \(two.all)") { two.last == "[a=1 b=2] server" }
            _ = try await write(leader, .set("c/a", ("n", .integer(3))))
            await eventually("the follower is told \(two.all)") { two.last == "[a=3 b=2] server" }
            // What others write on the server.
            try await shared.change(.delete("c/b"))
            await eventually("the follower is told \(two.all)") { two.last == "[a=3] server" }
            #expect(!two.all.contains { $0.hasSuffix("cache") && $0 != two.all.first })
            // What only the follower wants.
            try await shared.change(.set("d/x", ("n", .integer(7))))
            let third = SharedView(follower, "d", limit: 3)
            await eventually("the follower is told \(third.all)") { third.last == "[x=7] server" }
            let read = try await follower.run(ClientQuery(.collection("d")), from: .server, at: .latest)
            #expect(SharedView.text(read) == "[x=7] server")
            third.end()
        }
    }

    @Test func `a write of one process is in the snapshot of the other immediately (T136)`() async throws {
        try await SharedCacheFixture.with { shared in
            let (leader, follower) = (try shared.client(), try shared.client())
            let (one, two) = (SharedView(leader, "c"), SharedView(follower, "c"))
            await eventually("both are told") { one.last == "[] server" && two.last == "[] server" }
            try await leader.setNetworkEnabled(false)
            try await follower.setNetworkEnabled(false)
            var times: [Duration] = []
            for number in 1...20 {
                let (writer, reader) = number % 2 == 0 ? (leader, two) : (follower, one)
                let start = ContinuousClock.now
                writer.write([.set("c/a", ("n", .integer(Int64(number))))], saved: { _ in }) { _ in }
                let text = "[a=\(number)*] cache"
                await eventually("\(text), only \(reader.all)") { reader.last == text }
                times.append((reader.time(of: text) ?? .now) - start)
            }
            print("write in one process to snapshot in the other: median \(times.sorted()[10]), longest \(times.max() ?? .zero)")
            #expect(try await follower.queue?.pendingWrites().count == 20)
        }
    }

    @Test func `the follower sees what the leader knows of the network`() async throws {
        try await SharedCacheFixture.with { shared in
            try await shared.change(.set("c/a", ("n", .integer(1))))
            let (leader, follower) = (try shared.client(), try shared.client())
            let view = SharedView(follower, "c")
            await eventually("the follower is told \(view.all)") { view.last == "[a=1] server" }
            // Without a network the follower shows the cache, and the other continues.
            try await follower.setNetworkEnabled(false)
            await eventually("the follower is told \(view.all)") { view.last == "[a=1] cache" }
            try await follower.setNetworkEnabled(true)
            await eventually("the follower is told \(view.all)") { view.last == "[a=1] server" }
            // The leader without a network hands the lead over.
            try await leader.setNetworkEnabled(false)
            try await shared.change(.set("c/a", ("n", .integer(2))))
            await eventually("the follower is told \(view.all)") { view.last == "[a=2] server" }
            let other = SharedView(leader, "c", source: .cache)
            await eventually("the other is told \(other.all)") { other.last?.hasPrefix("[a=2]") == true }
            try await leader.setNetworkEnabled(true)
            let third = SharedView(leader, "c")
            await eventually("the other is told \(third.all)") { third.last == "[a=2] server" }
        }
    }

    @Test func `a process that ends hands the lead over`() async throws {
        try await SharedCacheFixture.with { shared in
            let (leader, follower) = (try shared.client(), try shared.client())
            let view = SharedView(follower, "c")
            await eventually("the follower is told \(view.all)") { view.last == "[] server" }
            await leader.terminate()
            try await shared.change(.set("c/a", ("n", .integer(1))))
            await eventually("the follower is told \(view.all)") { view.last == "[a=1] server" }
            _ = try await write(follower, .increment("c/a"))
            #expect(try await shared.truth("c/a") == 2)
        }
    }

    @Test func `a rejection reaches the process that wrote`() async throws {
        try await SharedCacheFixture.with { shared in
            let (leader, follower) = (try shared.client(), try shared.client())
            await expectError(.notFound) { try await write(follower, .update("c/none", "n", .integer(1))) }
            #expect(try await follower.queue?.failedWrites().count == 1)
            #expect(try await leader.queue?.failedWrites().count == 1)
            follower.write([.set("c/a")], saved: { _ in }) { _ in }
            try await follower.waitForPendingWrites()
            #expect(try await shared.truth("c/a") == nil)
        }
    }

    @Test func `a pin of one process is observed and refreshed by the others`() async throws {
        try await SharedCacheFixture.with { shared in
            try await shared.change(.set("c/a", ("n", .integer(1))))
            let (leader, follower) = (try shared.client(), try shared.client())
            let changes = Mutex(0)
            let handle = leader.pins?.observePins { changes.withLock { $0 += 1 } }
            func pin(of client: SyncClient) async throws -> PinnedTarget? { try await client.pins?.pinnedTargets().first }
            try await follower.pins?.pin(.query(ClientQuery(.collection("c"))), named: "c", refreshEvery: .seconds(3_600))
            await eventually("the leader is told") { changes.withLock { $0 } > 0 }
            try await eventually("both have fetched it") {
                let pins = [try await pin(of: leader), try await pin(of: follower)]
                return pins.allSatisfy { $0?.isCurrent == true && $0?.documentCount == 1 }
            }
            try await shared.change(.set("c/b", ("n", .integer(2))))
            try await leader.pins?.refreshPin(named: "c")
            try await eventually("the leader has fetched it again") { try await pin(of: leader)?.documentCount == 2 }
            // Another pin of the same name, and the end of it.
            try await leader.pins?.pin(.document(DocumentKey(trusted: "c/a")), named: "c", refreshEvery: .seconds(60))
            try await follower.pins?.refreshPin(named: "c")
            try await eventually("the follower has fetched the other one") {
                let pin = try await pin(of: follower)
                return pin?.isCurrent == true && pin?.documentCount == 1
            }
            let seen = changes.withLock { $0 }
            try await follower.pins?.unpin("c")
            await eventually("the leader is told") { changes.withLock { $0 } > seen }
            await expectError(.notFound, mentioning: "no pin has the name") { try await leader.pins?.refreshPin(named: "c") }
            handle?.remove()
        }
    }

    @Test func `all processes show one user`() async throws {
        try await SharedCacheFixture.with { shared in
            let alice = try shared.client(user: SyncUser(uid: "alice"))
            expectImmediateError(.failedPrecondition, mentioning: "for the user alice", "cacheIsPerUser") { try shared.client(user: SyncUser(uid: "bob")) }
            let second = try shared.client(user: SyncUser(uid: "alice"))
            alice.changeUser(to: SyncUser(uid: "bob"))
            _ = try await write(alice, .set("c/a", ("n", .integer(1))))
            await expectError(.failedPrecondition, mentioning: "bob") { try await write(second, .set("c/b")) }
            second.changeUser(to: SyncUser(uid: "bob"))
            _ = try await write(second, .set("c/b", ("n", .integer(2))))
            #expect(try await shared.truth("c/b") == 2)
        }
    }

    @Test func `everything beside the cache is private, and goes with its processes`() async throws {
        try await SharedCacheFixture.with { shared in
            let (leader, follower) = (try shared.client(), try shared.client())
            func mode(_ name: String) throws -> Int {
                (try FileManager.default.attributesOfItem(atPath: shared.folder.file(name))[.posixPermissions] as? NSNumber)?.intValue ?? 0
            }
            for name in shared.folder.names where name != "cache.sqlite.d" { #expect(try mode(name) == 0o600, "\(name)") }
            #expect(try mode("cache.sqlite.d") == 0o700)
            let inside = try FileManager.default.contentsOfDirectory(atPath: shared.folder.file("cache.sqlite.d"))
            #expect(inside.count == 3)
            for name in inside { #expect(try mode("cache.sqlite.d/\(name)") == 0o600, "\(name)") }
            expectImmediateError(.failedPrecondition, mentioning: "another process") {
                try LocalStore.open(
                    LocalStore.Configuration(location: .file(path: shared.file), databaseID: SharedCacheFixture.database, server: "shared"))
            }
            await leader.terminate()
            await follower.terminate()
            try LocalStore.open(
                LocalStore.Configuration(location: .file(path: shared.file), databaseID: SharedCacheFixture.database, server: "shared")).close()
        }
    }
}
