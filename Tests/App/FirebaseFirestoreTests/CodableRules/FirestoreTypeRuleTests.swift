// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// The types of Firestore itself (R31 … R35).
@Suite struct FirestoreTypeRuleTests {
    let db = Scratch.firestore()

    struct Place: Codable {
        var point: GeoPoint
        var time: Timestamp
        var vector: VectorValue
        var reference: DocumentReference
        var points: [GeoPoint]
        var times: [String: Timestamp]
        var maybe: GeoPoint?
        var nested: Box<DocumentReference>
    }

    @Test func `native types pass through at any position`() throws {
        // R31
        let (point, time) = (GeoPoint(latitude: 1, longitude: 2), Timestamp(seconds: 3, nanoseconds: 4_000))
        let (vector, reference) = (VectorValue([5, 6.5]), db.document("a/b"))
        let place = Place(
            point: point, time: time, vector: vector, reference: reference, points: [point], times: ["t": time], maybe: point,
            nested: Box(v: reference))
        let data = try encoded(place)
        let expected: [String: Any] = [
            "point": point, "time": time, "vector": vector, "reference": reference, "points": [point], "times": ["t": time],
            "maybe": point, "nested": ["v": reference],
        ]
        #expect(fieldText(data) == fieldText(expected))
        let read = try decoded(Place.self, from: expected)
        #expect(read.point == point && read.time == time && read.vector == vector && read.reference == reference)
        #expect(read.points == [point] && read.times == ["t": time] && read.maybe == point && read.nested.v == reference)
    }

    @Test func `a sentinel is the same object afterwards`() throws {
        // R31, R34
        let sentinel = FieldValue.arrayUnion([1])
        let data = try encoded(["a": ["b": sentinel]].mapValues { $0.mapValues { SentinelBox(v: $0) } })
        let inner = (data["a"] as? [String: Any])?["b"] as? [String: Any]
        #expect(inner?["v"] as? FieldValue === sentinel)
    }

    struct SentinelBox: Encodable { var v: FieldValue }

    @Test func `a map stands in for a point, a timestamp and a vector`() throws {
        // R32
        #expect(try decoded(property: GeoPoint.self, from: ["latitude": 1, "longitude": 2.5]) == GeoPoint(latitude: 1, longitude: 2.5))
        #expect(try decoded(property: Timestamp.self, from: ["seconds": 4, "nanoseconds": 0]) == Timestamp(seconds: 4, nanoseconds: 0))
        #expect(try decoded(property: VectorValue.self, from: ["array": [1, 2.5]]) == VectorValue([1, 2.5]))
        #expect(failure(property: GeoPoint.self, from: ["latitude": 1]) == "keyNotFound(longitude) at v")
        #expect(failure(property: GeoPoint.self, from: "1,2") == "typeMismatch at v")
        #expect(failure(property: Timestamp.self, from: 5) == "typeMismatch at v")
        #expect(failure(property: VectorValue.self, from: 5) == "typeMismatch at v")
        #expect(failure(property: GeoPoint.self, from: Timestamp(seconds: 1, nanoseconds: 0)) == "typeMismatch at v")
        #expect(failure(property: Timestamp.self, from: NSNull()) == "valueNotFound at v")
    }

    @Test func `numbers out of range are rejected, and do not crash the process`() async throws {
        // R32
        for data: [String: Any] in [
            ["v": ["latitude": 91, "longitude": 0]], ["v": ["latitude": 0, "longitude": Double.nan]],
        ] {
            guard let point = try? decoded(Box<GeoPoint>.self, from: data) else { continue }
            #expect(failureSummary { try encoded(point) } == "invalidValue at v")
        }
        for data: [String: Any] in [
            ["v": ["seconds": 0, "nanoseconds": 1_000_000_000]], ["v": ["seconds": Int64.max, "nanoseconds": 0]],
            ["v": ["seconds": 0, "nanoseconds": -1]],
        ] {
            guard let time = try? decoded(Box<Timestamp>.self, from: data) else { continue }
            #expect(failureSummary { try encoded(time) } == "invalidValue at v")
        }
    }

