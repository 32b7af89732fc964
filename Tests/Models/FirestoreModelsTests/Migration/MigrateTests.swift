// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import FirestoreModels
import FirestoreTesting
import Foundation
import TestSupport
import Testing

/// Rewriting a collection from a program: MP-69.
@Suite struct MigrateTests {
    let test: TestFirestore
    var db: Firestore { test.firestore }
    var cities: CollectionReference { db.collection("cities") }

    init() throws { test = try TestFirestore() }

    /// Old documents, without a version.
    private func fill(_ count: Int, in collection: CollectionReference? = nil) async throws {
        let batch = db.batch()
        for number in 0..<count {
            batch.setData(["pop": number, "x": "kept"], forDocument: (collection ?? cities).document("city-\(1_000 + number)"))
        }
        try await batch.commit()
    }

    private func versions(of query: Query? = nil) async throws -> [Int?] {
        try await (query ?? cities).getDocuments().documents.map { $0["schemaVersion"] as? Int }
    }

    @Test func `every document is migrated, and a second run finds nothing`() async throws {
        try await fill(1_200)
        let report = try await cities.migrate(as: VersionedCity.self)
        #expect(report.documentCount == 1_200 && report.migratedCount == 1_200 && report.failures.isEmpty && report.conflictCount == 0)
        #expect(report.steps.map(\.documentCount) == [1_200, 1_200, 1_200])
        #expect(report.steps.map(\.name) == ["version 0 to 1", "version 1 to 2", "version 2 to 3"])
        #expect(try await versions().allSatisfy { $0 == 3 })
        let one = try await cities.document("city-1007").getDocument()
        #expect(one.data()?.keys.sorted() == ["population", "schemaVersion", "tags", "x"] && one["population"] as? Int == 7)
        let again = try await cities.migrate(as: VersionedCity.self)
        #expect(again.documentCount == 1_200 && again.migratedCount == 0)
        #expect(try await cities.document("city-1007").getDocument().updateTime == one.updateTime)
    }

    @Test func `groups and filters select documents`() async throws {
        try await fill(3, in: db.collection("countries/us/cities"))
        try await fill(2)
        try await cities.document("city-1000").updateData(["x": "other"])
        #expect(try await cities.whereField("x", isEqualTo: "other").migrate(as: VersionedCity.self).migratedCount == 1)
        #expect(try await versions() == [3, nil])
        #expect(try await db.collectionGroup("cities").migrate(as: VersionedCity.self).migratedCount == 4)
        #expect(try await versions(of: db.collectionGroup("cities")).allSatisfy { $0 == 3 })
    }

    @Test func `queries that have no pages by name are rejected`() async throws {
        let refused: [Query] = [
            cities.order(by: "pop"), cities.limit(to: 3), cities.whereField("pop", isGreaterThan: 1), cities.order(by: FieldPath.documentID(), descending: true),
        ]
        for query in refused {
            let error = await #expect(throws: FirestoreErrorCode.self) { try await query.migrate(as: VersionedCity.self) }
            #expect(error?.code == .invalidArgument)
        }
        await #expect(throws: FirestoreModelError.self) { try await cities.migrate(as: VersionTests.Short.self) }
    }

    @Test func `a dry run counts, shows and decodes, and writes nothing`() async throws {
        try await fill(8)
        try await cities.document("broken").setData(["pop": "many"])
        let before = try await cities.getDocuments().documents.map(\.updateTime)
        let report = try await cities.migrate(as: VersionedCity.self, options: MigrationOptions(isDryRun: true))
        #expect(report.migratedCount == 9 && report.examples.count == 5 && report.failures.isEmpty)
        #expect(report.undecodable.map(\.reference.path) == ["cities/broken"])
        #expect(report.undecodable.first?.error is DecodingError)
        let example = try #require(report.examples.first { $0.reference.documentID == "city-1000" })
        #expect(example.before.names == ["pop", "x"] && example.after["population"] == 0)
        #expect(try await cities.getDocuments().documents.map(\.updateTime) == before)
    }

    @Test func `a document that cannot be migrated is reported, and stays`() async throws {
        try await fill(4)
        try await cities.document("newer").setData(["schemaVersion": 9])
        try await cities.document("broken").setData(["schemaVersion": 2, "zip": "1", "address": 5])
        let report = try await cities.migrate(as: VersionedCity.self)
        #expect(report.migratedCount == 4 && report.failureCount == 2)
        #expect(report.failures.map(\.reference.documentID).sorted() == ["broken", "newer"])
        #expect(report.failures.allSatisfy { $0.error is FirestoreModelError })
        #expect(try await cities.document("broken").getDocument()["address"] as? Int == 5)
        // A write that the database rejects is reported as well, and does not stop the others.
        try await fill(4, in: db.collection("towns"))
        let refused = try await db.collection("towns").migrate { fields in
            if case .integer(2)? = fields["pop"] { fields["big"] = .string(String(repeating: "x", count: 1 << 20)) }
            fields["seen"] = true
        }
        #expect(refused.failures.map(\.reference.documentID) == ["city-1002"])
        #expect(try await db.collection("towns").whereField("seen", isEqualTo: true).getDocuments().count == 3)
    }

