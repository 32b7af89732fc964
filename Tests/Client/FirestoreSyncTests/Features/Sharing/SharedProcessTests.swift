// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync
import Foundation
import NetworkFaults
import TestSupport
import Testing

/// Several real processes on one cache.
@Suite(.waitingForProcesses, .timeLimit(.minutes(3))) struct SharedProcessTests {
    // T135, T136
    @Test func `a follower in another process reads, listens and writes (T135, T136)`() async throws {
        try await SharedCacheFixture.with { shared in
            try await shared.change(.set("c/a", ("n", .integer(1))))
            let leader = try shared.client()
            let view = SharedView(leader, "c")
            let child = try CacheSharer(shared.file, port: shared.port)
            defer { child.kill() }
            child.tell("listen c")
            await child.says("c [a=1] server")
            child.tell("increment c/a")
            await child.says("done c/a")
            await eventually("the leader is told \(view.all)") { view.last == "[a=2] server" }
            await child.says("c [a=2] server")
            let start = ContinuousClock.now
            child.tell("set c/b 5")
            await eventually("the leader is told \(view.all)") { view.time(of: "[a=2 b=5*] server") != nil }
            print("write in a child process to snapshot here:", (view.time(of: "[a=2 b=5*] server") ?? .now) - start)
            await child.says("c [a=2 b=5] server")
            child.tell("end")
            child.waitUntilExit()
        }
    }

    @Test func `a killed leader is followed immediately, and what it sent is applied once (T137)`() async throws {
        try await SharedCacheFixture.with { shared in
            let proxy = FaultProxy(to: shared.port)
            let child = try CacheSharer(shared.file, port: try await proxy.start())
            defer { child.kill() }
            await child.says("ready")
            child.tell("listen c")
            child.tell("set c/a 1")
            await child.says("done c/a")
            await child.says("c [a=1] server")
            let follower = try shared.client()
            let view = SharedView(follower, "c")
            await eventually("the follower is told \(view.all)") { view.last == "[a=1] server" }
            // The leader sends, the server applies, and the leader never receives the response.
            proxy.silence([.toClient])
            follower.write([.increment("c/a")], saved: { _ in }) { _ in }
            child.tell("increment c/a")
            await child.says("saved c/a")
            try await eventually("both writes are applied") { try await shared.truth("c/a") == 3 }
            let start = ContinuousClock.now
            child.kill()
            await eventually("the follower is told \(view.all)") { view.last == "[a=3] server" }
            print("a killed leader: the follower has everything after", (view.time(of: "[a=3] server") ?? .now) - start)
            try await follower.waitForPendingWrites()
            #expect(try await shared.truth("c/a") == 3)
            await proxy.stop()
        }
    }
}
