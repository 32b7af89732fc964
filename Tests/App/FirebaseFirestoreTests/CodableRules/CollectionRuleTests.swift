// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Arrays, sets and dictionaries (R40 … R49).
@Suite struct CollectionRuleTests {
    enum Color: String, Codable { case red, blue }
    enum KeyColor: String, Codable, CodingKeyRepresentable, CaseIterable { case red, redOne }

    struct Item: Codable, Equatable {
        var oneTwo = 1
    }

    // MARK: Arrays and sets

    @Test func `arrays of every make are arrays`() throws {
        // R40
        #expect(try fieldText(encoding: [1, 2]) == "[1, 2]")
        #expect(try fieldText(encoding: ContiguousArray(["a"])) == "[\"a\"]")
        #expect(try fieldText(encoding: [Int]()) == "[]")
        #expect(try fieldText(encoding: [true, false]) == "[true, false]")
        #expect(try fieldText(encoding: [Float(0.5)]) == "[0.5]")
        #expect(try fieldText(encoding: [Item(), Item(oneTwo: 2)]) == "[{oneTwo: 1}, {oneTwo: 2}]")
        #expect(try decoded(property: [Int].self, from: [1, 2.0]) == [1, 2])
        #expect(try decoded(property: ContiguousArray<String>.self, from: ["a"]) == ["a"])
        #expect(try decoded(property: [Bool].self, from: [true]) == [true])
        #expect(try decoded(property: [Double].self, from: [1, 2.5]) == [1, 2.5])
        #expect(try decoded(property: [Item].self, from: [["oneTwo": 5]]) == [Item(oneTwo: 5)])
    }

    @Test func `an element's path component has its index, as text and as number`() throws {
        // R40
        let read = try #require(codingFailure { try decoded(property: [Item].self, from: [["oneTwo": 1], ["oneTwo": "x"]]) })
        #expect(read.summary == "typeMismatch at v.Index 1.oneTwo")
        #expect(read.path?[1].intValue == 1)
        for summary in [
            failure(property: [Int].self, from: [1, "x"]), failure(property: [Double].self, from: [1, "x"]),
            failure(property: [String].self, from: ["x", 1]), failure(property: [Bool].self, from: [true, 1]),
            failure(property: [Float].self, from: [1, "x"]),
        ] {
            #expect(summary == "typeMismatch at v.Index 1")
        }
        let written = try #require(codingFailure { try encoded(Box(v: [0, Double.nan])) })
        #expect(written.summary == "invalidValue at v.Index 1")
        #expect(written.path?.last?.intValue == 1)
    }

    @Test func `a set is an array in some order`() throws {
        // R41
        #expect((try encoded(Box(v: Set([1, 2, 3])))["v"] as? [Int]).map { Set($0) } == [1, 2, 3])
        #expect(try decoded(property: Set<Int>.self, from: [1, 2, 2]) == [1, 2])
    }

    @Test func `an array in an array is rejected, a map in between is fine`() throws {
        // R42
        #expect(failureSummary { try encoded(Box(v: [[1], [2]])) } == "invalidValue at v.Index 0")
        #expect(failureSummary { try encoded(Box(v: [["a"]])) } == "invalidValue at v.Index 0")
        #expect(failureSummary { try encoded(Box(v: [[Item()]])) } == "invalidValue at v.Index 0")
        #expect(failureSummary { try encoded(Box(v: [Set([1.5])])) } == "invalidValue at v.Index 0")
        #expect(failureSummary { try encoded(Box(v: [1..<2])) } == "invalidValue at v.Index 0")
        #expect(try fieldText(encoding: [["r": [1]]]) == "[{r: [1]}]")
    }

    // MARK: Dictionaries

    @Test func `a dictionary with string keys is a map, and no strategy changes its keys`() throws {
        // R43, R67
        #expect(try fieldText(encoding: ["fooBar": 1, "a b": 2]) { $0.keyEncodingStrategy = .convertToSnakeCase } == "{a b: 2, fooBar: 1}")
        #expect(try fieldText(encoding: [String: Int]()) == "{}")
        #expect(try decoded(property: [String: Int].self, from: ["foo_bar": 1]) { $0.keyDecodingStrategy = .convertFromSnakeCase } == ["foo_bar": 1])
        #expect(try encodedText(["fooBar": Item()]) { $0.keyEncodingStrategy = .convertToSnakeCase } == "{fooBar: {one_two: 1}}")
    }

    @Test func `a dictionary with integer keys is a map with decimal names`() throws {
        // R44
        #expect(try fieldText(encoding: [1: "a", -2: "b"]) == "{-2: \"b\", 1: \"a\"}")
        #expect(try decoded(property: [Int: String].self, from: ["1": "a", "-2": "b"]) == [1: "a", -2: "b"])
        #expect(failure(property: [Int: String].self, from: ["x": "a"]) == "typeMismatch at v.x")
    }

