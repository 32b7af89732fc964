import FirestoreCore
import Testing

@testable import FirestoreClient

@Suite struct TransactionLanesTests {
    let a = DocumentKey(trusted: "x/a")
    let b = DocumentKey(trusted: "x/b")

    @Test func `whoever lost first goes first, others only wait where there is a line`() {
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

    @Test func `turns come one after the other, in the order of asking`() async {
        let turns = TransactionTurns(patience: .seconds(600))
        let first = await turns.turn(at: "x/a", afterConflict: true)
        let order = Order()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let turn = await turns.turn(at: "x/a", afterConflict: true)
                    order.numbers.withLock { $0.append(number) }
                    turn?.end()
                    turn?.end()
                }
            }
            #expect(order.numbers.withLock { $0.isEmpty })
            first?.end()
        }
        #expect(order.numbers.withLock { $0.sorted() } == Array(0..<20))
        #expect(await turns.turn(at: "x/a", afterConflict: false) == nil, "the line is gone")
    }

    @Test func `who waits too long goes on without a turn`() async {
        let turns = TransactionTurns(patience: .milliseconds(1))
        let holder = await turns.turn(at: "x/a", afterConflict: true)
        #expect(await turns.turn(at: "x/a", afterConflict: true) == nil)
        #expect(await turns.turn(at: "x/a", afterConflict: false) == nil)
        #expect(await turns.turn(at: "x/b", afterConflict: true) != nil)
        holder?.end()
        #expect(await turns.turn(at: "x/a", afterConflict: true) != nil)
    }

    @Test func `a turn that is dropped ends`() async {
        let turns = TransactionTurns(patience: .seconds(600))
        _ = await turns.turn(at: "x/a", afterConflict: true)
        #expect(await turns.turn(at: "x/a", afterConflict: true) != nil)
    }

    @Test func `after a conflict: the same turn at the same place, else one at the new place`() async {
        let turns = TransactionTurns(patience: .milliseconds(1))
        let atA = FirestoreError(.aborted, "", at: "x/a")
        let turn = await turns.turn(after: atA, held: nil)
        #expect(await turns.turn(after: atA, held: turn) === turn)
        #expect(await turns.turn(after: FirestoreError(.unavailable, ""), held: turn) === turn)
        let other = await turns.turn(after: FirestoreError(.aborted, "", at: "x/b"), held: turn)
        #expect(other !== turn)
        #expect(await turns.turn(at: "x/a", afterConflict: true) != nil, "the first one is free again")
        #expect(await turns.turn(after: FirestoreError(.aborted, ""), held: nil) == nil)
    }
}
