// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Bytes, URL, UUID, Decimal and other types of Foundation (R30a to R30g).
@Suite struct BytesRuleTests {
    // MARK: Data (R30a)

    @Test func `data is bytes, also when there are none`() throws {
        // R30, a
        #expect(try fieldText(encoding: Data([0, 255])) == "bytes(0 ff)")
        #expect(try fieldText(encoding: Data()) == "bytes()")
        #expect(try fieldText(encoding: [Data([1]), Data()]) == "[bytes(1), bytes()]")
        #expect(try decoded(property: Data.self, from: Data([9, 0])) == Data([9, 0]))
        #expect(try decoded(property: Data.self, from: Data()) == Data())
        #expect(try decoded(property: [Data].self, from: [Data([1]), Data()]) == [Data([1]), Data()])
    }

    @Test func `bytes are also read from the base64 that old versions wrote`() throws {
        #expect(try decoded(property: Data.self, from: "AP8=") == Data([0, 255]))
        #expect(try decoded(property: Data.self, from: "") == Data())
        #expect(failure(property: Data.self, from: "no base64!") == "typeMismatch at v")
        for other: Any in [5, true, [1, 2], ["a": 1]] {
            #expect(failure(property: Data.self, from: other) == "typeMismatch at v")
        }
    }

    @Test func `the other ways of storing data, and back`() throws {
        let bytes = Data([1, 254])
        #expect(try fieldText(encoding: bytes) { $0.dataEncodingStrategy = .base64 } == "\"Af4=\"")
        #expect(try fieldText(encoding: bytes) { $0.dataEncodingStrategy = .deferredToData } == "[1, 254]")
        #expect(try fieldText(encoding: bytes) { encoder in
            encoder.dataEncodingStrategy = .custom { data, inner in
                var container = inner.unkeyedContainer()
                try container.encode(data.count)
            }
        } == "[2]")
        #expect(try fieldText(encoding: bytes) { $0.dataEncodingStrategy = .custom { _, _ in } } == "{}")
        #expect(try decoded(property: Data.self, from: "Af4=") { $0.dataDecodingStrategy = .base64 } == bytes)
        #expect(try decoded(property: Data.self, from: [1, 254]) { $0.dataDecodingStrategy = .deferredToData } == bytes)
        #expect(try decoded(property: Data.self, from: 3) { decoder in
            decoder.dataDecodingStrategy = .custom { Data(count: try $0.singleValueContainer().decode(Int.self)) }
        } == Data(count: 3))
        #expect(failure(property: Data.self, from: "no base64!") { $0.dataDecodingStrategy = .base64 } == "dataCorrupted at v")
        #expect(failure(property: Data.self, from: bytes) { $0.dataDecodingStrategy = .base64 } == "typeMismatch at v")
        #expect(throws: UserError()) { try encoded(Box(v: bytes)) { $0.dataEncodingStrategy = .custom { _, _ in throw UserError() } } }
    }

    @Test func `an array of bytes is an array of numbers`() throws {
        // R30b
        #expect(try fieldText(encoding: [UInt8(1), 255]) == "[1, 255]")
        #expect(try decoded(property: [UInt8].self, from: [1, 255]) == [1, 255])
        #expect(failure(property: [UInt8].self, from: Data([1])) == "typeMismatch at v")
        #expect(failure(property: [UInt8].self, from: [1, 256]) == "dataCorrupted at v.Index 1")
    }

    // MARK: URL, UUID, Decimal

    @Test func `a URL is its absolute string`() throws {
        // R30c
        let absolute = try #require(URL(string: "https://x.y/a?b=c#d"))
        let relative = try #require(URL(string: "c", relativeTo: URL(string: "https://x.y/a/")))
        #expect(try fieldText(encoding: absolute) == "\"https://x.y/a?b=c#d\"")
        #expect(try fieldText(encoding: relative) == "\"https://x.y/a/c\"")
        #expect(try fieldText(encoding: [absolute]) == "[\"https://x.y/a?b=c#d\"]")
        #expect(try decoded(property: URL.self, from: "https://x.y/a?b=c#d") == absolute)
        #expect(try decoded(property: [String: URL].self, from: ["u": "https://x.y/a?b=c#d"]) == ["u": absolute])
        #expect(failure(property: URL.self, from: "") == "dataCorrupted at v")
        for text in ["http://[::1", "http://a b:x", "\u{0}"] where URL(string: text) == nil {
            #expect(failure(property: URL.self, from: text) == "dataCorrupted at v")
        }
        #expect(failure(property: URL.self, from: 5) == "typeMismatch at v")
    }

    @Test func `a UUID is an upper-case string`() throws {
        // R30d
        let id = try #require(UUID(uuidString: "0b7c6c2e-5a5c-4f7e-9a55-1d2b3c4d5e6f"))
        #expect(try fieldText(encoding: id) == "\"0B7C6C2E-5A5C-4F7E-9A55-1D2B3C4D5E6F\"")
        #expect(try decoded(property: UUID.self, from: "0b7c6c2e-5a5c-4f7e-9a55-1d2b3c4d5e6f") == id)
        #expect(failure(property: UUID.self, from: "no uuid") == "dataCorrupted at v")
        #expect(failure(property: UUID.self, from: 5) == "typeMismatch at v")
    }

    @Test func `a decimal is a double`() async throws {
        // R30e
        #expect(try fieldText(encoding: Decimal(2)) == "2.0")
        #expect(try fieldText(encoding: try #require(Decimal(string: "0.1"))) == "0.1")
        #expect(try decoded(property: Decimal.self, from: 0.1) == Decimal(0.1))
        // The shortest one, not the one that Foundation makes of the double.
        let shortest = try #require(Decimal(string: "3.133"))
        #expect(try decoded(property: Decimal.self, from: 3.133) == shortest)
        #expect(try decoded(property: Decimal.self, from: 7) == 7)
        #expect(failure(property: Decimal.self, from: "7") == "typeMismatch at v")
        #expect(failure(property: Decimal.self, from: true) == "typeMismatch at v")
        let document = Scratch.firestore().document("decimals/d")
        try document.setData(from: Box(v: Decimal(3)))
        #expect(fieldText(try await document.getDocument().data()) == "{v: 3.0}")
    }

    // MARK: Whatever encodes itself

    @Test func `ranges are pairs`() throws {
        // R30f
        #expect(try fieldText(encoding: 1..<3) == "[1, 3]")
        #expect(try fieldText(encoding: 1.5...3.5) == "[1.5, 3.5]")
        #expect(try decoded(property: Range<Int>.self, from: [1, 3]) == 1..<3)
        #expect(try decoded(property: ClosedRange<Int>.self, from: [1, 3]) == 1...3)
    }

    @Test func `other types of Foundation follow their own code`() throws {
        // R30g
        #expect(try fieldText(encoding: CGPoint(x: 1, y: 2)) == "[1.0, 2.0]")
        #expect(try decoded(property: CGPoint.self, from: [1, 2]) == CGPoint(x: 1, y: 2))
        let components = DateComponents(year: 2024, month: 2)
        #expect(try encoded(Box(v: components))["v"] is [String: Any])
        #expect(try decoded(Box<DateComponents>.self, from: try encoded(Box(v: components))).v == components)
        let locale = Locale(identifier: "nl_NL")
        #expect(try encoded(Box(v: locale))["v"] is [String: Any])
        #expect(try decoded(Box<Locale>.self, from: try encoded(Box(v: locale))).v.identifier == "nl_NL")
        let length = Measurement(value: 2.5, unit: UnitLength.meters)
        #expect(try encoded(Box(v: length))["v"] is [String: Any])
        #expect(try decoded(Box<Measurement<UnitLength>>.self, from: try encoded(Box(v: length))).v == length)
    }
}
