// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// `@ServerTimestamp` (R81 … R88).
@Suite struct ServerTimestampRuleTests {
    let db = Scratch.firestore()

    struct Note: Codable, Equatable {
        var text = "x"
        @ServerTimestamp var at: Date?
    }
    struct Exact: Codable, Equatable {
        @ServerTimestamp var at: Timestamp?
    }

    /// A type of a user's own: whole seconds, as text.
    struct Seconds: ServerTimestampWrappable, Codable, Equatable {
        var text: String
        static func wrap(_ timestamp: Timestamp) throws -> Seconds {
            guard timestamp.seconds >= 0 else { throw UserError(code: 4) }
            return Seconds(text: "\(timestamp.seconds)")
        }
        static func unwrap(_ value: Seconds) throws -> Timestamp {
            guard let seconds = Int64(value.text) else { throw UserError(code: 5) }
            return Timestamp(seconds: seconds, nanoseconds: 0)
        }
    }

    @Test func `the time is a date, a timestamp, or a type that can be made from one`() throws {
        // R81
        let stored = Timestamp(seconds: 5, nanoseconds: 500_000_000)
        #expect(try decoded(Note.self, from: ["text": "x", "at": stored]).at == Date(timeIntervalSince1970: 5.5))
        #expect(try decoded(Exact.self, from: ["at": stored]).at == stored)
        struct Model: Codable { @ServerTimestamp var at: Seconds? }
        #expect(try decoded(Model.self, from: ["at": stored]).at == Seconds(text: "5"))
        #expect(try encodedText(Model(at: Seconds(text: "7"))) == "{at: TS(7, 0)}")
        #expect(throws: UserError(code: 4)) { try decoded(Model.self, from: ["at": Timestamp(seconds: -1, nanoseconds: 0)]) }
        #expect(throws: UserError(code: 5)) { try encoded(Model(at: Seconds(text: "x"))) }
    }

    @Test func `nil asks for the server's time, a value is stored`() async throws {
        // R82
        let encoded = try encoded(Note())
        #expect(encoded["at"] as? FieldValue == FieldValue.serverTimestamp())
        #expect(try encodedText(Note(at: Date(timeIntervalSince1970: 5))) == "{at: TS(5, 0), text: \"x\"}")
        let document = db.document("notes/n")
        let before = Timestamp(date: Date(timeIntervalSinceNow: -60))
        try document.setData(from: Note())
        try await db.waitForPendingWrites()
        let time = try #require(try await document.getDocument()["at"] as? Timestamp)
        #expect(before.compare(time) == .orderedAscending)
        struct Nested: Codable { var inner = ["k": Note()] }
        try document.setData(from: Nested())
        try await db.waitForPendingWrites()
        #expect(try await document.getDocument()["inner.k.at"] is Timestamp)
        #expect(try await document.getDocument()["inner.k.text"] as? String == "x")
    }

    @Test func `null and a missing field are nil, other kinds are mismatches`() throws {
        // R83: a missing field is keyNotFound in the original.
        #expect(try decoded(Exact.self, from: ["at": NSNull()]).at == nil)
        #expect(try decoded(Exact.self, from: [String: Any]()).at == nil)
        #expect(try decoded([String: Note].self, from: ["n": ["text": "x"]]) == ["n": Note()])
        for other: Any in [5, "2024", true, [1]] {
            #expect(failureSummary { try decoded(Exact.self, from: ["at": other]) } == "typeMismatch at at")
            #expect(failureSummary { try decoded(Note.self, from: ["text": "x", "at": other]) } == "typeMismatch at at")
        }
    }

    @Test(arguments: [ServerTimestampBehavior.none, .estimate, .previous])
    func `an acknowledged time is the same under every behaviour`(behavior: ServerTimestampBehavior) async throws {
        // R84: once it is acknowledged; the tests of the cache cover pending times.
        let document = db.document("notes/\(behavior.rawValue)")
        try await document.setData(["text": "x", "at": "another type before"])
        try document.setData(from: Note())
        try await db.waitForPendingWrites()
        let snapshot = try await document.getDocument()
        let at = try snapshot.data(as: Note.self, with: behavior).at
        #expect(at != nil)
        #expect(at == (snapshot.data(with: behavior)?["at"] as? Timestamp)?.dateValue())
    }

    @Test func `a time that was read is written back unchanged, nil asks for a new one`() async throws {
        // R85
        let document = db.document("notes/back")
        try document.setData(from: Exact(at: Timestamp(seconds: 77, nanoseconds: 1_000)))
        try await db.waitForPendingWrites()
        var model = try await document.getDocument(as: Exact.self)
        try document.setData(from: model)
        try await db.waitForPendingWrites()
        #expect(try await document.getDocument(as: Exact.self) == Exact(at: Timestamp(seconds: 77, nanoseconds: 1_000)))
        try document.setData(from: Exact())
        try await db.waitForPendingWrites()
        model = try await document.getDocument(as: Exact.self)
        try document.setData(from: model)
        try await db.waitForPendingWrites()
        #expect(try await document.getDocument(as: Exact.self) == model)
        model.at = nil
        try document.setData(from: model)
        try await db.waitForPendingWrites()
        #expect(try #require(try await document.getDocument(as: Exact.self).at).seconds > 77)
    }

    @Test func `a nil time in an array is rejected with its path`() async throws {
        // R86
        #expect(failureSummary { try encoded(["list": [Note(), Note()]]) } == "invalidValue at list.Index 0.at")
        let document = db.document("notes/list")
        #expect(codingFailure { try document.setData(from: ["list": [Note()]]) }?.kind == "invalidValue")
        #expect(try await !document.getDocument().exists)
        let given = Note(at: Date(timeIntervalSince1970: 5))
        #expect(try encodedText(["list": [given]]) == "{list: [{at: TS(5, 0), text: \"x\"}]}")
    }

    @Test func `microseconds are preserved`() async throws {
        // R87
        let document = db.document("notes/precision")
        try document.setData(from: Exact(at: Timestamp(seconds: 1, nanoseconds: 123_456_789)))
        #expect(try await document.getDocument(as: Exact.self).at == Timestamp(seconds: 1, nanoseconds: 123_456_000))
    }

    @Test func `other encoders take a value but not nil`() throws {
        // R87
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(Exact(at: Timestamp(seconds: 1, nanoseconds: 2))), as: UTF8.self)
        #expect(text == #"{"at":{"nanoseconds":2,"seconds":1}}"#)
        #expect(failureSummary { try encoder.encode(Exact()) } == "encodingIsNotSupported")
    }

    struct Shared: Codable, Sendable, Hashable {
        @ServerTimestamp var at: Date?
        static let sample = Shared(at: Date(timeIntervalSince1970: 1))
    }

    @Test func `a ServerTimestamp is Sendable, Equatable and Hashable with its value`() {
        // R88
        #expect(Shared.sample == Shared(at: Date(timeIntervalSince1970: 1)))
        #expect(Shared.sample != Shared())
        #expect(Set([Shared.sample, Shared(at: Date(timeIntervalSince1970: 1)), Shared()]).count == 2)
    }
}
