// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import Foundation
import ModeSupport
import Testing

/// Coding keys and key strategies (R60 … R68).
@Suite struct KeyRuleTests {
    @Test func `coding keys rename, both ways`() throws {
        // R60
        struct Language: Codable, Equatable {
            enum CodingKeys: String, CodingKey { case id, name = "language_name" }
            var id = 1
            var name = "Swift"
        }
        #expect(try encodedText(Language()) == "{id: 1, language_name: \"Swift\"}")
        #expect(try decoded(Language.self, from: ["id": 1, "language_name": "Swift"]) == Language())
        #expect(failureSummary { try decoded(Language.self, from: ["id": 1, "name": "Swift"]) } == "keyNotFound(language_name) at root")
    }

    struct Reading: Codable, Equatable {
        enum CodingKeys: CodingKey { case title }
        @DocumentID var id: String?
        var title = "x"
        var isOpen = false
    }

    @Test func `properties without a coding key are neither written nor read`() throws {
        // R61
        #expect(try encodedText(Reading(isOpen: true)) == "{title: \"x\"}")
        #expect(try decoded(Reading.self, from: ["title": "y", "isOpen": true], in: Scratch.firestore().document("a/b")).isOpen == false)
    }

    @Test func `an id without a coding key is filled nevertheless`() async throws {
        // R61: nil in the original.
        let document = Scratch.firestore().document("books/b1")
        #expect(try decoded(Reading.self, from: ["title": "y"], in: document).id == "b1")
        try document.setData(from: Reading(title: "z"))
        let read = try await document.getDocument(as: Reading.self)
        #expect(read.id == "b1" && read.title == "z")
        #expect(Reading().id == nil)
    }

    @Test func `a custom raw value is converted too`() throws {
        // R62
        struct Model: Codable, Equatable {
            enum CodingKeys: String, CodingKey { case a = "fooBar", plainName }
            var a = 1
            var plainName = 2
        }
        let data = try encoded(Model()) { $0.keyEncodingStrategy = .convertToSnakeCase }
        #expect(fieldText(data) == "{foo_bar: 1, plain_name: 2}")
        #expect(try decoded(Model.self, from: data) { $0.keyDecodingStrategy = .convertFromSnakeCase } == Model())
    }

    static let toSnake: [(String, String)] = [
        ("homeAddressLine", "home_address_line"), ("myURLString", "my_url_string"), ("userID", "user_id"), ("id2", "id2"),
        ("_priv", "_priv"), ("simple", "simple"), ("already_snake", "already_snake"), ("oneTwoThree", "one_two_three"),
        ("trailing_", "trailing_"), ("X", "x"), ("aB", "a_b"), ("isHTML", "is_html"), ("x1Y", "x1_y"), ("__twoWords", "__two_words"),
    ]

