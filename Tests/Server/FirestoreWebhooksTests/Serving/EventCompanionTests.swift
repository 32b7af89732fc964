// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreEngine
import FirestoreEvents
import FirestoreServer
import Foundation
import Logging
import TestSupport
import Testing

@testable import FirestoreWebhooks

@Suite struct EventCompanionTests {
    private static let database = DatabaseID(projectID: "p")
    private static let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    private static func registry(_ events: EventCompanion, _ storage: DatabaseOpening.Storage = .memory) -> DatabaseRegistry {
        let opening = DatabaseOpening(storage: storage, durability: .relaxed, projects: ["p"])
        let registry = DatabaseRegistry(opening, companions: [events], log: log)
        registry.started()
        return registry
    }

    private static func write(_ registry: DatabaseRegistry, _ path: String) async throws {
        let service = try await registry.open(database)
        _ = try await service.commit([.set(path, ("n", .integer(1)))], context: RequestContext(caller: .administrator))
    }

    private static func isPlaced(_ registry: DatabaseRegistry, _ name: String) async throws -> Bool {
        guard let engine = try await registry.open(database).followed as? Engine else { return false }
        return try await engine.hold("events/webhook/\(name)") != nil
    }

    @Test("A server delivers the changes of the databases that its triggers name")
    func serves() async throws {
        let receiver = TestReceiver()
        let events = EventCompanion([try .test(try await receiver.start())], log: Self.log)
        let registry = Self.registry(events)
        try await eventually("the trigger is there") { try await Self.isPlaced(registry, "t") }
        try await Self.write(registry, "c/1")
        try await Self.write(registry, "d/1")
        await eventually("it is delivered") { receiver.requests.count == 1 }
        #expect(receiver.requests.first?.header("ce-document") == "c/1")
        await registry.close()
        await receiver.stop()
    }

    @Test("What a server has not delivered is delivered by the next one, without a call for the database")
    func nextServer() async throws {
        let folder = try ScratchFolder()
        let broken = TestReceiver { _, _ in .status(500) }
        let first = Self.registry(EventCompanion([try .test(try await broken.start())], log: Self.log), .directory(folder.url.path))
        try await eventually("the trigger is there") { try await Self.isPlaced(first, "t") }
        try await Self.write(first, "c/1")
        await eventually("it is tried") { !broken.requests.isEmpty }
        await first.close()
        await broken.stop()
        let receiver = TestReceiver()
        let second = Self.registry(EventCompanion([try .test(try await receiver.start())], log: Self.log), .directory(folder.url.path))
        await eventually("it is delivered") { receiver.requests.count == 1 }
        #expect(receiver.requests.first?.header("ce-id") == broken.requests.first?.header("ce-id"))
        await second.close()
        await receiver.stop()
    }

    // OT-48
    @Test("New triggers deliver as soon as they are installed, and those that are gone do not")
    func install() async throws {
        let receivers = [TestReceiver(), TestReceiver()]
        var triggers: [WebhookTrigger] = []
        for (receiver, name) in zip(receivers, ["a", "b"]) { triggers.append(try .test(try await receiver.start(), name: name)) }
        let events = EventCompanion([triggers[0]], log: Self.log)
        let registry = Self.registry(events)
        try await eventually("the first is there") { try await Self.isPlaced(registry, "a") }
        events.install([triggers[1]])
        await events.settled()
        try await eventually("the second is there") { try await Self.isPlaced(registry, "b") }
        #expect(try await !Self.isPlaced(registry, "a"))
        try await Self.write(registry, "c/1")
        await eventually("the second has it") { receivers[1].requests.count == 1 }
        #expect(receivers[0].requests.isEmpty)
        await registry.close()
        for receiver in receivers { await receiver.stop() }
    }

