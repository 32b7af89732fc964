// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreEngine
import FirestoreStorage
import TestSupport
import Testing

@testable import FirestoreEvents

/// Delivery over a real database.
@Suite struct TriggerRunnerTests {
    private static func runner(
        _ engine: Engine, to receiver: any EventReceiver, shelf: DeadLetterStore? = nil, reports: ReportLog = ReportLog(),
        settings: RunnerSettings = .prompt, _ change: (inout EventTrigger) -> Void = { _ in }
    ) throws -> TriggerRunner {
        var trigger = try EventTrigger.test()
        change(&trigger)
        return TriggerRunner(trigger, of: engine, to: receiver, shelf: shelf, settings: settings) { reports.note($0) }
    }

    /// Waits until a first start has found its place: later commits are events.
    private static func started(_ runner: TriggerRunner, _ engine: Engine) async throws {
        await runner.start()
        try await eventually("the place is stored") { try await engine.hold("events/webhook/t") != nil }
    }

    @Test("Changes after the start are delivered with the states before and after, and nothing is delivered for a write without effect")
    func delivers() async throws {
        let (engine, receiver) = (try Engine.events(), RecordingReceiver())
        _ = try await engine.commit(.set("c/0", ("n", .integer(0))))
        let runner = try Self.runner(engine, to: receiver)
        try await Self.started(runner, engine)
        _ = try await engine.commit(.set("c/1", ("n", .integer(1))), .set("d/1", ("n", .integer(1))))
        _ = try await engine.commit(.set("c/1", ("n", .integer(1))))
        _ = try await engine.commit(.set("c/1", ("n", .integer(2))))
        _ = try await engine.commit(.delete("c/1"))
        await eventually("all are delivered") { receiver.deliveries.count >= 3 }
        await runner.stop()
        #expect(receiver.deliveries.map(\.event.kind) == [.created, .updated, .deleted])
        #expect(receiver.numbers == [1, 2, nil])
        #expect(receiver.deliveries.map { $0.event.before?.number } == [nil, 1, 2])
        await engine.shutdown()
    }

    // OT-43, OT-47
    @Test("After a restart delivery continues where it was, and changes meanwhile are delivered")
    func restart() async throws {
        let folder = try ScratchFolder()
        var engine = try Engine.events(folder.file())
        let first = RecordingReceiver()
        var runner = try Self.runner(engine, to: first)
        try await Self.started(runner, engine)
        _ = try await engine.commit(.set("c/1", ("n", .integer(1))))
        await eventually("one is delivered") { first.deliveries.count == 1 }
        await runner.stop()
        _ = try await engine.commit(.set("c/2", ("n", .integer(2))))
        await engine.shutdown()
        engine = try Engine.events(folder.file())
        let second = RecordingReceiver()
        runner = try Self.runner(engine, to: second)
        await runner.start()
        await eventually("the other is delivered") { !second.deliveries.isEmpty }
        await runner.stop()
        #expect(second.paths == ["c/2"])
        await engine.shutdown()
    }

    // OT-47
    @Test("A receiver that fails gets the event again, with the same id and the number of the attempt")
    func repeats() async throws {
        let engine = try Engine.events()
        let receiver = RecordingReceiver { delivery in delivery.attempt < 3 ? .failed(DeliveryFailure(answer: "no")) : .acknowledged }
        let runner = try Self.runner(engine, to: receiver)
        try await Self.started(runner, engine)
        _ = try await engine.commit(.set("c/1", ("n", .integer(1))))
        await eventually("it is delivered three times") { receiver.deliveries.count == 3 }
        await runner.stop()
        #expect(receiver.deliveries.map(\.attempt) == [1, 2, 3])
        #expect(Set(receiver.deliveries.map(\.event.id)).count == 1)
        await engine.shutdown()
    }

    // OT-44
    @Test("A receiver that never answers delays no other trigger")
    func hanging() async throws {
        let engine = try Engine.events()
        let hanging = RecordingReceiver { _ in
            try? await Task.sleep(for: .seconds(3_600))
            return .cancelled
        }
        let prompt = RecordingReceiver()
        let runners = [
            try Self.runner(engine, to: hanging) { $0.name = "hanging" }, try Self.runner(engine, to: prompt),
        ]
        await runners[0].start()
        try await Self.started(runners[1], engine)
        for number in 1...40 as ClosedRange<Int64> { _ = try await engine.commit(.set("c/\(number)", ("n", .integer(number)))) }
        await eventually("the other has all") { prompt.deliveries.count == 40 }
        for runner in runners { await runner.stop(within: .zero) }
        #expect(hanging.deliveries.count <= 16)
        await engine.shutdown()
    }