    @Test func `a dictionary with other keys is a flat array`() throws {
        // R45
        #expect(try fieldText(encoding: [Color.red: 1]) == "[\"red\", 1]")
        #expect(try decoded(property: [Color: Int].self, from: ["red", 1, "blue", 2] as [Any]) == [.red: 1, .blue: 2])
        #expect(failure(property: [Color: Int].self, from: ["red": 1]) == "typeMismatch at v")
        #expect(failure(property: [Color: Int].self, from: ["red"]) == "dataCorrupted at v")
    }

    @Test func `keys that say they are coding keys make a map, and go through the strategy`() throws {
        // R46
        #expect(try fieldText(encoding: [KeyColor.red: 1, .redOne: 2]) == "{red: 1, redOne: 2}")
        #expect(try fieldText(encoding: [KeyColor.redOne: 2]) { $0.keyEncodingStrategy = .convertToSnakeCase } == "{red_one: 2}")
        #expect(try decoded(property: [KeyColor: Int].self, from: ["red": 1]) == [.red: 1])
        let snake: (Firestore.Decoder) -> Void = { $0.keyDecodingStrategy = .convertFromSnakeCase }
        #expect(try decoded(property: [KeyColor: Int].self, from: ["red_one": 1], snake) == [.redOne: 1])
    }

    // MARK: Null

    @Test func `null for a value that is not optional is rejected in every dictionary`() {
        // R47: the original drops the entry where the values are dates, bytes, URLs, decimals or dictionaries.
        let data: [String: Any] = ["a": NSNull()]
        #expect(failure(property: [String: Int].self, from: data) == "valueNotFound at v.a")
        #expect(failure(property: [String: Date].self, from: data) == "valueNotFound at v.a")
        #expect(failure(property: [String: Data].self, from: data) == "valueNotFound at v.a")
        #expect(failure(property: [String: URL].self, from: data) == "valueNotFound at v.a")
        #expect(failure(property: [String: Decimal].self, from: data) == "valueNotFound at v.a")
        #expect(failure(property: [String: [String: Int]].self, from: data) == "valueNotFound at v.a")
        #expect(failure(property: [String: Item].self, from: data) == "valueNotFound at v.a")
        #expect(failure(property: [String: String].self, from: data) == "valueNotFound at v.a")
        #expect(failureSummary { try decoded([String: Date].self, from: data) } == "valueNotFound at a")
    }

    @Test func `null for an element that is not optional is rejected, with its index once`() {
        // R48: the original has the index twice for dates and the like.
        let array: [Any] = [NSNull()]
        #expect(failure(property: [Int].self, from: array) == "valueNotFound at v.Index 0")
        #expect(failure(property: [Double].self, from: array) == "valueNotFound at v.Index 0")
        #expect(failure(property: [String].self, from: array) == "valueNotFound at v.Index 0")
        #expect(failure(property: [Bool].self, from: array) == "valueNotFound at v.Index 0")
        #expect(failure(property: [Date].self, from: array) == "valueNotFound at v.Index 0")
        #expect(failure(property: [Data].self, from: array) == "valueNotFound at v.Index 0")
        #expect(failure(property: [URL].self, from: array) == "valueNotFound at v.Index 0")
        #expect(failure(property: [Decimal].self, from: array) == "valueNotFound at v.Index 0")
        #expect(failure(property: [[String: Int]].self, from: array) == "valueNotFound at v.Index 0")
        #expect(failure(property: [Item].self, from: array) == "valueNotFound at v.Index 0")
    }

    @Test func `fields that a type does not know are left alone`() throws {
        // R49
        let data: [String: Any] = ["oneTwo": 4, "more": [1, "x", NSNull(), ["y": true]] as [Any], "": 1, "zzz": Data([1])]
        #expect(try decoded(Item.self, from: data) == Item(oneTwo: 4))
    }

    @Test func `heterogeneous data needs a matching type`() throws {
        // R49
        indirect enum Anything: Codable, Equatable {
            case bool(Bool), number(Double), text(String), list([Anything]), map([String: Anything])
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let value = try? container.decode(Bool.self) {
                    self = .bool(value)
                } else if let value = try? container.decode(Double.self) {
                    self = .number(value)
                } else if let value = try? container.decode(String.self) {
                    self = .text(value)
                } else if let value = try? container.decode([Anything].self) {
                    self = .list(value)
                } else {
                    self = .map(try container.decode([String: Anything].self))
                }
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch self {
                case .bool(let value): try container.encode(value)
                case .number(let value): try container.encode(value)
                case .text(let value): try container.encode(value)
                case .list(let value): try container.encode(value)
                case .map(let value): try container.encode(value)
                }
            }
        }
        let data: [String: Any] = ["a": [true, 1.5, "x", ["k": [2.0]]] as [Any]]
        let value = try decoded([String: Anything].self, from: data)
        #expect(value == ["a": .list([.bool(true), .number(1.5), .text("x"), .map(["k": .list([.number(2)])])])])
        #expect(fieldText(try encoded(value)) == fieldText(data))
    }
}
