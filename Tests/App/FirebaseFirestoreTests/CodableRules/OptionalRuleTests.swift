// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Optionals and null (R20 … R25).
@Suite struct OptionalRuleTests {
    struct Person: Codable, Equatable {
        var name = "Ada"
        var nick: String?
        var born: Date?
        var score: Int?
    }

    /// Writes an optional by hand, as a type without synthesized code does.
    struct ByHand: Codable {
        enum CodingKeys: CodingKey { case nick, age }
        var nick: String?
        var age: Int?
        init(nick: String? = nil, age: Int? = nil) { (self.nick, self.age) = (nick, age) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(nick, forKey: .nick)
            try container.encode(age, forKey: .age)
        }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            nick = try container.decode(String?.self, forKey: .nick)
            age = try container.decode(Int?.self, forKey: .age)
        }
    }

    @Test func `nil properties are left out`() throws {
        // R20
        #expect(try encodedText(Person()) == "{name: \"Ada\"}")
        #expect(try encodedText(Person(nick: "A", score: 0)) == "{name: \"Ada\", nick: \"A\", score: 0}")
        #expect(try encodedText(Person(born: Date(timeIntervalSince1970: 0))) == "{born: TS(0, 0), name: \"Ada\"}")
    }

    @Test func `a nil encoded by hand is null`() throws {
        #expect(try encodedText(ByHand()) == "{age: null, nick: null}")  // R21
        #expect(try encodedText(ByHand(nick: "x", age: 1)) == "{age: 1, nick: \"x\"}")
        #expect(try encodedText(Writing { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encodeNil(forKey: "n")
            try container.encode(Date?.none, forKey: "d")
            try container.encode(Int??.some(.none), forKey: "i")
        }) == "{d: null, i: null, n: null}")
    }

    @Test func `missing and null both read as nil`() throws {
        // R22
        #expect(try decoded(Person.self, from: ["name": "Ada"]) == Person())
        #expect(try decoded(Person.self, from: ["name": "Ada", "nick": NSNull(), "born": NSNull(), "score": NSNull()]) == Person())
        #expect(try decoded(Person.self, from: ["name": "Ada", "nick": "A"]) == Person(nick: "A"))
    }

    @Test func `an optional decoded by hand accepts null but not a missing key`() throws {
        // R22
        #expect(try decoded(ByHand.self, from: ["nick": NSNull(), "age": NSNull()]).nick == nil)
        #expect(try decoded(ByHand.self, from: ["nick": "x", "age": 3]).age == 3)
        #expect(failureSummary { try decoded(ByHand.self, from: ["nick": "x"]) } == "keyNotFound(age) at root")
    }

    @Test func `an optional of the wrong kind is not nil`() throws {
        #expect(failureSummary { try decoded(Person.self, from: ["name": "Ada", "score": "high"]) } == "typeMismatch at score")  // R22
    }

    @Test func `null for a value that is not optional names it, a missing key names the container`() throws {
        // R23
        #expect(failureSummary { try decoded(Person.self, from: ["name": NSNull()]) } == "valueNotFound at name")
        #expect(failureSummary { try decoded(Person.self, from: [String: Any]()) } == "keyNotFound(name) at root")
        #expect(failureSummary { try decoded([String: Person].self, from: ["a": ["name": NSNull()]]) } == "valueNotFound at a.name")
        #expect(failureSummary { try decoded([String: Person].self, from: ["a": [String: Any]()]) } == "keyNotFound(name) at a")
        #expect(failure(property: Box<Int>.self, from: NSNull()) == "valueNotFound at v")
        #expect(failure(property: [Int].self, from: NSNull()) == "valueNotFound at v")
        for read: (Any) -> String in [
            { failure(property: Int.self, from: $0) }, { failure(property: Double.self, from: $0) },
            { failure(property: Bool.self, from: $0) }, { failure(property: Date.self, from: $0) },
            { failure(property: Data.self, from: $0) }, { failure(property: URL.self, from: $0) },
            { failure(property: Decimal.self, from: $0) }, { failure(property: [String: Int].self, from: $0) },
            { failure(property: UUID.self, from: $0) },
        ] {
            #expect(read(NSNull()) == "valueNotFound at v")
        }
    }

    @Test func `nil inside collections is null, both ways`() throws {
        // R24
        #expect(try fieldText(encoding: [1, nil] as [Int?]) == "[1, null]")
        #expect(try fieldText(encoding: ["a": nil, "b": 2] as [String: Int?]) == "{a: null, b: 2}")
        #expect(try fieldText(encoding: [nil, Date(timeIntervalSince1970: 1)] as [Date?]) == "[null, TS(1, 0)]")
        #expect(try decoded(property: [Int?].self, from: [1, NSNull()]) == [1, nil])
        #expect(try decoded(property: [String: Int?].self, from: ["a": NSNull(), "b": 2]) == ["a": nil, "b": 2])
        #expect(try decoded(property: [Date?].self, from: [NSNull()] as [Any]) == [nil])
        #expect(try decoded(property: [String: Date?].self, from: ["a": NSNull()]) == ["a": nil])
    }

    @Test func `a default value does not stand in for a missing field`() throws {
        // R25
        struct Counter: Codable {
            var n: Int = 3
        }
        #expect(failureSummary { try decoded(Counter.self, from: [String: Any]()) } == "keyNotFound(n) at root")
        struct Left: Codable {
            enum CodingKeys: CodingKey { case kept }
            var kept = 1
            var n = 3
        }
        #expect(try decoded(Left.self, from: ["kept": 2, "n": 9]).n == 3)
    }
}