    @Test func `a reference is read only from a reference`() throws {
        // R33
        #expect(try decoded(property: DocumentReference.self, from: db.document("a/b")) == db.document("a/b"))
        for other: Any in ["a/b", ["path": "a/b"], 5, NSNull()] {
            #expect(failure(property: DocumentReference.self, from: other) == "decodingIsNotSupported")
        }
        struct Model: Codable { var r: DocumentReference? }
        #expect(try decoded(Model.self, from: ["r": NSNull()]).r == nil)
        #expect(try decoded(Model.self, from: [String: Any]()).r == nil)
        #expect(try encodedText(Model()) == "{}")
    }

    @Test func `a field value in a model is a transform`() async throws {
        // R34
        struct Bump: Encodable {
            var n = FieldValue.increment(Int64(2))
            var tags = FieldValue.arrayUnion(["x"])
            var at = ["time": FieldValue.serverTimestamp()].mapValues { SentinelBox(v: $0) }
            var kept = 1
        }
        #expect(try encoded(Bump())["n"] is FieldValue)
        let document = db.document("t/bump")
        try await document.setData(["n": 40, "tags": ["w"]])
        try document.setData(from: Bump(), merge: true)
        try await db.waitForPendingWrites()
        let snapshot = try await document.getDocument()
        #expect(snapshot["n"] as? Int == 42)
        #expect(snapshot["tags"] as? [String] == ["w", "x"])
        #expect(snapshot["at.time.v"] is Timestamp)
        #expect(snapshot["kept"] as? Int == 1)
    }

    // MARK: Other coders (R35)

    @Test func `points, timestamps and vectors have a keyed form for other coders`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        func json<Value: Encodable>(_ value: Value) throws -> String { String(decoding: try encoder.encode(value), as: UTF8.self) }
        #expect(try json(GeoPoint(latitude: 1.5, longitude: 2)) == #"{"latitude":1.5,"longitude":2}"#)  // R35
        #expect(try json(Timestamp(seconds: 1, nanoseconds: 2)) == #"{"nanoseconds":2,"seconds":1}"#)
        #expect(try json(VectorValue([1.5])) == #"{"array":[1.5]}"#)
        let decoder = JSONDecoder()
        #expect(try decoder.decode(GeoPoint.self, from: Data(#"{"latitude":1.5,"longitude":2}"#.utf8)) == GeoPoint(latitude: 1.5, longitude: 2))
        #expect(try decoder.decode(Timestamp.self, from: Data(#"{"nanoseconds":2,"seconds":1}"#.utf8)) == Timestamp(seconds: 1, nanoseconds: 2))
        #expect(try decoder.decode(VectorValue.self, from: Data(#"{"array":[1.5]}"#.utf8)) == VectorValue([1.5]))
    }

    @Test func `references and field values reject other coders`() throws {
        // R35
        #expect(failureSummary { try JSONEncoder().encode([db.document("a/b")]) } == "encodingIsNotSupported")
        #expect(failureSummary { try JSONEncoder().encode(SentinelBox(v: .delete())) } == "encodingIsNotSupported")
        #expect(failureSummary { try JSONDecoder().decode([DocumentReference].self, from: Data(#"["a/b"]"#.utf8)) } == "decodingIsNotSupported")
    }

    @Test func `a document id is a plain string in other coders`() throws {
        // R35, R75: the original throws, which keeps models out of tests, previews and caches.
        struct Book: Codable, Equatable {
            @DocumentID var id: String?
            var title = "x"
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(Book(id: "b1")), as: UTF8.self) == #"{"id":"b1","title":"x"}"#)
        #expect(try JSONDecoder().decode(Book.self, from: Data(#"{"id":"b1","title":"x"}"#.utf8)) == Book(id: "b1"))
        #expect(try JSONDecoder().decode(Book.self, from: Data(#"{"id":null,"title":"x"}"#.utf8)) == Book(id: nil))
        let round = try JSONDecoder().decode(Book.self, from: try JSONEncoder().encode(Book(id: nil)))
        #expect(round == Book(id: nil))
    }
}
