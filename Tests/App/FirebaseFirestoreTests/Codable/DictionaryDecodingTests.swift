// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import FirestoreCoding
import FirestoreCore
import Foundation
import ModeSupport
import TestSupport
import Testing

/// Dictionaries in all the forms that Swift and Foundation have for them, decoded by `Firestore.Decoder`.
struct DictionaryDecodingTests {
    /// An object as an app may pass it, and the value that it represents.
    private struct Sample {
        let object: Any
        let value: Value
    }

    private struct Lot {
        var generator: SeededGenerator

        mutating func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

        mutating func sample(depth: Int) -> Sample {
            switch draw(depth > 0 ? 14 : 10) {
            case 0: return Sample(object: [NSNull() as Any, Int?.none as Any][draw(2)], value: .null)
            case 1:
                let flag = draw(2) == 0
                return Sample(object: [flag as Any, NSNumber(value: flag), Bool?.some(flag) as Any][draw(3)], value: .boolean(flag))
            case 2, 3: return integer()
            case 4: return double()
            case 5, 6: return text()
            case 7:
                let bytes = (0..<draw(20)).map { UInt8($0) }
                return Sample(object: [Data(bytes) as Any, NSData(data: Data(bytes))][draw(2)], value: .bytes(bytes))
            case 8:
                let time = TimestampValue(seconds: Int64(draw(1_000_000)), nanoseconds: Int32(draw(1_000_000_000)))
                return Sample(object: Timestamp(seconds: time.seconds, nanoseconds: time.nanoseconds), value: .timestamp(time))
            case 9:
                let place = GeoPointValue(latitude: Double(draw(90)), longitude: Double(draw(180)))
                return Sample(object: GeoPoint(latitude: place.latitude, longitude: place.longitude), value: .geoPoint(place))
            case 10, 11: return array(depth: depth - 1)
            default: return map(depth: depth - 1)
            }
        }

        private mutating func integer() -> Sample {
            let number = [draw(200) - 100, Int(truncatingIfNeeded: generator.next())][draw(2)]
            let objects: [Any] = [number, Int64(number), NSNumber(value: number), Int?.some(number) as Any]
            return Sample(object: objects[draw(objects.count)], value: .integer(Int64(number)))
        }

        private mutating func double() -> Sample {
            let number = [0.25, -0.0, .nan, .infinity, 3][draw(5)]
            return Sample(object: [number as Any, NSNumber(value: number), CGFloat(number)][draw(3)], value: .double(number))
        }

        private mutating func text() -> Sample {
            let text = (0..<draw(40)).map { _ in ["x", "é", "🌉"][draw(3)] }.joined()
            return Sample(object: [text as Any, NSString(string: text)][draw(2)], value: .string(text))
        }

        private mutating func array(depth: Int) -> Sample {
            let numbers = (0..<draw(5)).map { _ in draw(1_000) }
            switch draw(6) {
            case 0: return Sample(object: numbers, value: .array(numbers.map { .integer(Int64($0)) }))
            case 1: return Sample(object: numbers.map { Double($0) }, value: .array(numbers.map { .double(Double($0)) }))
            case 2: return Sample(object: numbers.map { "\($0)" }, value: .array(numbers.map { .string("\($0)") }))
            case 3: return Sample(object: numbers.map { ["n": $0] }, value: .array(numbers.map { .map(FieldMap([("n", .integer(Int64($0)))])) }))
            default:
                let elements = numbers.map { _ in sample(depth: depth) }
                let objects = elements.map(\.object)
                return Sample(object: [objects as Any, Optional(objects) as Any][draw(2)], value: .array(elements.map(\.value)))
            }
        }

        mutating func map(depth: Int) -> Sample {
            let names = ["a", "b", "title", "averyveryverylongname", "eightbyt", "eightbyte", "é", "_x", "", "__x__", "a.b"]
            let entries = names.shuffled(using: &generator).prefix(draw(names.count)).map { ($0, sample(depth: depth)) }
            let object = Dictionary(uniqueKeysWithValues: entries.map { ($0.0, $0.1.object) })
            return Sample(object: object, value: .map(FieldMap(entries.map { ($0.0, $0.1.value) })))
        }
    }

    @Test(arguments: 0..<40)
    func `a dictionary decodes to what the stored document decodes to`(seed: Int) throws {
        var lot = Lot(generator: SeededGenerator(seed: UInt64(seed)))
        for _ in 0..<20 {
            let sample = lot.map(depth: 4)
            let stored = ValueBytes(sample.value)
            let fromBytes = try DocumentDecoder.decode(FirestoreFields.self, from: stored)
            let fromObjects = try Firestore.Decoder().decode(FirestoreFields.self, from: sample.object)
            #expect(fromObjects == fromBytes)
            // Equal to the bit: NaN, the sign of zero, nanoseconds.
            #expect(ValueBytes(.map(try fromObjects.stored())) == stored)
        }
    }

    @Test func `collections of Foundation are arrays and maps`() throws {
        let data = NSDictionary(dictionary: ["a": NSArray(array: [1, "x", NSDictionary(dictionary: ["b": NSNull()])])])
        #expect(try Firestore.Decoder().decode(FirestoreFields.self, from: data) == ["a": [1, "x", ["b": .null]]])
    }

    private struct Unknown {}

    /// The text of the error.
    private func failure(_ data: [String: Any]) -> String {
        do {
            _ = try Firestore.Decoder().decode(FirestoreFields.self, from: data)
            return "no error"
        } catch DecodingError.dataCorrupted(let context) {
            return context.debugDescription
        } catch {
            return "\(error)"
        }
    }

    @Test func `what cannot be decoded is corrupted data that names its field`() throws {
        #expect(failure(["a": ["b": Unknown()]]).contains("values of type Unknown cannot be stored"))
        #expect(failure(["a": ["b": Unknown()]]).contains("field a.b"))
        #expect(failure(["a": [1, ["b": UInt64.max] as [String: Any]]]).contains("the integer 18446744073709551615 is above Int64.max"))
        #expect(failure(["a": [1, ["b": UInt64.max] as [String: Any]]]).contains("field a.b"))
        #expect(failure(["a": FieldValue.delete()]).contains("a FieldValue cannot be decoded"))
        var deep: [String: Any] = [:]
        for _ in 0..<22 { deep = ["d": deep] }
        #expect(failure(deep).contains("maps and arrays nest at most 20 levels deep"))
        #expect(failure(["d": Timestamp(seconds: .max, nanoseconds: 0)]).contains("field d"))
    }
}
