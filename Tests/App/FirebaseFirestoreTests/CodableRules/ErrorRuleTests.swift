// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Errors, beside the table (R94 … R97).
@Suite struct ErrorRuleTests {
    let db = Scratch.firestore()

    struct Two: Codable, Equatable {
        var a: Int
        var b: Int
    }

    static let kinds: [(String, @Sendable () -> Any)] = [
        ("integer", { 1 }), ("double", { 1.5 }), ("boolean", { true }), ("array", { [1] }), ("map", { ["a": 1] }),
        ("bytes", { Data([1]) }), ("timestamp", { Timestamp(seconds: 1, nanoseconds: 0) }),
        ("geopoint", { GeoPoint(latitude: 1, longitude: 2) }), ("vector", { VectorValue([1]) }),
        ("reference", { Scratch.firestore().document("a/b") }),
    ]

    @Test(arguments: kinds.indices)
    func `a mismatch names the kind that was found`(index: Int) throws {
        // R94
        let (kind, value) = Self.kinds[index]
        let failure = try #require(codingFailure { try decoded(property: String.self, from: value()) })
        #expect(failure.summary == "typeMismatch at v")
        #expect(failure.names(kind, "String"), "\"\(failure.text)\" does not name \(kind)")
    }

    @Test func `a mismatch names the kind that was expected`() throws {
        // R94
        #expect(codingFailure { try decoded(property: Two.self, from: "x") }?.expected == [String: Any].self)
        #expect(codingFailure { try decoded(property: [String: Int].self, from: "x") }?.expected == [String: Any].self)
        #expect(codingFailure { try decoded(property: [Two].self, from: "x") }?.expected == [Any].self)
        #expect(codingFailure { try decoded(property: [Int].self, from: "x") }?.expected == [Any].self)
        #expect(codingFailure { try decoded(property: Int.self, from: "x") }?.expected == Int.self)
        #expect(codingFailure { try decoded(property: String.self, from: NSNull()) }?.expected == String.self)
    }

    @Test func `the first error is thrown, unwrapped`() async throws {
        // R95
        #expect(failureSummary { try decoded(Two.self, from: ["a": "x", "b": "y"]) } == "typeMismatch at a")
        let document = db.document("errors/two")
        try await document.setData(["a": "x", "b": "y"])
        let thrown = await failure { try await document.getDocument(as: Two.self) }
        #expect(CodingFailure(try #require(thrown)).summary == "typeMismatch at a")
        #expect(thrown is DecodingError)
        let told: CodingFailure? = await withCheckedContinuation { continuation in
            document.getDocument(as: Two.self) { result in
                guard case .failure(let error) = result else { return continuation.resume(returning: nil) }
                continuation.resume(returning: CodingFailure(error))
            }
        }
        #expect(told?.summary == "typeMismatch at a")
    }

    @Test func `the coders stay usable after an error`() throws {
        // R96
        let encoder = Firestore.Encoder()
        #expect(throws: EncodingError.self) { try encoder.encode(["a": ["b": Double.nan]]) }
        #expect(fieldText(try encoder.encode(["a": 1])) == "{a: 1}")
        let decoder = Firestore.Decoder()
        #expect(throws: DecodingError.self) { try decoder.decode(Two.self, from: ["a": 1]) }
        #expect(try decoder.decode(Two.self, from: ["a": 1, "b": 2]) == Two(a: 1, b: 2))
    }

