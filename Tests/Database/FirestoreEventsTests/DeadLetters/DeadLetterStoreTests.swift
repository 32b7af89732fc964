// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import TestSupport
import Testing

@testable import FirestoreEvents

@Suite struct DeadLetterStoreTests {
    private static func letter(_ name: String, died: Int64 = 1_000_000, bytes: Int = 0) -> DeadLetter {
        let time = DocumentVersion(microseconds: 1_000_000)
        let after = Document(
            key: DocumentKey(trusted: "c/\(name)"), createTime: time, updateTime: time,
            fields: FieldBytes(FieldMap([("text", .string(String(repeating: "x", count: bytes)))])))
        let event = ChangeEvent(
            id: name, kind: .created, time: time, key: after.key, before: nil, after: after, params: ["id": name])
        return DeadLetter(
            event: event, trigger: "webhook/t", attempts: 3, failure: DeliveryFailure(status: nil, answer: "no answer"), died: died)
    }

    private static func ids(_ shelf: DeadLetterStore) async throws -> [String] { try await shelf.all().map(\.event.id) }

    @Test("A dead event is read as it was stored, and one of the same event replaces it")
    func roundTrip() async throws {
        let engine = try Engine.events()
        let shelf = DeadLetterStore(engine, of: eventDatabase)
        _ = try await shelf.bury(Self.letter("a"))
        _ = try await shelf.bury(Self.letter("a", died: 2_000_000))
        let found = try #require(try await shelf.all().first)
        #expect(try await shelf.all().count == 1)
        #expect(found.died == 2_000_000 && found.attempts == 3 && found.failure == DeliveryFailure(answer: "no answer"))
        #expect(found.event.after == Self.letter("a").event.after && found.event.params == ["id": "a"] && found.event.before == nil)
        await engine.shutdown()
    }

    // OP-86
    @Test("The oldest are removed when there are too many, when they are too large, and when they are too old")
    func bounds() async throws {
        let engine = try Engine.events()
        var bounds = DeadLetterBounds()
        (bounds.count, bounds.bytes, bounds.age) = (3, 10_000, .seconds(60))
        let shelf = DeadLetterStore(engine, of: eventDatabase, bounds: bounds)
        var removed = 0
        for (index, name) in ["a", "b", "c", "d"].enumerated() {
            removed += try await shelf.bury(Self.letter(name, died: Int64(index + 1) * 1_000_000))
        }
        #expect(try await Self.ids(shelf) == ["b", "c", "d"])
        #expect(try await shelf.bury(Self.letter("e", died: 5_000_000, bytes: 9_000)) == 2)
        #expect(try await Self.ids(shelf) == ["d", "e"])
        #expect(try await shelf.bury(Self.letter("f", died: 65_000_000)) == 1)
        #expect(try await Self.ids(shelf) == ["e", "f"])
        #expect(removed == 1)
        await engine.shutdown()
    }

    @Test("Events are dropped and requested by their ids; unknown ids are not found")
    func administration() async throws {
        let engine = try Engine.events()
        let shelf = DeadLetterStore(engine, of: eventDatabase)
        for name in ["a", "b", "c"] { _ = try await shelf.bury(Self.letter(name)) }
        #expect(try await shelf.drop(["a", "x"]) == ["a"])
        let before = try await shelf.changes()
        #expect(try await shelf.request(["b", "x"]) == ["b"])
        #expect(try await shelf.changes() != before)
        #expect(try await shelf.all().filter(\.isRequested).map(\.event.id) == ["b"])
        #expect(try await shelf.takeRequests(of: "webhook/u", limit: 9).isEmpty)
        #expect(try await shelf.takeRequests(of: "webhook/t", limit: 9).map(\.event.id) == ["b"])
        #expect(try await shelf.takeRequests(of: "webhook/t", limit: 9).isEmpty)
        let administration = EventAdministration(shelf, of: eventDatabase)
        await expectError(.notFound, mentioning: "x") { try await administration.show("x") }
        await expectError(.notFound, mentioning: "x") { try await administration.retry("x") }
        #expect(try await administration.show("b")["after"] != nil)
        #expect(try JSONNode(try await administration.show(nil)).elements("events").count == 2)
        #expect(try await JSONNode(administration.drop(nil)).required("count").integer() == 2)
        await engine.shutdown()
    }

    @Test("What another process removes is not counted any more")
    func several() async throws {
        let engine = try Engine.events()
        let shelves = [DeadLetterStore(engine, of: eventDatabase), DeadLetterStore(engine, of: eventDatabase)]
        _ = try await shelves[0].bury(Self.letter("a"))
        _ = try await shelves[1].drop(["a"])
        _ = try await shelves[0].bury(Self.letter("b"))
        #expect(await shelves[0].size.count == 1)
        await engine.shutdown()
    }
}
