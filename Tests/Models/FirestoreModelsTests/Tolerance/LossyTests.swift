// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import FirestoreTesting
import Foundation
import Testing

/// Values that do not decode and are preserved (MP-65), cases that are not known (MP-67).
@Suite struct LossyTests {
    struct Tag: Codable, Hashable {
        var t: Int
    }

    struct Book: Codable, Equatable {
        @LossyArray var tags: [Tag]
        @LossyDictionary var counts: [String: Int]
        @LossySet var words: Set<String>
        @LossyOptional var website: URL?
        @LossyArrayDropping var numbers: [Int]
    }

    private static func decode(_ data: [String: Any]) throws -> Book { try Firestore.Decoder().decode(Book.self, from: data) }

    private static var data: [String: Any] {
        [
            "tags": [["t": 1], ["t": "bad"], ["t": 3], NSNull(), 7], "counts": ["a": 1, "b": "x", "a.b": 2.5], "words": ["x", 5, "y"],
            "website": "", "numbers": [1, "x", 3],
        ]
    }

    // MP row D5, MP row D6
    @Test func `an element that does not decode is left out, with path, stored value and error`() throws {
        let book = try Self.decode(Self.data)
        #expect(book.tags == [Tag(t: 1), Tag(t: 3)] && book.counts == ["a": 1] && book.words == ["x", "y"])
        #expect(book.website == nil && book.numbers == [1, 3])
        #expect(book.$tags.failures.map(\.index) == [1, 3, 4])
        #expect(book.$tags.failures.map(\.stored) == [["t": "bad"], .null, 7])
        #expect(book.$counts.failures.compactMap(\.key).sorted() == ["a.b", "b"])
        #expect(book.$words.failures.map(\.stored) == [5])
        #expect(book.$website.failures.map(\.stored) == [""])
        guard case DecodingError.typeMismatch(_, let context)? = book.$tags.failures.first?.error else {
            Issue.record("another error")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["tags", "Index 1", "t"])
    }

    // MP row D5, MP-65
    @Test func `writing back restores an omitted element at its position`() throws {
        var book = try Self.decode(Self.data)
        func stored() throws -> [String: FirestoreValue] {
            try Firestore.Decoder().decode([String: FirestoreValue].self, from: Firestore.Encoder().encode(book))
        }
        var back = try stored()
        #expect(back["tags"] == [["t": 1], ["t": "bad"], ["t": 3], .null, 7])
        #expect(back["counts"] == ["a": 1, "a.b": 2.5, "b": "x"])
        #expect(back["website"] == "" && back["numbers"] == [1, 3])
        guard case .array(let words)? = back["words"] else {
            Issue.record("no words")
            return
        }
        #expect(Set(words) == ["x", "y", 5] && words.last == 5)
        book.tags[0].t = 9
        book.counts["b"] = 4
        book.website = URL(string: "https://example.com")
        back = try stored()
        #expect(back["tags"] == [["t": 9], ["t": "bad"], ["t": 3], .null, 7])
        #expect(back["counts"] == ["a": 1, "a.b": 2.5, "b": 4] && back["website"] == "https://example.com")
        book.tags.append(Tag(t: 5))
        back = try stored()
        #expect(back["tags"] == [["t": 9], ["t": 3], ["t": 5], ["t": "bad"], .null, 7])
    }

    @Test func `missing and null are empty, a value of another type is an error`() throws {
        let empty = try Self.decode([:])
        #expect(empty.tags.isEmpty && empty.counts.isEmpty && empty.words.isEmpty && empty.website == nil && empty.numbers.isEmpty)
        #expect(try Self.decode(["tags": NSNull(), "counts": NSNull(), "words": NSNull(), "website": NSNull(), "numbers": NSNull()]) == empty)
        #expect(try Firestore.Encoder().encode(empty)["website"] == nil)
        for field in ["tags", "counts", "words", "numbers"] {
            #expect(throws: DecodingError.self, "\(field)") { try Self.decode([field: "x"]) }
        }
        let kept = try Self.decode(["website": ["a": 1]])
        #expect(kept.website == nil && kept.$website.failures.first?.stored == ["a": 1])
    }

    @Test func `equality ignores failures`() throws {
        #expect(try Self.decode(["tags": [["t": 1], 5]]) == Self.decode(["tags": [["t": 1]]]))
    }

    // MP-65
    @Test func `JSONDecoder leaves elements out as well, and retains no stored values`() throws {
        let json = #"{"tags":[{"t":1},{"t":"bad"},null,{"t":3}],"counts":{"a":1,"b":"x"},"words":["x",5],"website":5,"numbers":[]}"#
        let book = try JSONDecoder().decode(Book.self, from: Data(json.utf8))
        #expect(book.tags == [Tag(t: 1), Tag(t: 3)] && book.counts == ["a": 1] && book.words == ["x"] && book.website == nil)
        #expect(book.$tags.failures.map(\.index) == [1, 2] && book.$tags.failures.allSatisfy { $0.stored == nil })
        let missing = try JSONDecoder().decode(Book.self, from: Data("{}".utf8))
        #expect(missing.tags.isEmpty && missing.website == nil)
    }

    @Test func `keys of a lossy dictionary are not converted`() throws {
        let decoder = Firestore.Decoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let book = try decoder.decode(Book.self, from: ["counts": ["some_key": 1]])
        #expect(book.counts == ["some_key": 1])
        let encoder = Firestore.Encoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let counts = try encoder.encode(Book(tags: [], counts: ["someKey": 1], words: [], website: nil, numbers: []))["counts"]
        #expect((counts as? [String: Any])?.keys.first == "someKey")
    }

    enum Status: OpenEnum, Hashable {
        case open, done
        case unknown(String)

        init?(rawValue: String) {
            switch rawValue {
            case "open": self = .open
            case "done": self = .done
            default: return nil
            }
        }

        var rawValue: String {
            switch self {
            case .open: "open"
            case .done: "done"
            case .unknown(let raw): raw
            }
        }
    }

    enum Level: OpenEnum, Hashable {
        case low
        case unknown(Int)
        init?(rawValue: Int) {
            guard rawValue == 1 else { return nil }
            self = .low
        }
        var rawValue: Int { if case .unknown(let raw) = self { raw } else { 1 } }
    }

    struct Ticket: Codable, Equatable {
        var status: Status
        var level: Level?
    }

    // MP row D7, MP-67
    @Test func `an open enum takes any raw value and writes it back`() throws {
        let ticket = try Firestore.Decoder().decode(Ticket.self, from: ["status": "weird", "level": 7])
        #expect(ticket == Ticket(status: .unknown("weird"), level: .unknown(7)))
        let stored = try Firestore.Encoder().encode(ticket)
        #expect(stored["status"] as? String == "weird" && stored["level"] as? Int == 7)
        #expect(try Firestore.Decoder().decode(Ticket.self, from: ["status": "done"]) == Ticket(status: .done))
        #expect(throws: DecodingError.self) { try Firestore.Decoder().decode(Ticket.self, from: ["status": 5]) }
        #expect(try JSONDecoder().decode(Ticket.self, from: JSONEncoder().encode(ticket)) == ticket)
    }
}
