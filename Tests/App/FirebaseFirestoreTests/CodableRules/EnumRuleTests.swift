// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Enums (R36 … R39).
@Suite struct EnumRuleTests {
    enum State: String, Codable, CaseIterable { case open, done = "finished" }
    enum Level: Int, Codable { case low = 1, high = 10 }
    enum Message: Codable, Equatable {
        case number(Int)
        case pair(x: Int, y: String)
        case both(Int, String?)
        case nothing
    }

    @Test func `an enum with raw values is its raw value`() throws {
        // R36
        #expect(try fieldText(encoding: State.allCases) == "[\"open\", \"finished\"]")
        #expect(try fieldText(encoding: Level.high) == "10")
        #expect(try decoded(property: State.self, from: "finished") == .done)
        #expect(try decoded(property: [Level].self, from: [1, 10.0]) == [.low, .high])
        #expect(try decoded(property: State?.self, from: NSNull()) == nil)
        #expect(failure(property: State.self, from: 1) == "typeMismatch at v")
        #expect(failure(property: State.self, from: NSNull()) == "valueNotFound at v")
    }

    @Test func `an unknown raw value is corrupted data`() {
        // R37
        #expect(failure(property: State.self, from: "closed") == "dataCorrupted at v")
        #expect(failure(property: Level.self, from: 2) == "dataCorrupted at v")
        #expect(failure(property: [State].self, from: ["open", "closed"]) == "dataCorrupted at v.Index 1")
    }

    static let messages: [(Message, String)] = [
        (.number(3), "{number: {_0: 3}}"), (.pair(x: 1, y: "z"), "{pair: {x: 1, y: \"z\"}}"),
        (.both(1, "a"), "{both: {_0: 1, _1: \"a\"}}"), (.both(1, nil), "{both: {_0: 1}}"), (.nothing, "{nothing: {}}"),
    ]

    @Test(arguments: messages)
    func `associated values are a map under the name of the case`(message: Message, text: String) throws {
        // R38
        #expect(try fieldText(encoding: message) == text)
        #expect(try decoded(Box<Message>.self, from: try encoded(Box(v: message))).v == message)
        // R39
        #expect(try encodedText(message) == text)
        #expect(try decoded(Message.self, from: try encoded(message)) == message)
    }

    @Test func `two simultaneous cases, or no known one, are rejected`() {
        // R38
        let empty = [String: Any]()
        #expect(failure(property: Message.self, from: ["nothing": empty, "number": ["_0": 1]]) == "typeMismatch at v")
        #expect(failure(property: Message.self, from: empty) == "typeMismatch at v")
        #expect(failure(property: Message.self, from: ["other": empty]) == "typeMismatch at v")
        #expect(failure(property: Message.self, from: "nothing") == "typeMismatch at v")
    }

    @Test func `a raw value is not a document`() {
        #expect(failureSummary { try encoded(State.open) } == "invalidValue at root")  // R39, R7
    }
}
