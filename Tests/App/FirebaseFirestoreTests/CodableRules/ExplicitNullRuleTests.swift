// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// `@ExplicitNull` (R89 … R92).
@Suite struct ExplicitNullRuleTests {
    struct Person: Codable, Hashable {
        @ExplicitNull var nick: String?
        @ExplicitNull var born: Date?
        var plain: Int?
    }

    @Test func `nil is null, a value is the value`() throws {
        // R89
        #expect(try encodedText(Person()) == "{born: null, nick: null}")
        #expect(try encodedText(Person(nick: "A", plain: 1)) == "{born: null, nick: \"A\", plain: 1}")
    }

    @Test func `null and a missing field are nil, a value is the value`() throws {
        // R90: a missing field is keyNotFound in the original.
        #expect(try decoded(Person.self, from: ["nick": NSNull(), "born": NSNull()]) == Person())
        #expect(try decoded(Person.self, from: [String: Any]()) == Person())
        #expect(try decoded([String: Person].self, from: ["p": [String: Any]()]) == ["p": Person()])
        #expect(try decoded(Person.self, from: ["nick": "A", "born": Timestamp(seconds: 1, nanoseconds: 0)])
            == Person(nick: "A", born: Date(timeIntervalSince1970: 1)))
        #expect(failureSummary { try decoded(Person.self, from: ["nick": 5, "born": NSNull()]) } == "typeMismatch at nick")
    }

    @Test func `conformances follow the value`() throws {
        // R91
        struct OnlyEncodable: Encodable { var x = 1 }
        struct Model: Encodable { @ExplicitNull var v: OnlyEncodable? }
        struct Plain { @ExplicitNull var v: NSObject? }
        #expect(try encodedText(Model(v: OnlyEncodable())) == "{v: {x: 1}}")
        #expect(Plain(v: nil).v == nil)
        #expect(Set([Person(nick: "A"), Person(nick: "A"), Person()]).count == 2)
        #expect(Person(nick: "A") != Person())
    }

    struct Shared: Codable, Sendable {
        @ExplicitNull var nick: String?
        static let sample = Shared(nick: "s")
    }

    @Test func `a wrapped value follows the strategies`() throws {
        // R91
        #expect(Shared.sample.nick == "s")
        let person = Person(born: Date(timeIntervalSince1970: 5))
        #expect(try encodedText(person) == "{born: TS(5, 0), nick: null}")
        let data = try encoded(person) { $0.dateEncodingStrategy = .secondsSince1970 }
        #expect(fieldText(data) == "{born: 5.0, nick: null}")
        #expect(try decoded(Person.self, from: data) { $0.dateDecodingStrategy = .secondsSince1970 } == person)
        struct Blob: Codable { @ExplicitNull var d: Data? }
        #expect(try encodedText(Blob(d: Data([1]))) == "{d: bytes(1)}")
        #expect(try encodedText(Blob(d: Data([1]))) { $0.dataEncodingStrategy = .base64 } == "{d: \"AQ==\"}")
        struct Nested: Codable { @ExplicitNull var p: Person? }
        #expect(try encodedText(Nested(p: Person())) == "{p: {born: null, nick: null}}")
    }

    @Test func `with merge a null overwrites and an omitted nil does not`() async throws {
        // R92
        let document = Scratch.firestore().document("people/p")
        try await document.setData(["nick": "A", "born": 1, "plain": 5])
        try document.setData(from: Person(), merge: true)
        #expect(fieldText(try await document.getDocument().data()) == "{born: null, nick: null, plain: 5}")
    }
}
