// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreRemote
import TestSupport
import Testing

/// Commits of a session: ahead of the answers on a Write stream, or in calls of their own, always in order.
@Suite(.timeLimit(.minutes(5)))
struct CommitLineTests {
    @Test func `a caller that waits for each commit makes unary calls and opens no stream`() async throws {
        try await RemoteFixture.with { fixture in
            for number in 0..<20 { try await fixture.service.commit(.set("c/\(number)")) }
            #expect(fixture.counter.started("Commit") == 20)
            #expect(fixture.counter.started("Write") == 0)
        }
    }

    @Test func `commits without a waiting caller share a stream, are applied in order and reported in order`() async throws {
        try await RemoteFixture.with { fixture in
            let outcomes = Outcomes()
            for number in 0..<1_000 { fixture.service.submit([.set("c/last", number), .set("c/\(number)")], context: .embedded, completion: outcomes.note(number)) }
            let last = try await fixture.service.get("c/last")
            #expect(last?.number == 999)
            #expect(outcomes.order == Array(0..<1_000) && outcomes.errors.isEmpty)
            let times = (0..<1_000).compactMap { outcomes.time($0) }
            #expect(times == times.sorted() && Set(times).count == 1_000)
            #expect(try await fixture.truth.find(.collection("c")).count == 1_001)
            #expect(fixture.counter.started("Write") == 1)
            // The first; on a busy machine also a write that finds the line empty.
            #expect((1...5).contains(fixture.counter.started("Commit")))
        }
    }

    @Test func `a commit that cannot use a stream is sent alone, in order`() async throws {
        try await RemoteFixture.with { fixture in
            let service = fixture.service
            let outcomes = Outcomes()
            let later = RequestContext(caller: .administrator, deadline: .now + .seconds(600))
            for number in 0..<100 {
                let writes: [Write] = number % 10 == 5 ? [] : [.set("c/a", number)]
                service.submit(
                    writes, context: number % 10 == 7 ? later : .embedded, completion: outcomes.note(number))
            }
            let last = try await service.get("c/a")
            #expect(last?.number == 99)
            #expect(outcomes.order == Array(0..<100) && outcomes.errors.isEmpty)
            #expect(fixture.counter.started("Write") == 1)
            // The first, those without writes, those with a deadline; on a busy machine also a write that finds the line empty.
            #expect((21...25).contains(fixture.counter.started("Commit")))
        }
    }

    @Test func `the commit of a transaction does not wait for others, and waiting for all commits includes it`() async throws {
        try await RemoteFixture.with { fixture in
            let service = fixture.service
            let transaction = try await service.beginTransaction(.readWrite(retrying: nil), context: .embedded)
            _ = try await service.documents([DocumentKey(trusted: "c/t")], options: .transaction(transaction), context: .embedded)
            let outcomes = Outcomes()
            for number in 0..<100 { service.submit([.set("c/a", number)], context: .embedded, completion: outcomes.note(number)) }
            service.submit([.set("c/t", 1)], in: transaction, context: .embedded, completion: outcomes.note(100))
            let document = try await service.get("c/t")
            #expect(document?.number == 1)
            #expect(outcomes.count == 101 && outcomes.errors.isEmpty)
            #expect(outcomes.order.filter { $0 < 100 } == Array(0..<100))
        }
    }

    @Test(arguments: [10, 256])
    func `a commit that fails takes no other along, however many are sent ahead (LS-39)`(most: Int) async throws {
        try await RemoteFixture.with(writeAhead: WriteAhead(most: most)) { fixture in
            let outcomes = Outcomes()
            for number in 0..<500 {
                let bad: [Write] = number % 10 == 3 ? [.set("c/none", 0, .exists(true))] : []
                fixture.service.submit([.increment("c/sum"), .set("c/\(number)", number, .exists(false))] + bad, context: .embedded, completion: outcomes.note(number))
            }
            await eventually("all told") { outcomes.count == 500 }
            #expect(outcomes.order == Array(0..<500))
            #expect(Set(outcomes.errors.keys) == Set((0..<500).filter { $0 % 10 == 3 }))
            #expect(outcomes.errors.values.allSatisfy { $0.code == .notFound })
            let sum = try await fixture.truth.get("c/sum")
            #expect(sum?.number == 450)
            #expect(try await fixture.truth.find(.collection("c")).count == 451)
        }
    }