    @Test(arguments: toSnake)
    func `keys are converted to snake case`(name: String, field: String) throws {
        // R63
        let data = try encoded(Writing { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: AnyKey(stringValue: name))
        }) { $0.keyEncodingStrategy = .convertToSnakeCase }
        #expect(Array(data.keys) == [field])
    }

    static let fromSnake: [(String, String)] = [
        ("home_address_line", "homeAddressLine"), ("alreadyCamel", "alreadyCamel"), ("_private_name", "_privateName"),
        ("name_", "name_"), ("a__b", "aB"), ("one_TWO", "oneTwo"), ("FIRST_word", "firstWord"), ("user_id", "userId"),
        ("SINGLE", "SINGLE"), ("__x_y__z_", "__xYZ_"), ("_", "_"), ("id2_x", "id2X"),
    ]

    @Test(arguments: fromSnake)
    func `keys are converted from snake case`(field: String, name: String) throws {
        // R64
        try reading([field: 7], with: { $0.keyDecodingStrategy = .convertFromSnakeCase }) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(container.allKeys.map(\.stringValue) == [name])
            #expect(try container.decode(Int.self, forKey: AnyKey(stringValue: name)) == 7)
        }
    }

    @Test func `acronyms are converted differently on reading, and the message shows the result`() throws {
        // R65
        struct Wrong: Codable { var userID = "u" }
        struct Right: Codable, Equatable { var userId = "u" }
        let data = try encoded(Wrong()) { $0.keyEncodingStrategy = .convertToSnakeCase }
        #expect(fieldText(data) == "{user_id: \"u\"}")
        let failure = codingFailure { try decoded(Wrong.self, from: data) { $0.keyDecodingStrategy = .convertFromSnakeCase } }
        #expect(failure?.summary == "keyNotFound(userID) at root")
        #expect(failure?.names("userID", "userId") == true)
        #expect(try decoded(Right.self, from: data) { $0.keyDecodingStrategy = .convertFromSnakeCase } == Right())
    }

    @Test func `a custom strategy gets the whole path`() throws {
        // R66
        struct Inner: Codable, Equatable { var leaf = 1 }
        struct Outer: Codable, Equatable {
            var inner = Inner()
            var list = [Inner()]
        }
        let paths = Mutex<[String]>([])
        let data = try encoded(Outer()) { encoder in
            encoder.keyEncodingStrategy = .custom { path in
                paths.withLock { $0.append(pathText(path)) }
                return AnyKey(stringValue: (path.last?.stringValue ?? "").uppercased())
            }
        }
        #expect(fieldText(data) == "{INNER: {LEAF: 1}, LIST: [{LEAF: 1}]}")
        #expect(Set(paths.withLock { $0 }) == ["inner", "inner.leaf", "list", "list.Index 0.leaf"])
        paths.withLock { $0 = [] }
        let read = try decoded(Outer.self, from: data) { decoder in
            decoder.keyDecodingStrategy = .custom { path in
                paths.withLock { $0.append(pathText(path)) }
                return AnyKey(stringValue: (path.last?.stringValue ?? "").lowercased())
            }
        }
        #expect(read == Outer())
        // Once for each of the document's keys.
        #expect(paths.withLock { $0 }.sorted() == ["INNER", "LIST", "inner.LEAF", "list.Index 0.LEAF"])
    }

    @Test func `two keys with one name: the later value wins`() throws {
        // R66
        struct Model: Codable {
            var first = 1
            var second = 2
        }
        #expect(try encodedText(Model()) { $0.keyEncodingStrategy = .custom { _ in AnyKey("same") } } == "{same: 2}")
        let read = try decoded([Box<Int>].self, from: [["a": 1, "b": 2]]) { $0.keyDecodingStrategy = .custom { $0.count == 2 ? AnyKey("v") : $0[0] } }
        #expect([1, 2].contains(read[0].v))
    }

    @Test func `dictionaries are exempt, keyed values in them are not`() throws {
        // R67
        struct Item: Codable, Equatable { var oneTwo = 1 }
        let data = try encoded(["fooBar": Item()]) { $0.keyEncodingStrategy = .convertToSnakeCase }
        #expect(fieldText(data) == "{fooBar: {one_two: 1}}")
        let read = try decoded([String: Item].self, from: ["foo_bar": ["one_two": 5]]) { $0.keyDecodingStrategy = .convertFromSnakeCase }
        #expect(read == ["foo_bar": Item(oneTwo: 5)])
        #expect(try encodedText(Box(v: ["aB": ["cD": Item()]])) { $0.keyEncodingStrategy = .convertToSnakeCase } == "{v: {aB: {cD: {one_two: 1}}}}")
    }

    @Test func `error paths have Swift's names for properties and the document's for entries`() throws {
        // R68
        struct Model: Codable {
            enum CodingKeys: String, CodingKey { case firstOne = "theFirst", mapOf }
            var firstOne = 1.0
            var mapOf: [String: Double] = [:]
        }
        let snake: (Firestore.Decoder) -> Void = { $0.keyDecodingStrategy = .convertFromSnakeCase }
        #expect(failureSummary { try decoded(Model.self, from: ["the_first": "x"], snake) } == "typeMismatch at theFirst")
        let data: [String: Any] = ["the_first": 1, "map_of": ["raw_key": "x"]]
        #expect(failureSummary { try decoded(Model.self, from: data, snake) } == "typeMismatch at mapOf.raw_key")
        let refused = failureSummary { try encoded(Model(mapOf: ["rawKey": .nan])) { $0.keyEncodingStrategy = .convertToSnakeCase } }
        #expect(refused == "invalidValue at mapOf.rawKey")
    }

    @Test func `names are distinguished by their bytes`() throws {
        let data = try encoded(["\u{E9}": 1])
        #expect(Array(try #require(data.keys.first).utf8) == Array("\u{E9}".utf8))
        try reading(["\u{E9}": 1]) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(container.contains(AnyKey(stringValue: "\u{E9}")))
            #expect(!container.contains(AnyKey(stringValue: "e\u{301}")))
        }
    }
}
