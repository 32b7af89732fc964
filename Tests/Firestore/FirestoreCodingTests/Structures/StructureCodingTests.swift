// SPDX-License-Identifier: Apache-2.0
import Foundation
import FirebaseSharedSwift
import FirestoreCoding
import Testing

@Suite struct StructureCodingTests {
    struct Sensor: Codable, Equatable {
        var name: String
        var grid: [[Int]]
        var reading: Double?
        var isOn: Bool
        var raw: Data
        var since: Date
    }

    /// A class that stays the object it is, where a resolver says so.
    final class Handle: Codable {}

    struct Holder: Codable {
        var handle: Handle
    }

    enum Handles: StructureCodingPassthroughTypeResolver {
        static func isPassthroughType<T>(_ t: T) -> Bool { t is Handle }
    }

    struct Silent: Encodable {
        func encode(to encoder: any Encoder) throws {}
    }

    @Test func `a structure holds plain objects, arrays of arrays among them, and reads back`() throws {
        let sensor = Sensor(
            name: "north", grid: [[1, 2], []], reading: nil, isOn: true, raw: Data([1, 2]),
            since: Date(timeIntervalSinceReferenceDate: 60))
        let structure = try FirebaseDataEncoder().encode(sensor)
        let map = try #require(structure as? [String: Any])
        #expect(map.keys.sorted() == ["grid", "isOn", "name", "raw", "since"])
        #expect(map["raw"] as? String == "AQI=")
        #expect(map["since"] as? Double == 60)
        #expect(map["grid"] as? [[Int]] == [[1, 2], []])
        #expect(try FirebaseDataDecoder().decode(Sensor.self, from: structure) == sensor)
    }

    @Test func `any top-level value will do, but something must be encoded`() throws {
        #expect(try FirebaseDataEncoder().encode(7) as? Int == 7)
        #expect(try FirebaseDataEncoder().encode(["a", "b"]) as? [String] == ["a", "b"])
        #expect(throws: EncodingError.self) { try FirebaseDataEncoder().encode(Silent()) }
        #expect(try FirebaseDataDecoder().decode([Int].self, from: [1, 2.0]) == [1, 2])
        #expect(throws: DecodingError.self) { try FirebaseDataDecoder().decode(Int.self, from: NSNull()) }
        #expect(throws: DecodingError.self) { try FirebaseDataDecoder().decode(Int.self, from: true) }
    }

    @Test func `strategies have effect`() throws {
        let encoder = FirebaseDataEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dataEncodingStrategy = .blob
        encoder.dateEncodingStrategy = .timestamp
        let sensor = Sensor(
            name: "n", grid: [], reading: 1.5, isOn: false, raw: Data([9]), since: Date(timeIntervalSince1970: 3))
        let structure = try encoder.encode(sensor)
        let map = try #require(structure as? [String: Any])
        #expect(map["is_on"] as? Bool == false)
        #expect(map["raw"] as? Data == Data([9]))
        #expect((map["since"] as? [String: Any])?["seconds"] as? Int == 3)
        let decoder = FirebaseDataDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dataDecodingStrategy = .blob
        decoder.dateDecodingStrategy = .timestamp
        #expect(try decoder.decode(Sensor.self, from: structure) == sensor)
    }

    @Test func `an object that a resolver names passes through as itself`() throws {
        let handle = Handle()
        let encoder = FirebaseDataEncoder()
        encoder.passthroughTypeResolver = Handles.self
        let structure = try encoder.encode(Holder(handle: handle))
        #expect((structure as? [String: Any])?["handle"] as? Handle === handle)
        let decoder = FirebaseDataDecoder()
        decoder.passthroughTypeResolver = Handles.self
        #expect(try decoder.decode(Holder.self, from: structure).handle === handle)
        // Without a resolver it is a value that no decoder knows.
        #expect(throws: DecodingError.self) { try FirebaseDataDecoder().decode(Sensor.self, from: ["name": handle]) }
    }

    @Test func `an unsigned number above Int64 max stays a number`() throws {
        #expect(try FirebaseDataEncoder().encode(UInt64.max) as? UInt64 == .max)
    }

    struct RemoteValue: FirebaseRemoteConfigValueDecoding {
        var text = ""
        var map: [String: AnyHashable]?
        func numberValue() -> NSNumber { 0 }
        func boolValue() -> Bool { false }
        func stringValue() -> String { text }
        func dataValue() -> Data { Data(text.utf8) }
        func arrayValue() -> [AnyHashable]? { nil }
        func dictionaryValue() -> [String: AnyHashable]? { map }
    }

    @Test func `a value of Remote Config is read by its content`() throws {
        let decoder = FirebaseDataDecoder()
        #expect(try decoder.decode([String: String].self, from: ["greeting": RemoteValue(text: "hi")]) == ["greeting": "hi"])
        #expect(try decoder.decode([String: [Int]].self, from: RemoteValue(map: ["a": [1, 2]])) == ["a": [1, 2]])
    }

    @Test func `an Int8 is a number, not a truth value`() throws {
        #expect(try FirebaseDataDecoder().decode([Int].self, from: [NSNumber(value: Int8(1)), NSNumber(value: 2)]) == [1, 2])
        #expect(try FirebaseDataDecoder().decode([Bool].self, from: [NSNumber(value: true)]) == [true])
    }

    @Test func `names and nesting that documents do not allow are legal in a structure`() throws {
        let structure = try FirebaseDataEncoder().encode(["__x__": ["": [[1], []]]])
        #expect(try FirebaseDataDecoder().decode([String: [String: [[Int]]]].self, from: structure) == ["__x__": ["": [[1], []]]])
    }
}