    @Test(arguments: [nil, RPCStatus(.permissionDenied, "not for you"), RPCStatus(.unimplemented, "no streams")])
    func `without Write streams commits go one after the other`(rejection: RPCStatus?) async throws {
        let path = "/google.firestore.v1.Firestore/Write"
        try await RemoteFixture.with(rejecting: MethodRefusal(path: path, status: rejection)) { fixture in
            let outcomes = Outcomes()
            for number in 0..<200 { fixture.service.submit([.set("c/a", number)], context: .embedded, completion: outcomes.note(number)) }
            let last = try await fixture.service.get("c/a")
            #expect(last?.number == 199)
            #expect(outcomes.order == Array(0..<200) && outcomes.errors.isEmpty)
            #expect(fixture.counter.started("Commit") == 200)
            #expect(fixture.counter.started("Write") <= 1)
        }
    }

    @Test func `a stream that cannot be opened for another reason is tried again after the backoff, and commits go alone meanwhile`() async throws {
        let path = "/google.firestore.v1.Firestore/Write"
        let delays = Mutex<[Duration]>([])
        let backoff = Backoff(random: { 0.5 }, sleep: { delay in
            delays.withLock { $0.append(delay) }
            await Task.yield()
        })
        try await RemoteFixture.with(backoff: backoff, rejecting: MethodRefusal(path: path, status: RPCStatus(.internal, "broken"))) { fixture in
            let outcomes = Outcomes()
            for number in 0..<300 { fixture.service.submit([.set("c/a", number)], context: .embedded, completion: outcomes.note(number)) }
            await eventually("all told") { outcomes.count == 300 }
            #expect(outcomes.order == Array(0..<300) && outcomes.errors.isEmpty)
            #expect(fixture.counter.started("Commit") == 300)
            // LS-42: 1 s, then half as much again each time.
            let seen = delays.withLock { $0 }
            #expect(seen.first == .seconds(1) && seen == seen.sorted())
        }
    }

    @Test func `an idle stream is closed, and the next burst opens another one (LS-42)`() async throws {
        let hours = HourGlass()
        try await RemoteFixture.with(writeAhead: WriteAhead(most: 256, sleep: { _ in await hours.wait() })) { fixture in
            for round in 1...2 {
                let outcomes = Outcomes()
                for number in 0..<50 { fixture.service.submit([.set("c/a", number)], context: .embedded, completion: outcomes.note(number)) }
                await eventually("all told") { outcomes.count == 50 }
                #expect(outcomes.errors.isEmpty)
                #expect(fixture.counter.started("Write") == round)
                #expect(fixture.counter.open("Write") == 1)
                await eventually("closed") {
                    hours.turn()
                    return fixture.counter.open("Write") == 0
                }
            }
            hours.stop()
        }
    }

    @Test func `sessions do not wait for each other, and leave no stream behind`() async throws {
        try await RemoteFixture.with { fixture in
            let session = try fixture.service.session()
            let outcomes = Outcomes()
            for number in 0..<100 {
                (number % 2 == 0 ? fixture.service : session).submit([.increment("c/a")], context: .embedded, completion: outcomes.note(number))
            }
            await eventually("all told") { outcomes.count == 100 }
            #expect(outcomes.order.filter { $0 % 2 == 0 } == (0..<50).map { 2 * $0 })
            #expect(outcomes.order.filter { $0 % 2 == 1 } == (0..<50).map { 2 * $0 + 1 })
            await session.shutdown()
            await eventually("its stream is closed") { fixture.counter.open("Write") == 1 }
            try await fixture.service.commit(.increment("c/a"))
            #expect(try await fixture.truth.get("c/a")?.number == 101)
        }
    }

    @Test func `a completion may submit, whatever the line holds`() async throws {
        try await RemoteFixture.with { fixture in
            let outcomes = Outcomes()
            let service = fixture.service
            service.submit([.set("c/a")], context: .embedded) { _ in
                for number in 0..<5_000 { service.submit([.increment("c/sum")], context: .embedded, completion: outcomes.note(number)) }
            }
            await eventually("all told") { outcomes.count == 5_000 }
            #expect(outcomes.errors.isEmpty && outcomes.order == Array(0..<5_000))
            let sum = try await fixture.truth.get("c/sum")
            #expect(sum?.number == 5_000)
        }
    }
}

/// Time that passes only on request.
final class HourGlass: Sendable {
    private struct State {
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isStopped = false
    }

    private let state = Mutex(State())

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isStopped { state.waiting.append(continuation) }
                return state.isStopped
            }
            if isOver { continuation.resume() }
        }
    }

    func turn() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// No caller waits any more.
    func stop() {
        state.withLock { $0.isStopped = true }
        turn()
    }
}
