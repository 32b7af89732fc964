// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage
import TestSupport
import Testing

@testable import FirestoreEvents

/// What a trigger does in each state, for each event.
@Suite struct DeliveryMachineTests {
    private static let second: Int64 = 1_000_000

    /// Delays without chance: 1, 2, 4 … seconds, at most 600.
    private static func machine(
        _ change: (inout EventTrigger) -> Void = { _ in }, from position: DeliveryPosition = DeliveryPosition(floor: .none, through: .none)
    ) throws -> DeliveryMachine {
        var trigger = try EventTrigger.test()
        change(&trigger)
        var backoff = DeliveryMachine.backoff
        backoff.jitter = 0
        return DeliveryMachine(trigger, from: position, history: 7, backoff: backoff)
    }

    private static func failure(retryAfter: Duration? = nil) -> DeliveryOutcome {
        .failed(DeliveryFailure(status: 503, answer: "later", retryAfter: retryAfter))
    }

    private static func paths(_ deliveries: [Delivery]) -> [String] { deliveries.map(\.event.key.path) }

    // MARK: Order

    // OT-43
    @Test("The next event of a document waits until the one before is acknowledged")
    func order() throws {
        var machine = try Self.machine()
        _ = machine.take(LogStretch(.creating("c/1", at: 1), .creating("c/1", "c/2", at: 2)), now: 2)
        let first = machine.due(now: 2)
        #expect(Self.paths(first) == ["c/1", "c/2"])
        #expect(machine.due(now: 2).isEmpty)
        _ = machine.answered(first[0].number, .acknowledged, now: 3)
        #expect(machine.due(now: 3).map(\.event.time.microseconds) == [2])
    }

    @Test("Without order all events of a document are delivered at the same time")
    func unordered() throws {
        var machine = try Self.machine { $0.isOrdered = false }
        _ = machine.take(LogStretch(.creating("c/1", at: 1), .creating("c/1", at: 2)), now: 2)
        #expect(machine.due(now: 2).count == 2)
    }

    // OT-44
    @Test("A document whose event fails delays no other document")
    func poison() throws {
        var machine = try Self.machine { $0.concurrency = 1 }
        _ = machine.take(LogStretch(.creating("c/bad", at: 1), .creating("c/good", at: 2)), now: 2)
        let bad = machine.due(now: 2)
        #expect(Self.paths(bad) == ["c/bad"])
        _ = machine.answered(bad[0].number, Self.failure(), now: 2)
        let good = machine.due(now: 2)
        #expect(Self.paths(good) == ["c/good"])
        _ = machine.answered(good[0].number, .acknowledged, now: 2)
        #expect(machine.pending == 1)
    }

    @Test("No more events are in flight than the trigger allows")
    func concurrency() throws {
        var machine = try Self.machine { $0.concurrency = 3 }
        _ = machine.take(LogStretch(.creating("c/1", "c/2", "c/3", "c/4", at: 1)), now: 1)
        let first = machine.due(now: 1)
        #expect(first.count == 3)
        #expect(machine.due(now: 1).isEmpty)
        _ = machine.answered(first[1].number, .acknowledged, now: 1)
        #expect(Self.paths(machine.due(now: 1)) == ["c/4"])
    }

    // OP-80
    @Test("A change without effect is no event")
    func withoutEffect() throws {
        var machine = try Self.machine()
        let (key, document) = (DocumentKey(trusted: "c/1"), Document.test("c/1", 1, at: 1))
        let changes = [
            CommittedChange(key: key, old: nil, new: nil), CommittedChange(key: key, old: document, new: document),
        ]
        _ = machine.take(LogStretch(CommittedChanges(time: DocumentVersion(microseconds: 2), changes: changes)), now: 2)
        #expect(machine.pending == 0)
        #expect(machine.position == DeliveryPosition(floor: DocumentVersion(microseconds: 2), through: DocumentVersion(microseconds: 2)))
    }

    @Test("A trigger delivers the kinds of changes and the documents that it names", arguments: EventKind.allCases)
    func kinds(_ kind: EventKind) throws {
        var machine = try Self.machine { $0.kinds = [kind] }
        func change(_ path: String, _ old: Int64?, _ new: Int64?) -> CommittedChange {
            CommittedChange(
                key: DocumentKey(trusted: path), old: old.map { .test(path, $0, at: $0) }, new: new.map { .test(path, $0, at: $0) })
        }
        let changes = [
            change("c/created", nil, 1), change("c/updated", 1, 2), change("c/deleted", 1, nil), change("d/\(kind)", 1, nil),
            change("c/\(kind)/e/1", nil, 1),
        ]
        _ = machine.take(LogStretch(CommittedChanges(time: DocumentVersion(microseconds: 3), changes: changes)), now: 3)
        let found = machine.due(now: 3)
        #expect(Self.paths(found) == ["c/\(kind)"])
        #expect(found.first?.event.kind == kind)
        #expect(found.first?.event.params == ["id": kind.rawValue])
    }

