// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Every method of the three kinds of containers, called by hand: the rules hold for each (R12–R24, R50, R57, R93).
@Suite struct ContainerMethodTests {
    struct Scalars: Codable, Equatable {
        var bool = true
        var string = "s"
        var double = 1.5
        var float = Float(0.5)
        var int = -1
        var int8 = Int8(-8)
        var int16 = Int16(-16)
        var int32 = Int32(-32)
        var int64 = Int64(-64)
        var uint = UInt(1)
        var uint8 = UInt8(8)
        var uint16 = UInt16(16)
        var uint32 = UInt32(32)
        var uint64 = UInt64(64)
    }

    struct Optionals: Codable, Equatable {
        var bool: Bool?
        var string: String?
        var double: Double?
        var float: Float?
        var int: Int?
        var int8: Int8?
        var int16: Int16?
        var int32: Int32?
        var int64: Int64?
        var uint: UInt?
        var uint8: UInt8?
        var uint16: UInt16?
        var uint32: UInt32?
        var uint64: UInt64?
        var date: Date?
        var data: Data?
        var url: URL?
        var decimal: Decimal?
        var list: [Int]?
        var map: [String: Int]?
        var scalars: Scalars?
    }

    static let text =
        "{bool: true, double: 1.5, float: 0.5, int: -1, int16: -16, int32: -32, int64: -64, int8: -8, string: \"s\", uint: 1, uint16: 16, uint32: 32, uint64: 64, uint8: 8}"

    @Test func `every scalar round-trips in a keyed container`() throws {
        #expect(try encodedText(Scalars()) == Self.text)  // R11, R12, R13, R15, R19
        #expect(try decoded(Scalars.self, from: try encoded(Scalars())) == Scalars())
        #expect(try decoded(Optionals.self, from: try encoded(Scalars())).uint64 == 64)
        #expect(try encodedText(Optionals(int8: 8, uint32: 32)) == "{int8: 8, uint32: 32}")
    }

    static let names = Mirror(reflecting: Optionals()).children.compactMap(\.label)

    @Test(arguments: names)
    func `every optional scalar of a keyed container is nil if missing or null, and mismatches another kind`(name: String) throws {
        #expect(try decoded(Optionals.self, from: [String: Any]()) == Optionals())  // R22
        #expect(try decoded(Optionals.self, from: [name: NSNull()]) == Optionals())
        let other: Any = name == "bool" || name == "string" ? 5 : GeoPoint(latitude: 1, longitude: 1)
        #expect(failureSummary { try decoded(Optionals.self, from: [name: other]) } == "typeMismatch at \(name)")
    }

    @Test(arguments: Mirror(reflecting: Scalars()).children.compactMap(\.label))
    func `every scalar of a keyed container has separate errors for missing, null and another kind`(name: String) throws {
        var data = try encoded(Scalars())
        data[name] = NSNull()
        #expect(failureSummary { try decoded(Scalars.self, from: data) } == "valueNotFound at \(name)")  // R23
        data[name] = Data([1])
        #expect(failureSummary { try decoded(Scalars.self, from: data) } == "typeMismatch at \(name)")
        data[name] = nil
        #expect(failureSummary { try decoded(Scalars.self, from: data) } == "keyNotFound(\(name)) at root")
    }