    /// Tries one form after the other.
    enum Flexible: Decodable, Equatable {
        case number(Int), text(String), list([Int]), two(Two), nothing
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .nothing
            } else if let value = try? container.decode(Int.self) {
                self = .number(value)
            } else if let value = try? container.decode([Int].self) {
                self = .list(value)
            } else if let value = try? Two(from: decoder) {
                self = .two(value)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    @Test func `a type may catch an error and try another form`() throws {
        // R96
        let data: [String: Any] = ["v": [1, "x", NSNull(), ["a": 1, "b": 2], ["l": 1]] as [Any]]
        #expect(failureSummary { try decoded(Box<[Flexible]>.self, from: data) } == "typeMismatch at v.Index 4")
        let good: [String: Any] = ["v": [1, "x", NSNull(), ["a": 1, "b": 2]] as [Any], "w": [3]]
        #expect(try decoded(Box<[Flexible]>.self, from: good).v == [.number(1), .text("x"), .nothing, .two(Two(a: 1, b: 2))])
        #expect(try decoded([String: Flexible].self, from: ["l": [1, 2], "t": "x"]) == ["l": .list([1, 2]), "t": .text("x")])
        // An array's position does not move when an element cannot be read.
        try reading(["list": [1, "x", 2] as [Any]]) { decoder in
            var list = try decoder.container(keyedBy: AnyKey.self).nestedUnkeyedContainer(forKey: "list")
            #expect(list.count == 3)
            #expect(try list.decode(Int.self) == 1)
            #expect(throws: DecodingError.self) { try list.decode(Int.self) }
            #expect(list.currentIndex == 1)
            #expect(try list.decode(String.self) == "x")
            #expect(try list.decode(Int.self) == 2)
            #expect(list.isAtEnd)
        }
    }

    @Test func `an encoding error that is caught leaves no half of a value behind`() throws {
        // R96
        let value = Writing { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "a")
            #expect(throws: EncodingError.self) { try container.encode(["x": [1, Double.nan]], forKey: "b") }
            #expect(throws: EncodingError.self) { try container.encode(Double.nan, forKey: "c") }
            try container.encode("instead", forKey: "c")
            #expect(throws: EncodingError.self) { try container.encode([[Two(a: 1, b: 2)]], forKey: "d") }
            #expect(throws: EncodingError.self) { try container.encode(["x": [Set([1])]], forKey: "d") }
            var list = container.nestedUnkeyedContainer(forKey: "list")
            try list.encode(1)
            #expect(throws: EncodingError.self) { try list.encode(Double.nan) }
            #expect(throws: EncodingError.self) { try list.encode(["x": Double.nan]) }
            #expect(throws: EncodingError.self) { try list.encode([Two(a: 1, b: 2)]) }
            #expect(throws: EncodingError.self) { try list.encode([1]) }
            try list.encode(2)
        }
        #expect(try encodedText(value) == "{a: 1, c: \"instead\", list: [1, 2]}")
    }

    @Test func `the useful text is in the debug description`() throws {
        // R97
        let error = try #require(codingFailure { try decoded(Two.self, from: ["a": 1]) })
        #expect(!error.text.isEmpty && error.names("b"))
        let own = try #require(codingFailure { try decoded(property: DocumentReference.self, from: 1) })
        #expect(!(own.error is any LocalizedError))
        #expect(!own.error.localizedDescription.isEmpty)
    }

    @Test func `the guide's switch over errors compiles and distinguishes the cases`() {
        func words(_ error: any Error) -> String {
            switch error {
            case DecodingError.typeMismatch(_, let context): "mismatch: \(context.debugDescription)"
            case DecodingError.valueNotFound(_, let context): "missing value: \(context.debugDescription)"
            case DecodingError.keyNotFound(_, let context): "missing key: \(context.debugDescription)"
            case DecodingError.dataCorrupted(let key): "corrupted: \(key)"
            default: "default: \(error.localizedDescription)"
            }
        }
        func words(_ body: () throws -> Two) -> String {
            do { return "\(try body())" } catch { return words(error) }
        }
        #expect(words { try decoded(Two.self, from: ["a": "x"]) }.hasPrefix("mismatch: "))  // R93
        #expect(words { try decoded(Two.self, from: NSNull()) }.hasPrefix("missing value: "))
        #expect(words { try decoded(Two.self, from: ["a": 1]) }.hasPrefix("missing key: "))
        #expect(words { try decoded(Two.self, from: ["a": 1.5]) }.hasPrefix("corrupted: "))
    }
}