    // OP-84, OP-86
    @Test("What a trigger does can be seen: that it waits, that it delivers, that it fails, that its receiver wants no more")
    func statuses() async throws {
        let receiver = TestReceiver { request, _ in
            switch request.header("ce-document") {
            case "c/busy": .status(503, body: "busy")
            case "c/gone": .status(410, body: "moved")
            default: .status(200)
            }
        }
        let events = EventCompanion([try .test(try await receiver.start() + "/hook?key=secret")], log: Self.log)
        let other = DatabaseID(projectID: "other")
        func status() async -> TriggerStatus? { await events.statuses(of: Self.database).first }
        #expect(await events.statuses(of: other).isEmpty)
        #expect(await status()?.state == .waiting)
        let registry = Self.registry(events)
        try await eventually("the trigger is there") { try await Self.isPlaced(registry, "t") }
        await eventually("it is on") { await status()?.state == .on }
        try await Self.write(registry, "c/1")
        await eventually("it has delivered") { await status()?.delivered == 1 }
        try await Self.write(registry, "c/busy")
        await eventually("it fails") { await status()?.state == .failing }
        let failing = try #require(await status())
        #expect(failing.failure?.status == 503 && failing.pending == 1 && failing.lag != nil)
        let text = failing.json.text()
        #expect(text.contains(#""state":"FAILING""#) && text.contains(#""answer":"busy""#) && text.contains("/hook\""))
        #expect(!text.contains("secret"))
        try await Self.write(registry, "c/gone")
        await eventually("it is off") { await status()?.state == .off }
        #expect(await status()?.failure?.status == 410)
        await registry.close()
        await receiver.stop()
    }

    // OT-45
    @Test("A receiver that was switched off by 410 gets events again when that is asked for")
    func reinstall() async throws {
        let receiver = TestReceiver { _, number in number == 0 ? .status(410) : .status(200) }
        let trigger = try WebhookTrigger.test(try await receiver.start())
        let events = EventCompanion([trigger], log: Self.log)
        let registry = Self.registry(events)
        try await eventually("the trigger is there") { try await Self.isPlaced(registry, "t") }
        try await Self.write(registry, "c/1")
        await eventually("it is refused") { receiver.requests.count == 1 }
        await eventually("it is delivered") {
            events.install([trigger], resuming: true)
            await events.settled()
            return receiver.requests.count == 2
        }
        await registry.close()
        await receiver.stop()
    }

    // OT-45
    @Test("A trigger that was switched off by 410 stays off after a restart, until it is changed")
    func staysOff() async throws {
        let folder = try ScratchFolder()
        let receiver = TestReceiver { _, number in number == 0 ? .status(410) : .status(200) }
        var trigger = try WebhookTrigger.test(try await receiver.start())
        trigger.source = "first"
        let other = try WebhookTrigger.test(try await receiver.start(), name: "other")
        func registry(_ events: EventCompanion) -> DatabaseRegistry { Self.registry(events, .directory(folder.url.path)) }
        let first = registry(EventCompanion([trigger], log: Self.log))
        try await eventually("the trigger is there") { try await Self.isPlaced(first, "t") }
        try await Self.write(first, "c/1")
        await eventually("it is refused") { receiver.requests.count == 1 }
        try await eventually("that is noted") { try await Self.isOff(first, "t") }
        await first.close()
        let events = EventCompanion([trigger], log: Self.log)
        let second = registry(events)
        try await Self.write(second, "c/2")
        // The other one shows that time has passed.
        events.install([trigger, other])
        await events.settled()
        try await eventually("the other is there") { try await Self.isPlaced(second, "other") }
        try await Self.write(second, "c/3")
        await eventually("the other delivers") { receiver.requests.count == 2 }
        #expect(receiver.requests.last?.header("ce-document") == "c/3")
        trigger.source = "second"
        events.install([trigger])
        await eventually("what waited is delivered") { receiver.requests.count == 5 }
        #expect(receiver.requests.suffix(3).compactMap { $0.header("ce-document") }.sorted() == ["c/1", "c/2", "c/3"])
        await second.close()
        await receiver.stop()
    }

    private static func isOff(_ registry: DatabaseRegistry, _ name: String) async throws -> Bool {
        guard let engine = try await registry.open(database).followed as? Engine else { return false }
        return try await engine.fact("hearth/events/off/webhook/\(name)") != nil
    }
}