    // MARK: Repeated attempts

    // OT-45
    @Test("A failing event is tried again after 1, 2, 4 … seconds, at most ten minutes, until its age is reached; then it is dead")
    func retries() throws {
        var machine = try Self.machine { $0.ageLimit = .seconds(3_000) }
        _ = machine.take(LogStretch(.creating("c/1", at: 1)), now: 1)
        var (now, pauses) = (Int64(1), [Int64]())
        var dead: [DeliveryMachine.Effect] = []
        while dead.isEmpty {
            let delivery = try #require(machine.due(now: now).first)
            #expect(delivery.attempt == pauses.count + 1)
            dead = machine.answered(delivery.number, Self.failure(), now: now)
            guard dead.isEmpty else { break }
            let next = try #require(machine.nextRetry)
            #expect(machine.due(now: next - 1).isEmpty)
            pauses.append((next - now) / Self.second)
            now = next
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600])
        guard case .bury(let event, let attempts, let failure)? = dead.first else {
            Issue.record("the event is not dead")
            return
        }
        #expect(event.key.path == "c/1" && attempts == 14 && failure.status == 503)
    }

    @Test("What follows a dead event of a document is delivered")
    func afterDeath() throws {
        var machine = try Self.machine { $0.ageLimit = .zero }
        _ = machine.take(LogStretch(.creating("c/1", at: 1), .creating("c/1", at: 2)), now: 2)
        let first = machine.due(now: 2)
        #expect(machine.answered(first[0].number, Self.failure(), now: 2).count == 1)
        #expect(machine.due(now: 2).map(\.event.time.microseconds) == [2])
    }

    // OT-45
    @Test("A receiver that asks for more time gets it, and one that asks for less does not")
    func retryAfter() throws {
        for (asked, expected) in [(30, 30), (0, 1)] as [(Int64, Int64)] {
            var machine = try Self.machine()
            _ = machine.take(LogStretch(.creating("c/1", at: 1)), now: 1)
            let delivery = machine.due(now: 1)[0]
            _ = machine.answered(delivery.number, Self.failure(retryAfter: .seconds(asked)), now: 1)
            #expect(machine.nextRetry == 1 + expected * Self.second)
        }
    }

    // OT-45
    @Test("After 410 nothing is delivered any more, and nothing is forgotten")
    func gone() throws {
        var machine = try Self.machine { $0.concurrency = 2 }
        _ = machine.take(LogStretch(.creating("c/1", "c/2", "c/3", at: 5)), now: 5)
        let first = machine.due(now: 5)
        let gone = DeliveryOutcome.gone(DeliveryFailure(status: 410, answer: ""))
        #expect(machine.answered(first[0].number, gone, now: 5).count == 1)
        #expect(machine.answered(first[1].number, gone, now: 5).isEmpty, "the operator is asked for one time")
        #expect(machine.isOff && !machine.wantsMore && machine.due(now: 100 * Self.second).isEmpty)
        #expect(machine.position.pending.count == 3)
        #expect(machine.position.floor.microseconds == 4)
    }

    @Test("A cancelled attempt does not count")
    func cancelled() throws {
        var machine = try Self.machine()
        _ = machine.take(LogStretch(.creating("c/1", at: 1)), now: 1)
        let first = machine.due(now: 1)[0]
        _ = machine.answered(first.number, .cancelled, now: 1)
        #expect(machine.due(now: 1).map(\.attempt) == [1])
    }

    @Test("A dead event is delivered again on request, beside the others, and its age begins anew")
    func retold() throws {
        var machine = try Self.machine { $0.ageLimit = .seconds(2) }
        let commit = CommittedChanges.creating("c/1", at: 1)
        let event = try #require(try EventTrigger.test().event(of: commit.changes[0], at: commit.time, history: 7))
        machine.retell(event, now: 100 * Self.second)
        machine.retell(event, now: 100 * Self.second)
        let delivery = machine.due(now: 100 * Self.second)
        #expect(delivery.map(\.event.id) == [event.id])
        #expect(machine.answered(delivery[0].number, Self.failure(), now: 100 * Self.second).isEmpty)
        let again = machine.due(now: 101 * Self.second)
        let effects = machine.answered(again[0].number, .acknowledged, now: 101 * Self.second)
        guard case .redelivered(let id)? = effects.first else {
            Issue.record("the letter stays")
            return
        }
        #expect(id == event.id)
        #expect(machine.position.pending.isEmpty)
    }

    // MARK: Position and bounds

    // OP-85
    @Test("The position is the commit before the oldest unanswered event, and names what is unanswered behind it")
    func position() throws {
        var machine = try Self.machine()
        _ = machine.take(LogStretch(.creating("c/1", at: 10), .creating("c/2", at: 20), .creating("x/1", at: 30)), now: 30)
        let deliveries = machine.due(now: 30)
        _ = machine.answered(deliveries[1].number, .acknowledged, now: 30)
        #expect(machine.position.floor.microseconds == 9)
        #expect(machine.position.through.microseconds == 30)
        #expect(machine.position.pending.map(\.key.path) == ["c/1"])
        _ = machine.answered(deliveries[0].number, .acknowledged, now: 30)
        #expect(machine.position == DeliveryPosition(floor: DocumentVersion(microseconds: 30), through: DocumentVersion(microseconds: 30)))
    }

    @Test("After a restart, what was unanswered is delivered again, and what was answered is not; ids are the same")
    func restart() throws {
        let stretch = LogStretch(.creating("c/1", at: 10), .creating("c/2", "c/3", at: 20), .creating("c/4", at: 30))
        var machine = try Self.machine()
        _ = machine.take(stretch, now: 30)
        let deliveries = machine.due(now: 30)
        for index in [1, 3] { _ = machine.answered(deliveries[index].number, .acknowledged, now: 30) }
        let stored = try #require(DeliveryPosition(floor: machine.position.floor, stored: machine.position.stored))
        var second = try Self.machine(from: stored)
        #expect(second.position == stored, "nothing is forgotten before the log is read")
        _ = second.take(stretch, now: 40)
        let again = second.due(now: 40)
        #expect(Self.paths(again) == ["c/1", "c/3"])
        #expect(again.map(\.event.id) == [deliveries[0].event.id, deliveries[2].event.id])
        _ = second.take(LogStretch(.creating("c/5", at: 50)), now: 50)
        #expect(Self.paths(second.due(now: 50)) == ["c/5"])
    }

    // OT-44
    @Test("While many events are unanswered the machine wants no more of the log")
    func bounds() throws {
        var machine = try Self.machine()
        var time: Int64 = 0
        while machine.wantsMore {
            time += 1
            _ = machine.take(LogStretch(.creating("c/\(time)", at: time), isLast: false), now: time)
        }
        #expect(machine.pending == 1_024)
        for delivery in machine.due(now: time) { _ = machine.answered(delivery.number, .acknowledged, now: time) }
        #expect(machine.wantsMore)
    }

    // OT-44
    @Test("Of a document with very many events most stay in the log, and the others are delivered as usual", arguments: [true, false])
    func manyOfOneDocument(isOrdered: Bool) throws {
        var machine = try Self.machine { $0.isOrdered = isOrdered }
        let stretch = LogStretch(commits: (1...5_000).map { .creating("c/many", at: $0) }, end: DocumentVersion(microseconds: 5_000), isLast: true)
        _ = machine.take(stretch, now: 1)
        #expect(machine.pending == 64 && machine.wantsMore && machine.recall == nil)
        for delivery in machine.due(now: 1) { _ = machine.answered(delivery.number, Self.failure(), now: 1) }
        _ = machine.take(LogStretch(.creating("c/other", at: 6_000), .creating("c/many", at: 6_001)), now: 1)
        var others: [Delivery] = []
        while case let due = machine.due(now: 1), !due.isEmpty {
            for delivery in due { _ = machine.answered(delivery.number, .acknowledged, now: 1) }
            others += due
        }
        #expect(Self.paths(others).filter { $0 != "c/many" } == ["c/other"])
        #expect(machine.floor.microseconds == 0)
        // Restarted now and then, it delivers every one of them.
        let log = LogStretch(
            commits: stretch.commits + [.creating("c/other", at: 6_000), .creating("c/many", at: 6_001)],
            end: DocumentVersion(microseconds: 6_001), isLast: true)
        var found = others.filter { $0.event.key.path == "c/many" }.map(\.event.time.microseconds)
        var (now, rounds) = (Self.second, 0)
        while machine.floor.microseconds < 6_001 {
            now += 2 * Self.second
            rounds += 1
            if rounds % 300 == 0 {
                let stored = try #require(DeliveryPosition(floor: machine.position.floor, stored: machine.position.stored))
                #expect(stored == machine.position)
                machine = try Self.machine({ $0.isOrdered = isOrdered }, from: stored)
                _ = machine.take(log, now: now)
            }
            for delivery in machine.due(now: now) {
                found.append(delivery.event.time.microseconds)
                _ = machine.answered(delivery.number, .acknowledged, now: now)
            }
            while let recall = machine.recall { _ = machine.takeBack(log, of: recall.key) }
            #expect(machine.pending <= 65)
        }
        let expected = (1...5_000).map(Int64.init) + [6_001]
        #expect(isOrdered ? found == expected : Set(found) == Set(expected))
    }

    // OP-89
    @Test("A document with 100 events in a minute is suspected of a loop, one time")
    func loop() throws {
        var machine = try Self.machine()
        var suspected = 0
        for time in 1...250 { suspected += machine.take(LogStretch(.creating("c/1", at: Int64(time))), now: Int64(time)).count }
        #expect(suspected == 1)
        suspected = machine.take(LogStretch(.creating("c/1", at: 70 * Self.second)), now: 70 * Self.second).count
        #expect(suspected == 0)
    }
}
