// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreClient

@Suite struct TransactionLanesTests {
    let a = DocumentKey(trusted: "x/a")
    let b = DocumentKey(trusted: "x/b")

    @Test func `the first transaction to fail goes first, others wait only if there is a queue`() {
        var lanes = TransactionLanes(capacity: 2)
        #expect(lanes.enter(a, opensLane: false) == .free)
        #expect(lanes.enter(a, opensLane: true) == .turn(1))
        #expect(lanes.enter(b, opensLane: false) == .free)
        #expect(lanes.enter(a, opensLane: true) == .wait(2))
        #expect(lanes.enter(a, opensLane: false) == .wait(3))
        #expect(lanes.enter(a, opensLane: false) == .full)
        #expect(lanes.enter(a, opensLane: true) == .wait(4))
        #expect(lanes.leave(a, 1) == 2)
        #expect(lanes.leave(a, 3) == nil, "gave up")
        #expect(lanes.leave(a, 2) == 4)
        #expect(lanes.leave(a, 4) == nil)
        #expect(lanes.isEmpty)
        #expect(lanes.enter(a, opensLane: false) == .free)
        #expect(lanes.leave(a, 4) == nil)
    }
}

@Suite struct TransactionTurnsTests {
    private final class Order: Sendable {
        let numbers = Mutex<[Int]>([])
    }

    private func lost(at place: String) -> FirestoreError { FirestoreError(.aborted, "", at: place) }
    private func places(_ claim: TransactionClaim?) -> [String]? { claim?.turns.map(\.place.path) }

    @Test func `turns come one after the other, and the queue ends with the last`() async {
        let turns = TransactionTurns(patience: .seconds(600))
        let first = await turns.claim(after: lost(at: "x/a"), at: [], held: nil)
        #expect(places(first) == ["x/a"])
        let order = Order()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let claim = number % 2 == 0
                        ? await turns.claim(after: lost(at: "x/a"), at: [], held: nil) : await turns.claim(beginningAt: "x/a")
                    order.numbers.withLock { $0.append(number) }
                    claim?.end()
                    claim?.end()
                }
            }
            // A transaction that begins elsewhere does not wait.
            #expect(await turns.claim(beginningAt: "x/b") == nil)
            first?.end()
        }
        #expect(order.numbers.withLock { $0.sorted() } == Array(0..<20))
        #expect(await turns.claim(beginningAt: "x/a") == nil)
    }

    @Test func `a transaction that waits too long continues without a turn`() async {
        let turns = TransactionTurns(patience: .milliseconds(1))
        let holder = await turns.claim(after: lost(at: "x/a"), at: [], held: nil)
        #expect(await places(turns.claim(after: lost(at: "x/a"), at: [], held: nil)) == [])
        #expect(await turns.claim(beginningAt: "x/a") == nil)
        #expect(await places(turns.claim(after: lost(at: "x/b"), at: [DocumentKey(trusted: "x/a")], held: nil)) == ["x/b"])
        holder?.end()
        #expect(await places(turns.claim(after: lost(at: "x/a"), at: [], held: nil)) == ["x/a"])
    }

    @Test func `turns that are dropped end`() async {
        let turns = TransactionTurns(patience: .seconds(600))
        _ = await turns.claim(after: lost(at: "x/a"), at: [], held: nil)
        #expect(await places(turns.claim(after: lost(at: "x/a"), at: [], held: nil)) == ["x/a"])
    }

    @Test func `each loss asks for more: where it was read, then everywhere`() async {
        let turns = TransactionTurns(patience: .seconds(600))
        let read: Set<DocumentKey> = [DocumentKey(trusted: "x/c"), DocumentKey(trusted: "x/a")]
        let first = await turns.claim(after: lost(at: "x/b"), at: read, held: nil)
        #expect(places(first) == ["x/a", "x/b", "x/c"])
        let second = await turns.claim(after: lost(at: "x/c"), at: read, held: first)
        #expect(places(second) == ["", "x/a", "x/c"] && second?.differs(from: first) == true)
        let third = await turns.claim(after: lost(at: "x/a"), at: read, held: second)
        #expect(places(third) == places(second) && third?.differs(from: second) == false)
        let other = await turns.claim(after: FirestoreError(.unavailable, ""), at: read, held: third)
        #expect(other?.differs(from: third) == false)
        #expect(await turns.claim(after: FirestoreError(.aborted, ""), at: [], held: nil) == nil)
        // Now every new transaction waits, at any place, and then has no turn.
        async let beginner = turns.claim(beginningAt: "y/y")
        third?.end()
        #expect(await beginner == nil)
    }

    @Test func `without the place of the conflict a transaction takes turns at every place it has read`() async {
        let turns = TransactionTurns(patience: .seconds(600))
        let read: Set<DocumentKey> = [DocumentKey(trusted: "x/c"), DocumentKey(trusted: "x/a")]
        let first = await turns.claim(after: FirestoreError(.aborted, "too much contention"), at: read, held: nil)
        #expect(places(first) == ["x/a", "x/c"])
        let second = await turns.claim(after: FirestoreError(.aborted, "too much contention"), at: read, held: first)
        #expect(places(second) == ["", "x/a", "x/c"])
        second?.end()
    }

    @Test func `a transaction that reads very much takes turns at some places only`() {
        let read = Set((100..<200).map { DocumentKey(trusted: "x/\($0)") })
        let places = TransactionClaim.places(losses: 1, at: DocumentKey(trusted: "x/999"), among: read)
        #expect(places.count == 16 && places.last?.path == "x/999" && places == places.sorted())
        #expect(TransactionClaim.places(losses: 1, at: nil, among: read).count == 16)
    }
}