    // OT-44
    @Test("A document with thousands of events that fail delays no other, and has all of them delivered in the end")
    func manyOfOneDocument() async throws {
        let engine = try Engine.events()
        let isBroken = Mutex(true)
        let receiver = RecordingReceiver { delivery in
            delivery.event.key.path == "c/bad" && isBroken.withLock { $0 } ? .failed(DeliveryFailure(answer: "no")) : .acknowledged
        }
        let runner = try Self.runner(engine, to: receiver)
        try await Self.started(runner, engine)
        for number in 1...1_500 as ClosedRange<Int64> { _ = try await engine.commit(.set("c/bad", ("n", .integer(number)))) }
        _ = try await engine.commit(.set("c/good", ("n", .integer(0))))
        await eventually("the other is delivered") { receiver.paths.contains("c/good") }
        #expect(await runner.pending <= 65)
        isBroken.withLock { $0 = false }
        await eventually("all are delivered") { await runner.pending == 0 && receiver.numbers.last == 1_500 }
        await runner.stop()
        var seen: [Int64] = []
        for case .some(let number) in receiver.deliveries.filter({ $0.event.key.path == "c/bad" }).map({ $0.event.after?.number })
        where number != seen.last { seen.append(number) }
        #expect(seen == Array(1...1_500))
        await engine.shutdown()
    }

    // OT-45
    @Test("An event that fails for too long is kept as a dead one, and is delivered again on request")
    func deadLetters() async throws {
        let engine = try Engine.events()
        let isBroken = Mutex(true)
        let receiver = RecordingReceiver { _ in
            isBroken.withLock { $0 } ? .failed(DeliveryFailure(status: 500, answer: "broken")) : .acknowledged
        }
        var settings = RunnerSettings.prompt
        settings.requestPause = .milliseconds(5)
        let (shelf, reports) = (DeadLetterStore(engine, of: eventDatabase), ReportLog())
        let runner = try Self.runner(engine, to: receiver, shelf: shelf, reports: reports, settings: settings) { $0.ageLimit = .zero }
        try await Self.started(runner, engine)
        _ = try await engine.commit(.set("c/1", ("n", .integer(1))))
        try await eventually("it is dead") { try await shelf.all().count == 1 }
        let letter = try #require(try await shelf.all().first)
        #expect(letter.failure == DeliveryFailure(status: 500, answer: "broken"))
        #expect(letter.event.after?.number == 1 && letter.attempts == 1 && letter.triggerName == "t")
        #expect(reports.count { if case .buried = $0 { true } else { false } } == 1)
        isBroken.withLock { $0 = false }
        // Another object, as a command in another process.
        #expect(try await DeadLetterStore(engine, of: eventDatabase).request([letter.event.id]) == [letter.event.id])
        try await eventually("it is delivered and removed") { try await shelf.all().isEmpty }
        #expect(receiver.deliveries.last?.event.id == letter.event.id)
        await runner.stop()
        await engine.shutdown()
    }

    // OT-45
    @Test("After 410 a trigger is off, also when it is started anew; changed, or switched on, it delivers what waited")
    func gone() async throws {
        let engine = try Engine.events()
        let reports = ReportLog()
        let refusing = RecordingReceiver { _ in .gone(DeliveryFailure(status: 410, answer: "")) }
        let off = try Self.runner(engine, to: refusing, reports: reports)
        try await Self.started(off, engine)
        _ = try await engine.commit(.set("c/1", ("n", .integer(1))))
        await eventually("it is off") { await off.isOff }
        _ = try await engine.commit(.set("c/2", ("n", .integer(2))))
        await off.stop()
        #expect(reports.count { if case .switchedOff = $0 { true } else { false } } == 1)
        let receiver = RecordingReceiver()
        let still = try Self.runner(engine, to: receiver)
        await still.start()
        await eventually("it is off") { await still.isOff }
        await still.stop()
        #expect(receiver.deliveries.isEmpty)
        let changed = try Self.runner(engine, to: receiver) { $0.definition = "another one" }
        await changed.start()
        await eventually("both are delivered") { Set(receiver.paths) == ["c/1", "c/2"] }
        await changed.stop()
        try await EventFacts.switchOn(.test(), in: engine)
        let on = try Self.runner(engine, to: receiver)
        await on.start()
        _ = try await engine.commit(.set("c/3", ("n", .integer(3))))
        await eventually("it delivers") { receiver.paths.last == "c/3" }
        await on.stop()
        await engine.shutdown()
    }

