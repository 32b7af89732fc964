// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage
import TestSupport
import Testing

@testable import FirestoreEvents

/// Random logs, receivers that fail and are slow, and deliverers that are killed: what is promised holds.
@Suite struct DeliveryHistoryTests {
    private struct Simulation {
        var generator: SeededGenerator
        let log: [CommittedChanges]
        let trigger: EventTrigger
        /// What is on the disk.
        var stored = DeliveryPosition(floor: .none, through: .none)
        var machine: DeliveryMachine
        var inFlight: [Delivery] = []
        var now: Int64 = 1_000_000
        /// Every acknowledged delivery, in order.
        var acknowledged: [ChangeEvent] = []
        var delivered: [ChangeEvent] = []
        var isCalm = false

        init(seed: UInt64) throws {
            generator = SeededGenerator(seed: seed)
            trigger = try EventTrigger.test("c/{id}", kinds: [.created, .updated])
            log = Self.log(&generator)
            machine = DeliveryMachine(trigger, from: stored, history: 1)
        }

        private static func log(_ generator: inout SeededGenerator) -> [CommittedChanges] {
            var (state, commits) = ([String: Document](), [CommittedChanges]())
            for time in 1...120 as ClosedRange<Int64> {
                var changes: [String: CommittedChange] = [:]
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let path = "\(Bool.random(using: &generator) ? "c" : "d")/\(Int.random(in: 0..<8, using: &generator))"
                    let new: Document? = Int.random(in: 0..<4, using: &generator) == 0 ? nil : .test(path, time, at: time * 10)
                    guard changes[path] == nil, state[path] != nil || new != nil else { continue }
                    changes[path] = CommittedChange(key: DocumentKey(trusted: path), old: state[path], new: new)
                    state[path] = new
                }
                let ordered = changes.sorted { $0.key < $1.key }.map(\.value)
                commits.append(CommittedChanges(time: DocumentVersion(microseconds: time * 10), changes: ordered))
            }
            return commits
        }

        mutating func step() {
            now += Int64.random(in: 0..<3_000_000, using: &generator)
            switch Int.random(in: 0..<(isCalm ? 6 : 10), using: &generator) {
            case 0, 1: read()
            case 2, 3: deliver()
            case 4, 5: answer(failing: isCalm ? 0 : 3)
            case 6: stored = DeliveryPosition(floor: machine.position.floor, stored: machine.position.stored) ?? stored
            case 7 where Int.random(in: 0..<4, using: &generator) == 0: kill()
            default: answer(failing: 1)
            }
        }

        private mutating func read() {
            if let recall = machine.recall {
                let rest = log.filter { $0.time >= recall.from }
                _ = machine.takeBack(LogStretch(commits: rest, end: rest.last?.time ?? recall.from, isLast: true), of: recall.key)
            }
            guard machine.wantsMore else { return }
            let rest = log.filter { $0.time > machine.read }
            let part = Array(rest.prefix(Int.random(in: 1...9, using: &generator)))
            guard let last = part.last else { return }
            _ = machine.take(LogStretch(commits: part, end: last.time, isLast: part.count == rest.count), now: now)
        }

        private mutating func deliver() {
            let due = machine.due(now: now)
            delivered += due.map(\.event)
            inFlight += due
        }

        private mutating func answer(failing: Int) {
            guard !inFlight.isEmpty else { return }
            let delivery = inFlight.remove(at: Int.random(in: 0..<inFlight.count, using: &generator))
            let fails = Int.random(in: 0..<4, using: &generator) < failing
            if !fails { acknowledged.append(delivery.event) }
            let outcome = fails ? DeliveryOutcome.failed(DeliveryFailure(answer: "")) : .acknowledged
            _ = machine.answered(delivery.number, outcome, now: now)
        }

        /// The process ends; what was sent may have arrived or not.
        private mutating func kill() {
            inFlight = []
            machine = DeliveryMachine(trigger, from: stored, history: 1)
        }

        var isDone: Bool { machine.read == log.last?.time && machine.pending == 0 }
    }

    // OT-43
    @Test(
        "Each matching change is acknowledged at least one time, first deliveries of a document are in order, and ids are stable",
        arguments: 0..<UInt64(TestScale.pick(quick: 60, full: 2_000)))
    func histories(seed: UInt64) throws {
        var simulation = try Simulation(seed: seed)
        for step in 0..<20_000 where !simulation.isDone {
            simulation.isCalm = step > 2_000
            simulation.step()
        }
        #expect(simulation.isDone)
        var expected: [DocumentKey: [Int64]] = [:]
        for commit in simulation.log {
            for change in commit.changes where change.key.path.hasPrefix("c/") && change.new != nil {
                expected[change.key, default: []].append(commit.time.microseconds)
            }
        }
        var found: [DocumentKey: [Int64]] = [:]
        for event in simulation.acknowledged {
            let time = event.time.microseconds
            if found[event.key]?.contains(time) != true { found[event.key, default: []].append(time) }
        }
        #expect(found == expected)
        let ids = Dictionary(grouping: simulation.delivered) { "\($0.time.microseconds) \($0.key)" }.mapValues { Set($0.map(\.id)) }
        #expect(ids.values.allSatisfy { $0.count == 1 })
        #expect(Set(ids.values.flatMap(\.self)).count == ids.count)
    }
}
