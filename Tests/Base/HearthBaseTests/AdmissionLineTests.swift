// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase
import TestSupport
import Testing

@Suite struct AdmissionLineTests {
    /// Lines of at most two elements and a weight of 100.
    enum State: String, CaseIterable {
        case empty, oneLight, oneHeavy, full, overfull, leftButPending, closed

        var line: AdmissionLine {
            var line = AdmissionLine(mostElements: 2, mostWeight: 100)
            func enter(_ weight: Int) { _ = line.admit(weight: weight, mayWait: false) }
            switch self {
            case .empty: break
            case .oneLight: enter(10)
            case .oneHeavy: enter(500)
            case .full: for _ in 0..<2 { enter(10) }
            case .overfull: for _ in 0..<5 { enter(10) }
            case .leftButPending:
                for _ in 0..<2 { enter(10) }
                _ = line.leave(2, weight: 20)
            case .closed:
                enter(10)
                _ = line.close()
            }
            return line
        }
    }

    static let admissions: [(State, weight: Int, mayWait: Bool, AdmissionLine.Admission)] = [
        (.empty, 10, true, .accepted(ticket: 1)), (.empty, 10, false, .accepted(ticket: 1)),
        // Whatever its weight.
        (.empty, 500, true, .accepted(ticket: 1)), (.empty, 500, false, .accepted(ticket: 1)),
        (.oneLight, 10, true, .accepted(ticket: 2)), (.oneLight, 90, true, .accepted(ticket: 2)), (.oneLight, 91, true, .full),
        (.oneLight, 91, false, .accepted(ticket: 2)),
        (.oneHeavy, 0, true, .full), (.oneHeavy, 0, false, .accepted(ticket: 2)),
        (.full, 0, true, .full), (.full, 0, false, .accepted(ticket: 3)),
        (.overfull, 0, true, .full), (.overfull, 0, false, .accepted(ticket: 6)),
        (.leftButPending, 500, true, .accepted(ticket: 3)), (.leftButPending, 10, false, .accepted(ticket: 3)),
        (.closed, 0, true, .closed), (.closed, 0, false, .closed),
    ]

    @Test(arguments: admissions.indices) func `an element enters below the limit`(index: Int) {
        let (state, weight, mayWait, expected) = Self.admissions[index]
        var line = state.line
        let (count, held) = (line.count, line.weight)
        #expect(line.admit(weight: weight, mayWait: mayWait) == expected, "\(state) \(weight)")
        if case .accepted(let ticket) = expected {
            #expect(line.count == count + 1 && line.weight == held + weight && line.accepted == ticket && !line.isIdle)
        } else {
            #expect(line.count == count && line.weight == held)
        }
    }

    /// How many elements of weight 10 leave, and whether a blocked caller may try again.
    static let departures: [(State, leaving: Int, wakes: Bool)] = [
        (.oneLight, 1, true), (.full, 1, true), (.full, 2, true),
        (.overfull, 1, false), (.overfull, 3, false), (.overfull, 4, true), (.overfull, 5, true),
    ]

    @Test(arguments: departures.indices) func `a caller that waits for capacity is resumed once, when there is some`(index: Int) {
        let (state, leaving, wakes) = Self.departures[index]
        var line = state.line
        line.block {}
        line.block {}
        #expect(line.leave(leaving, weight: 10 * leaving).count == (wakes ? 2 : 0), "\(state) \(leaving)")
        #expect(line.close().count == (wakes ? 0 : 2))
    }

    @Test func `the capacity that a heavy element held is released`() {
        var line = State.oneHeavy.line
        line.block {}
        #expect(line.leave(weight: 500).count == 1)
        #expect(line.admit(weight: 90, mayWait: true) == .accepted(ticket: 2))
    }

    @Test(arguments: State.allCases) func `a closed line accepts nothing, and resumes callers that wait for capacity`(state: State) {
        var line = state.line
        line.block {}
        #expect(line.close().count == 1)
        #expect(line.close().isEmpty)
        #expect(line.admit(weight: 0, mayWait: false) == .closed)
    }