    @Test("A trigger whose place is not in the log any more says so, and continues at the present end")
    func lost() async throws {
        let engine = try Engine.events()
        let first = try Self.runner(engine, to: RecordingReceiver())
        try await Self.started(first, engine)
        await first.stop()
        // What the database does with a reader that is too far behind.
        try await engine.setHold("events/webhook/t", at: nil)
        _ = try await engine.commit(.set("c/1", ("n", .integer(1))))
        let (receiver, reports) = (RecordingReceiver(), ReportLog())
        let second = try Self.runner(engine, to: receiver, reports: reports)
        try await Self.started(second, engine)
        #expect(reports.count { if case .lost = $0 { true } else { false } } == 1)
        _ = try await engine.commit(.set("c/2", ("n", .integer(2))))
        await eventually("the next one is delivered") { !receiver.deliveries.isEmpty }
        #expect(receiver.paths == ["c/2"])
        await second.stop()
        await engine.shutdown()
    }

    @Test("A trigger that is forgotten begins anew, and the log is not kept for it")
    func forgotten() async throws {
        let engine = try Engine.events()
        let runner = try Self.runner(engine, to: RecordingReceiver())
        try await Self.started(runner, engine)
        await runner.stop()
        #expect(try await EventFacts.forget(.webhook, except: ["t"], in: engine) == [])
        #expect(try await EventFacts.forget(.handler, except: [], in: engine) == [])
        #expect(try await EventFacts.forget(.webhook, except: ["u"], in: engine) == ["t"])
        #expect(try await engine.hold("events/webhook/t") == nil)
        await engine.shutdown()
    }

    // OT-44
    @Test("However many events wait, few are in memory")
    func backlog() async throws {
        let engine = try Engine.events()
        let start = try await engine.log.lastCommit()
        let total = 2_400
        for batch in 0..<(total / 400) {
            let writes = (0..<400).map { Write.set("c/\(batch)-\($0)", ("n", .integer(1))) }
            _ = try await engine.commit(writes, context: .embedded)
        }
        let answered = Mutex(0)
        let receiver = RecordingReceiver { _ in
            answered.withLock { $0 += 1 }
            return .acknowledged
        }
        let most = Mutex(0)
        let runner = try Self.runner(engine, to: receiver) { $0.start = .time(start) }
        await runner.start()
        // While some arrive, the machine is only busy.
        var (before, now) = (-1, 0)
        while now < total, now > before {
            before = now
            await eventually("more are delivered") {
                let pending = await runner.pending
                most.withLock { $0 = max($0, pending) }
                return answered.withLock { $0 } > before
            }
            now = answered.withLock { $0 }
        }
        #expect(now == total)
        // One stretch more than wait at most.
        #expect(most.withLock { $0 } <= 1_024 + 400)
        await runner.stop()
        await engine.shutdown()
    }

    // OT-43
    @Test("Of two processes over one database one delivers, and the other continues when it is gone")
    func twoProcesses() async throws {
        let places = try EngineStores.nodes(2).places
        let engines = try places.map { place in
            try Engine.open(EngineConfiguration(location: place, durability: .relaxed, databaseID: eventDatabase))
        }
        var settings = RunnerSettings.prompt
        settings.lease = .milliseconds(300)
        let receivers = [RecordingReceiver(), RecordingReceiver()]
        let runners = try zip(engines, receivers).map { try Self.runner($0, to: $1, settings: settings) }
        for runner in runners { await runner.start() }
        try await eventually("the place is stored") { try await engines[0].hold("events/webhook/t") != nil }
        for number in 1...20 as ClosedRange<Int64> {
            _ = try await engines[Int(number % 2)].commit(.set("c/\(number)", ("n", .integer(number))))
        }
        await eventually("all are delivered") { Set(receivers.flatMap(\.paths)).count == 20 }
        for runner in runners { await runner.stop() }
        for engine in engines { await engine.shutdown() }
    }
}