    @Test func `a concurrent change of a document is preserved`() async throws {
        try await fill(600)
        let touched = Mutex(0)
        let report = try await cities.migrate { [cities] fields in
            // Another client changes documents that were read and are not written yet.
            if case .integer(let number)? = fields["pop"], number % 100 == 7, fields["others"] == nil {
                touched.withLock { $0 += 1 }
                cities.document("city-\(1_000 + number)").updateData(["others": 1], completion: nil)
            }
            fields.rename("pop", to: "population")
        }
        #expect(touched.withLock { $0 } == 6)
        #expect(report.conflictCount == 6 && report.failures.isEmpty)
        for number in 0..<600 {
            let city = try await cities.document("city-\(1_000 + number)").getDocument()
            #expect(city["population"] as? Int == number && city["pop"] == nil)
            #expect(city["others"] as? Int == (number % 100 == 7 ? 1 : nil))
        }
    }

    @Test func `documents deleted during a migration stay deleted, added ones are found`() async throws {
        try await fill(20)
        let isFirst = Mutex(true)
        let report = try await cities.migrate { [cities] fields in
            let first = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if first {
                cities.document("city-1005").delete(completion: nil)
                cities.document("aaa").setData(["pop": 99], completion: nil)
            }
            fields.rename("pop", to: "population")
        }
        #expect(report.failures.isEmpty)
        #expect(try await cities.document("aaa").getDocument()["population"] as? Int == 99)
        #expect(try await !cities.document("city-1005").getDocument().exists)
        #expect(try await cities.getDocuments().count == 20)
    }

    @Test func `a document that others change all the time is reported`() async throws {
        try await fill(2)
        let report = try await cities.migrate { [cities] fields in
            if case .integer(1)? = fields["pop"] {
                cities.document("city-1001").updateData(["others": FieldValue.increment(Int64(1))], completion: nil)
            }
            fields.rename("pop", to: "population")
        }
        #expect(report.failures.map(\.reference.documentID) == ["city-1001"])
        #expect((report.failures.first?.error as? FirestoreErrorCode)?.code == .aborted)
        #expect(try await cities.document("city-1000").getDocument()["population"] as? Int == 0)
    }

    @Test func `a checkpoint is resumed where it says, and goes at the end`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("checkpoint-\(UUID().uuidString)")
        let places = [MigrationCheckpointPlace.file(file), .document(db.document("migrations/cities"))]
        for (number, place) in places.enumerated() {
            let collection = db.collection("cities-\(number)")
            try await fill(1_000, in: collection)
            let seen = Mutex<[Int]>([])
            // The first run ends in the middle; what it has committed stays.
            let interrupted = Task {
                try await collection.migrate(
                    options: MigrationOptions(checkpoint: place, onProgress: { progress in
                        if progress.documentCount >= 500 { withUnsafeCurrentTask { $0?.cancel() } }
                    })) { $0.rename("pop", to: "population") }
            }
            let error = await #expect(throws: (any Error).self) { try await interrupted.value }
            #expect(error is CancellationError || (error as? FirestoreErrorCode)?.code == .cancelled)
            let left = try await collection.whereField("population", isGreaterThanOrEqualTo: 0).getDocuments().count
            #expect(left >= 500)
            // Not by accident: the checkpoint is named.
            let busy = await #expect(throws: FirestoreErrorCode.self) {
                try await collection.migrate(options: MigrationOptions(checkpoint: place)) { $0.rename("pop", to: "population") }
            }
            #expect(busy?.code == .failedPrecondition)
            let resumed = try await collection.migrate(
                options: MigrationOptions(checkpoint: place, resumes: true, onProgress: { progress in seen.withLock { $0.append(progress.documentCount) } })
            ) { $0.rename("pop", to: "population") }
            #expect(resumed.documentCount == 1_000 && resumed.failures.isEmpty)
            #expect(try #require(seen.withLock { $0.first }) > 500)
            #expect(try await collection.whereField("population", isGreaterThanOrEqualTo: 0).getDocuments().count == 1_000)
            // It is gone, and a run without one may say that it resumes.
            let again = try await collection.migrate(options: MigrationOptions(checkpoint: place, resumes: true)) { $0.rename("pop", to: "population") }
            #expect(again.migratedCount == 0)
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(try await !db.document("migrations/cities").getDocument().exists)
    }

    @Test func `a checkpoint of another migration is not followed`() async throws {
        try await fill(1)
        let checkpoint = db.document("migrations/other")
        try await checkpoint.setData(["checkpoint": #"{"fingerprint":"towns: x","pass":1,"read":0,"migrated":0,"migratedInPass":0,"steps":[]}"#])
        let options = MigrationOptions(checkpoint: .document(checkpoint), resumes: true)
        let error = await #expect(throws: FirestoreErrorCode.self) { try await cities.migrate(as: VersionedCity.self, options: options) }
        #expect(error?.code == .failedPrecondition)
        try await checkpoint.setData(["n": 1])
        let other = await #expect(throws: FirestoreErrorCode.self) { try await cities.migrate(as: VersionedCity.self, options: options) }
        #expect(other?.code == .failedPrecondition)
    }

    @Test func `a rate is a number above zero`() async throws {
        try await fill(3)
        #expect(try await cities.migrate(as: VersionedCity.self, options: MigrationOptions(writesPerSecond: 10_000)).migratedCount == 3)
        let error = await #expect(throws: FirestoreErrorCode.self) {
            try await cities.migrate(as: VersionedCity.self, options: MigrationOptions(writesPerSecond: 0))
        }
        #expect(error?.code == .invalidArgument)
    }
}