    /// Whether there is something to wait for: what has left but is not finished is pending.
    @Test(arguments: State.allCases) func `a caller waits only for pending elements`(state: State) {
        var line = state.line
        let isPending = state != .empty
        #expect(line.isIdle == !isPending)
        let waits = line.wait {}
        #expect(waits == isPending)
        let total = Int(line.accepted)
        #expect(line.finishNext(total).count == (isPending ? 1 : 0))
        #expect(line.isIdle)
        #expect(!line.wait {})
        #expect(!line.wait(for: 0) {})
        #expect(!line.wait(for: UInt64(total)) {})
    }

    @Test func `a waiting caller is resumed by the elements before it, not by later ones`() {
        var line = AdmissionLine(mostElements: 10, mostWeight: 10)
        let log = Mutex<[String]>([])
        func wait(_ name: String, for ticket: UInt64? = nil) {
            let waits = line.wait(for: ticket) { log.withLock { $0.append(name) } }
            #expect(waits)
        }
        func finish(_ ticket: UInt64) -> [String] {
            for wake in line.finish(ticket) { wake() }
            return log.withLock { log in
                defer { log = [] }
                return log
            }
        }
        for _ in 0..<3 { _ = line.admit(weight: 1, mayWait: true) }
        wait("three")
        wait("one", for: 1)
        wait("two", for: 2)
        wait("two again", for: 2)
        // In another order than they came in.
        #expect(finish(3) == [])
        #expect(finish(1) == ["one"])
        _ = line.admit(weight: 1, mayWait: true)
        wait("four")
        #expect(finish(2) == ["two", "two again", "three"])
        #expect(!line.isIdle)
        #expect(finish(4) == ["four"])
        #expect(line.isIdle)
    }

    /// Compared with sets: held elements, pending elements, and waiting callers.
    @Test func `random histories agree with a model`() {
        for seed in 0..<UInt64(TestScale.pick(quick: 50, full: 200)) {
            var generator = SeededGenerator(seed: seed)
            let (most, mostWeight) = (Int.random(in: 1...5, using: &generator), Int.random(in: 1...50, using: &generator))
            var line = AdmissionLine(mostElements: most, mostWeight: mostWeight)
            var held: [UInt64: Int] = [:]
            var pending: Set<UInt64> = []
            var waiting: [Int: Set<UInt64>] = [:]
            let woken = Mutex<Set<Int>>([])
            var tickets: UInt64 = 0
            var blocked = 0
            for step in 0..<200 {
                switch Int.random(in: 0..<4, using: &generator) {
                case 0, 1:
                    let weight = Int.random(in: 0...20, using: &generator)
                    let mayWait = Int.random(in: 0..<5, using: &generator) > 0
                    let total = held.values.reduce(0, +)
                    let isFull = !held.isEmpty && (held.count >= most || total + weight > mostWeight)
                    if mayWait, isFull {
                        #expect(line.admit(weight: weight, mayWait: true) == .full)
                        line.block {}
                        blocked += 1
                    } else {
                        tickets += 1
                        #expect(line.admit(weight: weight, mayWait: mayWait) == .accepted(ticket: tickets))
                        held[tickets] = weight
                        pending.insert(tickets)
                    }
                case 2:
                    // Holds its capacity until it is finished, as a commit on a wire does.
                    guard let ticket = pending.sorted().randomElement(using: &generator), let weight = held.removeValue(forKey: ticket) else { continue }
                    pending.remove(ticket)
                    for wake in line.finish(ticket) { wake() }
                    let hasRoom = held.isEmpty || (held.count < most && held.values.reduce(0, +) <= mostWeight)
                    #expect(line.leave(weight: weight).count == (hasRoom ? blocked : 0))
                    if hasRoom { blocked = 0 }
                default:
                    let isPending = !pending.isEmpty
                    let waits = line.wait { woken.withLock { _ = $0.insert(step) } }
                    #expect(waits == isPending)
                    if isPending { waiting[step] = pending }
                }
                #expect(line.count == held.count && line.weight == held.values.reduce(0, +) && line.isIdle == pending.isEmpty)
                let due = Set(waiting.filter { $0.value.isDisjoint(with: pending) }.keys)
                #expect(woken.withLock { $0 } == due, "seed \(seed), step \(step)")
            }
        }
    }
}
