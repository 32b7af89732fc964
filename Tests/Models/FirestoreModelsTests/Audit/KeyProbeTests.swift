// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCoding
import Foundation
import Testing

/// The keys that types ask for, without data (MP-35).
@Suite struct KeyProbeTests {
    struct City: Codable {
        enum Status: String, Codable { case open, closed }
        struct Address: Codable {
            var zip: String
            var box: Int?
        }

        @DocumentID var id: String?
        var name: String
        var population: Int
        var status: Status
        var address: Address?
        var tags: [Address]
        var names: [String: String]
        @ExplicitNull var nick: String?
        @ServerTimestamp var at: Date?
        var place: GeoPoint
        var founded: Date

        enum CodingKeys: String, CodingKey {
            case id, name, status, address, tags, names, nick, at, place, founded
            case population = "inhabitants"
        }
    }

    private static func texts(_ result: KeyProbe.Result) -> [String] {
        result.keys.map { "\(ProbedKey.text($0.path)): \($0.type) \($0.presence)" }
    }

    @Test func `names come from CodingKeys, nested ones too`() {
        let result = KeyProbe.keys(of: City.self)
        #expect(result.limit == nil)
        #expect(
            Self.texts(result) == [
                "id: DocumentID<String> identity", "name: String required", "status: Status required",
                "address: Address ifPresent", "address.zip: String required", "address.box: Int ifPresent",
                "tags: Array<Address> required", "tags[].zip: String required", "tags[].box: Int ifPresent",
                "names: Dictionary<String, String> required", "names{}: String required", "nick: ExplicitNull<String> missingAccepted",
                "at: ServerTimestamp<Date> missingAccepted", "place: GeoPoint required", "founded: Date required", "inhabitants: Int required",
            ])
    }

    struct Person: Codable {
        final class Node: Codable {
            var name: String
            var next: Node?
        }
        enum Shape: Codable {
            case circle(radius: Double)
            case square(side: Double)
        }
        var node: Node
        var shape: Shape
        var scores: [Int: Double]
    }

    @Test func `recursive types end, an enum with payloads shows its first case`() {
        let result = KeyProbe.keys(of: Person.self)
        #expect(
            Self.texts(result) == [
                "node: Node required", "node.name: String required", "node.next: Node ifPresent", "shape: Shape required",
                "shape.circle: Dictionary<String, Any> required", "shape.circle.radius: Double required",
                "scores: Dictionary<Int, Double> required", "scores{}: Double required",
            ])
        #expect(result.limit == nil)
    }

    struct Strict: Decodable {
        var first: String
        var percent: Percent
        var never: Never
        var last: String

        struct Percent: Decodable {
            init(from decoder: any Decoder) throws {
                guard try decoder.singleValueContainer().decode(Int.self) > 0 else { throw CocoaError(.coderInvalidValue) }
            }
        }
        struct Never: Decodable {
            init(from decoder: any Decoder) throws { throw CocoaError(.coderInvalidValue) }
        }
    }

    @Test func `a type that rejects all stand-ins ends the probe, and is reported`() {
        let result = KeyProbe.keys(of: Strict.self)
        #expect(Self.texts(result) == ["first: String required", "percent: Percent required", "never: Never required"])
        #expect(result.limit == "never: no value of Never can be made without data")
        #expect(result.stop == result.limit)
    }

    struct Wise: Decodable {
        var year: Int
        var text: String
        enum CodingKeys: CodingKey { case year, text }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            year = try container.decode(Int.self, forKey: .year)
            guard year > 1_900 else { throw CocoaError(.coderInvalidValue) }
            text = try container.decode(String.self, forKey: .text)
        }
    }

    @Test func `a type with rules is decoded again with other values, and its keys are listed once`() {
        let result = KeyProbe.keys(of: Wise.self)
        #expect(Self.texts(result) == ["year: Int required", "text: String required"])
        #expect(result.limit == nil)
    }

    struct Letter: Codable {
        var author: DocumentReference
        var text: String
    }

    @Test func `references need a reference as their stand-in`() {
        #expect(KeyProbe.keys(of: Letter.self).limit != nil)
        let reference = Firestore.firestore().document("a/b")
        let result = KeyProbe.keys(of: Letter.self) { $0 == DocumentReference.self ? reference : nil }
        #expect(Self.texts(result) == ["author: DocumentReference required", "text: String required"])
        #expect(result.limit == nil)
    }
}
