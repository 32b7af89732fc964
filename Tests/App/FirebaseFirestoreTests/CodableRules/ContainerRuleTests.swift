// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Structs, classes and containers (R50 … R59).
@Suite struct ContainerRuleTests {
    @Test func `values nest to any depth that a document allows`() throws {
        // R50
        struct Outer: Codable, Equatable {
            struct Middle: Codable, Equatable {
                struct Inner: Codable, Equatable { var x = 1 }
                var inner = Inner()
                var list = [Inner(x: 2)]
            }
            var middle = Middle()
            var map = ["k": Middle()]
        }
        #expect(try encodedText(Outer()) == "{map: {k: {inner: {x: 1}, list: [{x: 2}]}}, middle: {inner: {x: 1}, list: [{x: 2}]}}")
        #expect(try decoded(Outer.self, from: try encoded(Outer())) == Outer())
    }

    // MARK: Nested containers

    /// A flat struct stored as a map in a map.
    struct Address: Codable, Equatable {
        enum Keys: CodingKey { case homeAddress, lines }
        enum HomeKeys: CodingKey { case streetName, number }
        var street = "Main"
        var number = 5
        var lines = ["a", "b"]

        init() {}
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            var home = container.nestedContainer(keyedBy: HomeKeys.self, forKey: .homeAddress)
            try home.encode(street, forKey: .streetName)
            var list = container.nestedUnkeyedContainer(forKey: .lines)
            for line in lines { try list.encode(line) }
            var again = container.nestedContainer(keyedBy: HomeKeys.self, forKey: .homeAddress)
            try again.encode(number, forKey: .number)
        }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            let home = try container.nestedContainer(keyedBy: HomeKeys.self, forKey: .homeAddress)
            street = try home.decode(String.self, forKey: .streetName)
            number = try home.decode(Int.self, forKey: .number)
            var list = try container.nestedUnkeyedContainer(forKey: .lines)
            lines = []
            while !list.isAtEnd { lines.append(try list.decode(String.self)) }
        }
    }

    @Test func `nested containers write into their parent, and continue where they were`() throws {
        // R51
        #expect(try encodedText(Address()) == "{homeAddress: {number: 5, streetName: \"Main\"}, lines: [\"a\", \"b\"]}")
        let snake = try encoded(Address()) { $0.keyEncodingStrategy = .convertToSnakeCase }
        #expect(fieldText(snake) == "{home_address: {number: 5, street_name: \"Main\"}, lines: [\"a\", \"b\"]}")
        #expect(try decoded(Address.self, from: try encoded(Address())) == Address())
        #expect(try decoded(Address.self, from: snake) { $0.keyDecodingStrategy = .convertFromSnakeCase } == Address())
    }

    @Test func `containers in arrays, interleaved`() throws {
        // R51
        let value = Writing { encoder in
            var root = encoder.container(keyedBy: AnyKey.self)
            var list = root.nestedUnkeyedContainer(forKey: "list")
            var first = list.nestedContainer(keyedBy: AnyKey.self)
            try list.encode("between")
            var second = list.nestedContainer(keyedBy: AnyKey.self)
            try second.encode(2, forKey: "n")
            try first.encode(1, forKey: "n")
            try root.encode(true, forKey: "last")
            #expect(list.count == 3)
        }
        #expect(try encodedText(value) == "{last: true, list: [{n: 1}, \"between\", {n: 2}]}")
    }

    @Test func `the later of two values under one key wins`() throws {
        // R51
        #expect(try encodedText(Writing { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "a")
            try container.encode("x", forKey: "a")
            try container.encode([1, 2, 3], forKey: "b")
            try container.encode(Box(v: 1), forKey: "b")
        }) == "{a: \"x\", b: {v: 1}}")
    }

    static let misuses: [Attempt] = [
        // R51: another kind under a key that is taken.
        Attempt("keyed, then unkeyed, under one key") {
            try encoded(Writing { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                var keyed = container.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
                try keyed.encode(1, forKey: "x")
                var unkeyed = container.nestedUnkeyedContainer(forKey: "a")
                try unkeyed.encode(1)
            })
        },
        Attempt("a container where a scalar stands") {
            try encoded(Writing { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: "a")
                var keyed = container.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
                try keyed.encode(1, forKey: "x")
            })
        },
        // R52: two kinds for one value, or two values.
        Attempt("keyed and unkeyed for one value") {
            try encoded(Box(v: Writing { encoder in
                var keyed = encoder.container(keyedBy: AnyKey.self)
                try keyed.encode(1, forKey: "x")
                var unkeyed = encoder.unkeyedContainer()
                try unkeyed.encode(1)
            }))
        },
        Attempt("two single values") {
            try encoded(Box(v: Writing { encoder in
                var container = encoder.singleValueContainer()
                try container.encode(1)
                try container.encode(2)
            }))
        },
        Attempt("a single value and a container") {
            try encoded(Box(v: Writing { encoder in
                var container = encoder.singleValueContainer()
                try container.encode(1)
                var keyed = encoder.container(keyedBy: AnyKey.self)
                try keyed.encode(1, forKey: "x")
            }))
        },
    ]

    @Test(arguments: misuses)
    func `misused containers are an error, not the end of the process`(attempt: Attempt) {
        // R51, R52: preconditions in the original.
        #expect(codingFailure(attempt.run)?.kind == "invalidValue")
    }

    // MARK: Classes

    class Parent: Codable {
        var p = 1
        init() {}
    }
    final class Silent: Parent {
        var q = 2
    }
    final class Merging: Parent {
        enum Keys: CodingKey { case q }
        var q = 2
        override init() { super.init() }
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(q, forKey: .q)
        }
        required init(from decoder: any Decoder) throws {
            q = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .q)
            try super.init(from: decoder)
        }
    }
    final class Nesting: Parent {
        enum Keys: String, CodingKey { case q, baseClass }
        var q = 2
        override init() { super.init() }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try super.encode(to: container.superEncoder())
            try super.encode(to: container.superEncoder(forKey: .baseClass))
            try container.encode(q, forKey: .q)
        }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            q = try container.decode(Int.self, forKey: .q)
            try super.init(from: container.superDecoder())
            p += try Parent(from: container.superDecoder(forKey: .baseClass)).p
        }
    }

    @Test func `a subclass without its own coding methods encodes only its superclass`() throws {
        // R53
        #expect(try encodedText(Silent()) == "{p: 1}")
        #expect(try encodedText(["k": Silent()]) == "{k: {p: 1}}")
        #expect(try decoded(Silent.self, from: ["p": 5]).p == 5)
    }

    @Test func `a subclass that shares the encoder makes one map`() throws {
        // R54
        #expect(try encodedText(Merging()) == "{p: 1, q: 2}")
        #expect(try encodedText(["k": Merging()]) == "{k: {p: 1, q: 2}}")
        let read = try decoded(Merging.self, from: ["p": 5, "q": 6])
        #expect(read.p == 5 && read.q == 6)
    }

    @Test func `a super encoder makes a separate map`() throws {
        // R55
        #expect(try encodedText(Nesting()) == "{baseClass: {p: 1}, q: 2, super: {p: 1}}")
        #expect(try encodedText(Nesting()) { $0.keyEncodingStrategy = .convertToSnakeCase } == "{base_class: {p: 1}, q: 2, super: {p: 1}}")
        let read = try decoded(Nesting.self, from: ["super": ["p": 10], "baseClass": ["p": 20], "q": 6])
        #expect(read.p == 30 && read.q == 6)
    }

    @Test func `a super encoder may write late, or nothing`() throws {
        // R55
        #expect(try encodedText(Writing { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            let late = container.superEncoder()
            _ = container.superEncoder(forKey: "nothing")
            try container.encode(1, forKey: "a")
            var inner = late.container(keyedBy: AnyKey.self)
            try container.encode(2, forKey: "b")
            try inner.encode(3, forKey: "c")
        }) == "{a: 1, b: 2, nothing: {}, super: {c: 3}}")
        #expect(try encodedText(Writing { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            var list = container.nestedUnkeyedContainer(forKey: "list")
            try list.encode(0)
            var single = list.superEncoder().singleValueContainer()
            try single.encode("one")
            try list.encode(2)
        }) == "{list: [0, \"one\", 2]}")
    }

    @Test func `a super decoder of a missing key is like null`() throws {
        // R56
        let read: (any Decoder) throws -> Void = { decoder in
            let inner = try decoder.container(keyedBy: AnyKey.self).superDecoder()
            _ = try inner.container(keyedBy: AnyKey.self)
        }
        #expect(failureSummary { try reading([String: Any](), read) } == "valueNotFound at super")
        #expect(failureSummary { try reading(["super": NSNull()], read) } == "valueNotFound at super")
        #expect(failureSummary { try reading(["super": 5], read) } == "typeMismatch at super")
        #expect(failureSummary { try decoded(Nesting.self, from: ["q": 1]) } == "valueNotFound at super")
        try reading([String: Any]()) { decoder in
            let inner = try decoder.container(keyedBy: AnyKey.self).superDecoder(forKey: "none")
            #expect(try inner.singleValueContainer().decodeNil())
        }
    }

    // MARK: Single values, paths, keys

    struct Hex: Codable, Equatable {
        var red = 255
        init(red: Int) { self.red = red }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode("#" + String(red, radix: 16))
        }
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            guard let red = Int(try container.decode(String.self).dropFirst(), radix: 16) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no colour")
            }
            self.red = red
        }
    }

    @Test func `a wrapper around one value is that value`() throws {
        // R57
        #expect(try fieldText(encoding: Hex(red: 255)) == "\"#ff\"")
        #expect(try fieldText(encoding: [Hex(red: 16)]) == "[\"#10\"]")
        #expect(try fieldText(encoding: ["c": Hex?.none]) == "{c: null}")
        #expect(try decoded(property: Hex.self, from: "#0a") == Hex(red: 10))
        #expect(failure(property: Hex.self, from: "blue") == "dataCorrupted at v")
        #expect(failure(property: Hex.self, from: NSNull()) == "valueNotFound at v")
        // A single value may be anything, dictionaries and arrays too.
        #expect(try encodedText(Writing { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(["a": [1, 2]])
        }) == "{a: [1, 2]}")
    }

    /// Stores its own coding path; remembers it on reading.
    struct Probe: Codable, Equatable {
        var path = ""
        init() {}
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            #expect(pathText(container.codingPath) == pathText(encoder.codingPath))
            try container.encode(pathText(encoder.codingPath))
        }
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            #expect(pathText(container.codingPath) == pathText(decoder.codingPath))
            path = pathText(decoder.codingPath)
        }
    }

    @Test func `coding paths go from the document down in Swift's names`() throws {
        // R58
        struct Model: Codable {
            var firstOne = Probe()
            var listOf = [Probe(), Probe()]
            var mapOf = ["rawKey": Box(v: Probe())]
        }
        let data = try encoded(Model()) { $0.keyEncodingStrategy = .convertToSnakeCase }
        #expect(
            fieldText(data)
                == #"{first_one: "firstOne", list_of: ["listOf.Index 0", "listOf.Index 1"], map_of: {rawKey: {v: "mapOf.rawKey.v"}}}"#)
        let model = try decoded(Model.self, from: data) { $0.keyDecodingStrategy = .convertFromSnakeCase }
        #expect(model.firstOne.path == "firstOne" && model.listOf.map(\.path) == ["listOf.Index 0", "listOf.Index 1"])
        #expect(model.mapOf["rawKey"]?.v.path == "mapOf.rawKey.v")
    }

    @Test func `userInfo has the app's values, and the document's reference on reading`() throws {
        // R58, R73
        let mine = try #require(CodingUserInfoKey(rawValue: "mine"))
        let reference = try #require(CodingUserInfoKey(rawValue: "DocumentRefUserInfoKey"))
        let encoder = Firestore.Encoder()
        encoder.userInfo[mine] = 5
        let data = try encoder.encode(Writing { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(encoder.userInfo[mine] as? Int ?? 0, forKey: "mine")
            try container.encode(encoder.userInfo.count, forKey: "count")
        })
        #expect(fieldText(data) == "{count: 1, mine: 5}")
        struct Info: Decodable {
            var mine: Int?
            var reference: DocumentReference?
            init(from decoder: any Decoder) throws {
                mine = CodingUserInfoKey(rawValue: "mine").flatMap { decoder.userInfo[$0] as? Int }
                reference = CodingUserInfoKey(rawValue: "DocumentRefUserInfoKey").flatMap { decoder.userInfo[$0] as? DocumentReference }
            }
        }
        let decoder = Firestore.Decoder()
        decoder.userInfo[mine] = 6
        let document = Scratch.firestore().document("a/b")
        let info = try decoder.decode(Info.self, from: [String: Any](), in: document)
        #expect(info.mine == 6 && info.reference == document)
        #expect(decoder.userInfo[reference] == nil)
    }

    @Test func `allKeys are the converted keys that the key type knows`() throws {
        // R59
        enum Some: String, CodingKey { case fooBar, other, null }
        try reading(["foo_bar": 1, "unknown": 2, "null": NSNull()], with: { $0.keyDecodingStrategy = .convertFromSnakeCase }) { decoder in
            let container = try decoder.container(keyedBy: Some.self)
            #expect(Set(container.allKeys) == [.fooBar, .null])
            #expect(container.contains(.fooBar) && container.contains(.null) && !container.contains(.other))
            #expect(try container.decodeNil(forKey: .null))
            #expect(try !container.decodeNil(forKey: .fooBar))
            let any = try decoder.container(keyedBy: AnyKey.self)
            #expect(Set(any.allKeys.map(\.stringValue)) == ["fooBar", "unknown", "null"])
        }
    }
}
