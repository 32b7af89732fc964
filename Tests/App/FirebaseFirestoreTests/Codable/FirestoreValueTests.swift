// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Values of any type, exact in both directions.
struct FirestoreValueTests {
    struct Setting: Codable, Hashable {
        var value: FirestoreValue
    }

    private static func values(in db: Firestore) -> [FirestoreValue] {
        [
            .null, true, false, 0, 3, .integer(.min), .integer(.max), 3.0, .double(-0.0), .double(.nan), .double(-.infinity), 0.1,
            .timestamp(Timestamp(seconds: -5, nanoseconds: 1000)), "", "köln", "ko\u{308}ln", .bytes(Data([0, 255])),
            .reference(db.document("authors/a")), .geoPoint(GeoPoint(latitude: -0.0, longitude: 180)),
            .vector(VectorValue([1, 0.5])), .vector(VectorValue([])), [], [1, "a", .null, ["b": [2]]], [:],
            ["seconds": 1, "nanoseconds": 0], ["a.b": 1, "é": 2],
        ]
    }

    /// MP-19, MP-98
    @Test func `every stored type comes back unchanged`() async throws {
        let db = Scratch.firestore()
        for (number, value) in Self.values(in: db).enumerated() {
            let reference = db.collection("settings").document("s\(number)")
            try reference.setData(from: Setting(value: value))
            let read = try await reference.getDocument(as: Setting.self)
            #expect(read.value == value, "\(value)")
        }
    }

    @Test func `strategies do not change a value`() throws {
        let db = Scratch.firestore()
        let encoder = Firestore.Encoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.dataEncodingStrategy = .base64
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let decoder = Firestore.Decoder()
        decoder.dateDecodingStrategy = .iso8601
        decoder.dataDecodingStrategy = .base64
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        for value in Self.values(in: db) + [["homeTown": 1, "home_town": ["innerKey": 2]]] {
            let data = try encoder.encode(Setting(value: value))
            #expect(try decoder.decode(Setting.self, from: data, in: db.document("a/b")).value == value, "\(value)")
        }
        let stored = try encoder.encode(Setting(value: ["homeTown": .bytes(Data([1]))]))
        #expect((stored["value"] as? [String: Any])?["homeTown"] as? Data == Data([1]))
    }

    @Test func `a whole document is a map of fields`() async throws {
        let db = Scratch.firestore()
        let fields: FirestoreFields = ["b": 1, "a": [true], "c": ["x": .null], "n": .double(.nan), "é": 1, "e\u{301}": 2]
        try db.document("maps/m").setData(from: fields)
        let read = try await db.document("maps/m").getDocument(as: FirestoreFields.self)
        #expect(read == fields)
        #expect(read.names == ["a", "b", "c", "e\u{301}", "n", "é"])
        #expect(read.map(\.value) == [[true], 1, ["x": .null], 2, .double(.nan), 1])
    }

    @Test func `a missing field is an error that names it`() async throws {
        let db = Scratch.firestore()
        try await db.document("settings/s").setData(["other": 1])
        await #expect(throws: DecodingError.self) { try await db.document("settings/s").getDocument(as: Setting.self) }
        #expect(try Firestore.Decoder().decode([String: FirestoreValue?].self, from: ["a": NSNull()])["a"] == .some(nil))
    }

    @Test func `an array in an array is rejected with its path`() {
        let error = #expect(throws: EncodingError.self) { try Firestore.Encoder().encode(Setting(value: [1, [2]])) }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.codingPath.first?.stringValue == "value", "\(context)")
    }

    @Test func `other coders read and write the types that they can express`() throws {
        let json = Data(#"{"value":{"a":[1,2.5,true,null,"x",{"b":{}}]}}"#.utf8)
        let setting = try JSONDecoder().decode(Setting.self, from: json)
        #expect(setting.value == ["a": [1, 2.5, true, .null, "x", ["b": [:]]]])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try encoder.encode(setting) == json)
        #expect(throws: (any Error).self) {
            try encoder.encode(Setting(value: .reference(Scratch.firestore().document("a/b"))))
        }
    }

    @Test func `values are equal if their stored forms are`() {
        #expect(FirestoreValue.integer(3) != .double(3))
        #expect(FirestoreValue.double(0) != .double(-0.0))
        #expect(FirestoreValue.double(.nan) == .double(-.nan))
        #expect(FirestoreValue.string("é") != .string("e\u{301}"))
        #expect(Set<FirestoreValue>([.double(.nan), .double(.nan), 1, 1.0, "é", "e\u{301}"]).count == 5)
        #expect(FirestoreValue.vector(VectorValue([.nan])) == .vector(VectorValue([.nan])))
    }

    @Test func `fields are found by the bytes of their names`() {
        var fields: FirestoreFields = ["b": 1, "a": 2]
        fields["é"] = 3
        fields["e\u{301}"] = 4
        #expect(fields["é"] == 3 && fields["e\u{301}"] == 4 && fields.count == 4)
        fields["é"] = nil
        #expect(fields["é"] == nil && fields["e\u{301}"] == 4)
        #expect("\(fields)" == "{a: 2, b: 1, e\u{301}: 4}")
    }
}
