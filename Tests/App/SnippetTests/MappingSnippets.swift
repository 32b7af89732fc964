// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreTesting
import Foundation
import Testing

/// The code of the article "Map documents to your types".
@Suite struct MappingSnippets {
    // snippet: mapping-type
    struct Hut: Codable {
        enum Status: String, Codable {
            case open, closed
            case underRepair = "under repair"
        }

        @DocumentID var id: String?
        var name: String
        var location: GeoPoint
        var beds: Int
        var status: Status
        var amenities: [String]
        var phone: String?
        @ExplicitNull var warden: String?
        @ServerTimestamp var updatedAt: Date?
    }
    // end snippet

    // snippet: mapping-keys
    struct SensorReading: Codable {
        @DocumentID var id: String?
        var sensor: String
        var celsius: Double

        enum CodingKeys: String, CodingKey {
            case sensor = "sensor_id"
            case celsius = "temp_c"
        }
    }
    // end snippet

    // snippet: mapping-part
    struct Reopening: Codable {
        var status: Hut.Status
        @ServerTimestamp var updatedAt: Date?
    }
    // end snippet

    @Test func `a value becomes a document and comes back`() async throws {
        let db = try TestFirestore().firestore
        let huts = db.collection("huts")
        // snippet: mapping-write
        let hut = Hut(
            name: "Stone Hut", location: GeoPoint(latitude: 47.42, longitude: 10.98), beds: 24, status: .underRepair,
            amenities: ["shower"])
        try await huts.document("stone").setData(from: hut).acknowledged
        // end snippet
        let fields = try await huts.document("stone").getDocument().data()
        #expect(fields?.keys.sorted() == ["amenities", "beds", "location", "name", "status", "updatedAt", "warden"])
        #expect(fields?["status"] as? String == "under repair")

        // snippet: mapping-read
        let stored = try await huts.document("stone").getDocument(as: Hut.self)
        print(stored.id ?? "", stored.updatedAt ?? .distantPast)

        let missing = try await huts.document("nowhere").getDocument(as: Hut?.self)
        print(missing?.name ?? "the hut does not exist")
        // end snippet
        #expect(stored.id == "stone" && stored.beds == 24 && stored.warden == nil && missing == nil)

        // snippet: mapping-update
        try await huts.document("stone").updateData(from: Reopening(status: .open)).acknowledged
        // end snippet

        // snippet: mapping-merge
        var changed = stored
        changed.beds = 28
        try await huts.document("stone").setData(from: changed, mergeFields: ["beds"]).acknowledged
        // end snippet
        let last = try await huts.document("stone").getDocument(as: Hut.self)
        #expect(last.status == .open && last.beds == 28 && last.name == "Stone Hut")
    }

    @Test func `a document that does not decode does not hide the others`() async throws {
        let db = try TestFirestore().firestore
        let huts = db.collection("huts")
        try await huts.document("broken").setData(["name": 7])
        // snippet: mapping-many
        let result = try await huts.getDocuments().documents(as: Hut.self)
        print(result.values.map(\.name))
        for failure in result.failures {
            print(failure.document.documentID, failure.error)
        }
        // end snippet
        #expect(result.values.isEmpty && result.failures.map(\.document.documentID) == ["broken"])
    }

    @Test func `fields have names of their own`() async throws {
        let db = try TestFirestore().firestore
        let readings = db.collection("readings")
        try await readings.document("m1").setData(from: SensorReading(sensor: "a", celsius: 4.5)).acknowledged
        #expect(try await readings.document("m1").getDocument()["temp_c"] as? Double == 4.5)
        #expect(try await readings.document("m1").getDocument(as: SensorReading.self).id == "m1")

        let trail = Trail(name: "Ridge Walk", region: "Alps", kilometers: 11.5)
        let ridge = db.document("trails/ridge")
        // snippet: mapping-strategies
        let encoder = Firestore.Encoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let decoder = Firestore.Decoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase

        try await ridge.setData(from: trail, encoder: encoder).acknowledged
        let stored = try await ridge.getDocument(as: Trail.self, decoder: decoder)
        print(stored.addedAt ?? .distantPast)
        // end snippet
        #expect(try await ridge.getDocument()["added_at"] is Timestamp)
        #expect(stored.addedAt != nil)
    }
}