    /// The values of `Scalars` as an array, by the unkeyed container's own methods.
    struct Row: Codable, Equatable {
        var scalars = Scalars()
        init() {}
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(scalars.bool)
            try list.encode(scalars.string)
            try list.encode(scalars.double)
            try list.encode(scalars.float)
            try list.encode(scalars.int)
            try list.encode(scalars.int8)
            try list.encode(scalars.int16)
            try list.encode(scalars.int32)
            try list.encode(scalars.int64)
            try list.encode(scalars.uint)
            try list.encode(scalars.uint8)
            try list.encode(scalars.uint16)
            try list.encode(scalars.uint32)
            try list.encode(scalars.uint64)
            try list.encodeNil()
            #expect(list.count == 15)
        }
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            #expect(list.count == 15)
            scalars.bool = try list.decode(Bool.self)
            scalars.string = try list.decode(String.self)
            scalars.double = try list.decode(Double.self)
            scalars.float = try list.decode(Float.self)
            scalars.int = try list.decode(Int.self)
            scalars.int8 = try list.decode(Int8.self)
            scalars.int16 = try list.decode(Int16.self)
            scalars.int32 = try list.decode(Int32.self)
            scalars.int64 = try list.decode(Int64.self)
            scalars.uint = try list.decode(UInt.self)
            scalars.uint8 = try list.decode(UInt8.self)
            scalars.uint16 = try list.decode(UInt16.self)
            scalars.uint32 = try list.decode(UInt32.self)
            scalars.uint64 = try list.decode(UInt64.self)
            #expect(try list.decodeNil())
            #expect(list.isAtEnd && list.currentIndex == 15)
        }
    }

    @Test func `every scalar round-trips in an unkeyed container`() throws {
        #expect(try fieldText(encoding: Row()) == "[true, \"s\", 1.5, 0.5, -1, -8, -16, -32, -64, 1, 8, 16, 32, 64, null]")
        #expect(try decoded(property: Row.self, from: try #require(try encoded(Box(v: Row()))["v"])) == Row())
    }

    @Test func `unkeyed, in a table`() throws {
        try reading(["list": [1, NSNull(), ["a": 1], [String: Any](), "x"] as [Any]]) { decoder in
            var list = try decoder.container(keyedBy: AnyKey.self).nestedUnkeyedContainer(forKey: "list")
            #expect(try !list.decodeNil())
            #expect(list.currentIndex == 0)
            #expect(try list.decode(Int.self) == 1)
            #expect(failureSummary { try list.decode(Int.self) } == "valueNotFound at list.Index 1")
            #expect(failureSummary { try list.nestedContainer(keyedBy: AnyKey.self) } == "valueNotFound at list.Index 1")
            #expect(try list.decodeIfPresent(Int.self) == nil)
            let map = try list.nestedContainer(keyedBy: AnyKey.self)
            #expect(pathText(map.codingPath) == "list.Index 2")
            #expect(try map.decode(Int.self, forKey: "a") == 1)
            let inner = try list.superDecoder()
            #expect(pathText(inner.codingPath) == "list.Index 3")
            #expect(failureSummary { try list.nestedUnkeyedContainer() } == "typeMismatch at list.Index 4")
            #expect(try list.decode(String.self) == "x")
            #expect(list.isAtEnd)
            #expect(failureSummary { try list.decodeNil() } == "valueNotFound at list.Index 5")  // R93
            #expect(failureSummary { try list.superDecoder() } == "valueNotFound at list.Index 5")
        }
    }

    /// A scalar through the single-value container's own method.
    static let singles: [Attempt] = [
        Attempt("true") { try single({ try $0.encode(true) }, { try $0.decode(Bool.self) }) },
        Attempt("s") { try single({ try $0.encode("s") }, { try $0.decode(String.self) }) },
        Attempt("1.5") { try single({ try $0.encode(1.5) }, { try $0.decode(Double.self) }) },
        Attempt("0.5") { try single({ try $0.encode(Float(0.5)) }, { try $0.decode(Float.self) }) },
        Attempt("-1") { try single({ try $0.encode(-1) }, { try $0.decode(Int.self) }) },
        Attempt("-8") { try single({ try $0.encode(Int8(-8)) }, { try $0.decode(Int8.self) }) },
        Attempt("-16") { try single({ try $0.encode(Int16(-16)) }, { try $0.decode(Int16.self) }) },
        Attempt("-32") { try single({ try $0.encode(Int32(-32)) }, { try $0.decode(Int32.self) }) },
        Attempt("-64") { try single({ try $0.encode(Int64(-64)) }, { try $0.decode(Int64.self) }) },
        Attempt("1") { try single({ try $0.encode(UInt(1)) }, { try $0.decode(UInt.self) }) },
        Attempt("8") { try single({ try $0.encode(UInt8(8)) }, { try $0.decode(UInt8.self) }) },
        Attempt("16") { try single({ try $0.encode(UInt16(16)) }, { try $0.decode(UInt16.self) }) },
        Attempt("32") { try single({ try $0.encode(UInt32(32)) }, { try $0.decode(UInt32.self) }) },
        Attempt("64") { try single({ try $0.encode(UInt64(64)) }, { try $0.decode(UInt64.self) }) },
        Attempt("true") { try single({ try $0.encodeNil() }, { $0.decodeNil() }) },
        Attempt("[1, 2]") { try single({ try $0.encode([1, 2]) }, { try $0.decode([Int].self) }) },
        Attempt("[\"k\": 1]") { try single({ try $0.encode(["k": 1]) }, { try $0.decode([String: Int].self) }) },
    ]

    private static func single<Value>(
        _ write: @escaping (inout any SingleValueEncodingContainer) throws -> Void,
        _ read: @escaping (any SingleValueDecodingContainer) throws -> Value
    ) throws -> String {
        let data = try encoded(Box(v: Writing { encoder in
            var container = encoder.singleValueContainer()
            try write(&container)
        }))
        var result = ""
        try reading(data) { decoder in
            result = "\(try read(try decoder.container(keyedBy: AnyKey.self).superDecoder(forKey: "v").singleValueContainer()))"
        }
        return result
    }

    @Test(arguments: singles)
    func `every scalar round-trips in a single value container`(attempt: Attempt) throws {
        #expect(try attempt.run() as? String == attempt.name)  // R57
    }

    // MARK: Paths of what is written by hand

    static let refusals: [(String, Attempt)] = [
        ("v", Attempt("single") {
            try encoded(Box(v: Writing { encoder in
                var container = encoder.singleValueContainer()
                try container.encode(Double.nan)
            }))
        }),
        ("v.inner.x", Attempt("nested keyed") {
            try encoded(Box(v: Writing { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                var inner = container.nestedContainer(keyedBy: AnyKey.self, forKey: "inner")
                try inner.encode(Double.nan, forKey: "x")
            }))
        }),
        ("v.list.Index 1", Attempt("nested unkeyed") {
            try encoded(Box(v: Writing { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                var list = container.nestedUnkeyedContainer(forKey: "list")
                try list.encode(1)
                try list.encode(UInt64.max)
            }))
        }),
        ("v.super.x", Attempt("super encoder") {
            try encoded(Box(v: Writing { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                var inner = container.superEncoder().container(keyedBy: AnyKey.self)
                try inner.encode(Double.nan, forKey: "x")
            }))
        }),
        ("v.list.Index 0.x", Attempt("super encoder in an array") {
            try encoded(Box(v: Writing { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                var list = container.nestedUnkeyedContainer(forKey: "list")
                var inner = list.superEncoder().container(keyedBy: AnyKey.self)
                try inner.encode(Double.nan, forKey: "x")
            }))
        }),
        ("v.list.Index 0.list.Index 0.x", Attempt("sentinel below arrays") {
            try encoded(Box(v: Writing { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                var list = container.nestedUnkeyedContainer(forKey: "list")
                var inner = list.nestedContainer(keyedBy: AnyKey.self)
                var innerList = inner.nestedUnkeyedContainer(forKey: "list")
                var last = innerList.nestedContainer(keyedBy: AnyKey.self)
                try last.encode(FieldValue.serverTimestamp(), forKey: "x")
            }))
        }),
    ]

    @Test(arguments: refusals)
    func `errors have the whole path, whatever the container`(path: String, attempt: Attempt) {
        #expect(attempt.summary == "invalidValue at \(path)")  // R18, R58, R93
    }

    @Test func `sentinels find their field through every container`() throws {
        let data = try encoded(Writing { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            var inner = container.nestedContainer(keyedBy: AnyKey.self, forKey: "in")
            let late = container.superEncoder(forKey: "late")
            try container.encode(FieldValue.increment(1.5), forKey: "top.dotted")
            try inner.encode(["deep": FirestoreTypeRuleTests.SentinelBox(v: .delete())], forKey: "map")
            var lateMap = late.container(keyedBy: AnyKey.self)
            try lateMap.encode(FieldValue.serverTimestamp(), forKey: "at")
            try lateMap.encode(1, forKey: "n")
            try container.encode(FieldValue.serverTimestamp(), forKey: "replaced")
            try container.encode(2, forKey: "replaced")
        })
        let text = fieldText(data)  // R31, R34, R51, R55
        #expect(text == "{in: {map: {deep: {v: FieldValue(<FieldValue: delete>)}}}, late: {at: FieldValue(<FieldValue: serverTimestamp>), n: 1}, replaced: 2, top.dotted: FieldValue(<FieldValue: increment>)}")
    }

    // MARK: What outlives its call

    @Test func `a decoder that outlives its call can still be read from`() async throws {
        let document = Scratch.firestore().document("kept/k")
        try await document.setData(["list": ["a", "b"], "map": ["k": ["deep": "value"]]])
        var kept: [any Decoder] = []
        func keep(_ decoder: any Decoder) { kept.append(decoder) }
        struct Keeper: Decodable {
            // Set before the one decoding that reads it, by this test alone.
            nonisolated(unsafe) static var keep: ((any Decoder) -> Void)?
            init(from decoder: any Decoder) throws {
                Self.keep?(decoder)
                Self.keep?(try decoder.container(keyedBy: AnyKey.self).superDecoder(forKey: "map"))
            }
        }
        Keeper.keep = keep
        _ = try await document.getDocument().data(as: Keeper.self)
        Keeper.keep = nil
        try await document.setData(["list": ["c"]])
        #expect(try [String: [String: String]](from: kept[1]) == ["k": ["deep": "value"]])
        #expect(try kept[0].container(keyedBy: AnyKey.self).decode([String].self, forKey: "list") == ["a", "b"])
    }

    @Test func `an encoder that outlives its call changes nothing`() throws {
        var kept: [any Encoder] = []
        let value = Writing { encoder in
            kept.append(encoder)
            var container = encoder.container(keyedBy: AnyKey.self)
            kept.append(container.superEncoder())
            try container.encode(1, forKey: "a")
        }
        let data = try encoded(value)
        #expect(fieldText(data) == "{a: 1, super: {}}")
        for encoder in kept {
            var container = encoder.container(keyedBy: AnyKey.self)
            try? container.encode(2, forKey: "late")
            try? container.encode([1, 2], forKey: "later")
        }
        #expect(fieldText(data) == "{a: 1, super: {}}")
    }

    // MARK: Documents and dictionaries through key strategies

    @Test func `a stored document's own keys are exempt when it is read as a dictionary`() async throws {
        struct Item: Codable, Equatable { var oneTwo = 1 }
        struct Wrapped: Codable, Equatable {
            var items: [String: Item]
            init(_ items: [String: Item]) { self.items = items }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(items)
            }
            init(from decoder: any Decoder) throws { items = try decoder.singleValueContainer().decode([String: Item].self) }
        }
        let encoder = Firestore.Encoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let decoder = Firestore.Decoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let items = ["foo_bar": Item(), "bazQux": Item(oneTwo: 2)]
        let document = Scratch.firestore().document("strategies/s")
        for round in 0..<2 {
            if round == 0 { try document.setData(from: items, encoder: encoder) } else { try document.setData(from: Wrapped(items), encoder: encoder) }
            let snapshot = try await document.getDocument()
            #expect(fieldText(snapshot.data()) == "{bazQux: {one_two: 2}, foo_bar: {one_two: 1}}")  // R43, R67
            #expect(try snapshot.data(as: [String: Item].self, decoder: decoder) == items)
            #expect(try snapshot.data(as: Wrapped.self, decoder: decoder) == Wrapped(items))
            #expect(try snapshot.data(as: [String: Item]?.self, decoder: decoder) == items)
        }
    }
}
