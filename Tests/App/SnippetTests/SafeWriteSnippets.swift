// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import FirestoreTesting
import Foundation
import Testing

// snippet: mapping-versioned-model
struct Place: Codable, VersionedModel {
    var population: Int
    var tags: [String]

    static let schemaVersion = 2
    static let migrations: [ModelMigration] = [
        .step(from: 0) { $0.rename("pop", to: "population") },
        .step(from: 1) { $0.setDefault("tags", to: []) },
    ]
}
// end snippet

/// The code of the page about safe writes and versions.
@Suite struct SafeWriteSnippets {
    struct City: Codable {
        var name: String
        var population: Int
    }

    let test: TestFirestore
    var db: Firestore { test.firestore }
    var city: DocumentReference { db.document("cities/SF") }

    init() throws { test = try TestFirestore() }

    @Test func `an update sends only changed fields`() async throws {
        try await city.setData(["name": "SF", "population": 1, "unknown": true])
        // snippet: mapping-update-as
        try await city.update(as: City.self) { $0.population += 1 }
        // end snippet
        // snippet: mapping-snapshot-update
        let snapshot = try await city.getDocument()
        // … an editor shows it …
        do {
            try await snapshot.update(as: City.self) { $0.name = "San Francisco" }
        } catch let error as NSError where error.code == FirestoreErrorCode.failedPrecondition.rawValue {
            // Another user was faster: show their version.
        }
        // end snippet
        let data = try #require(try await city.getDocument().data())
        #expect(data["name"] as? String == "San Francisco" && data["population"] as? Int == 2 && data["unknown"] as? Bool == true)
    }

    @Test func `differences and conditions`() async throws {
        try await city.setData(["name": "SF", "population": 1])
        let snapshot = try await city.getDocument()
        let old = try snapshot.data(as: City.self)
        var changed = old
        changed.population = 2
        let new = changed
        do {
            // snippet: mapping-difference
            try city.updateData(from: old, to: new)
            try await city.updateData(from: old, to: new, precondition: snapshot.updateTime.map(Precondition.updatedAt)).acknowledged
            // end snippet
            Issue.record("the snapshot is out of date by then")
        } catch let error as FirestoreErrorCode {
            #expect(error.code == .failedPrecondition)
        }
        try await city.delete()
        // snippet: mapping-precondition
        try await city.setData(["name": "San Francisco"], precondition: .missing)
        if let time = try await city.getDocument().updateTime {
            try await city.delete(precondition: .updatedAt(time))
        }
        // end snippet
        #expect(try await !city.getDocument().exists)
    }

    @Test func `versions and migrations`() async throws {
        let ref = db.document("places/oslo")
        try await ref.setData(["pop": 5])
        // snippet: mapping-versioned-coders
        let place = try await ref.getDocument(as: Place.self, decoder: .migrating(Place.self))
        try ref.setData(from: place, encoder: .versioned(Place.self))
        // end snippet
        #expect(try await ref.getDocument()["schemaVersion"] as? Int == 2)
        try await ref.setData(["pop": 5])
        // snippet: mapping-migrate
        let report = try await db.collection("places").migrate(as: Place.self)
        for failure in report.failures { print(failure.reference.path, failure.error) }
        // end snippet
        #expect(report.migratedCount == 1)
        try await ref.setData(["population": "5"])
        // snippet: mapping-migrate-closure
        try await db.collection("places").migrate { $0.convert("population", to: .integer) }
        // end snippet
        #expect(try await ref.getDocument()["population"] as? Int == 5)
        try Place.verifyMigrations()
    }
}
