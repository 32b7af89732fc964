// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import FirestoreTesting
import Foundation
import Testing

/// Models with versions, migrated in memory when they are read: MP-68.
@Suite struct VersionTests {
    let test: TestFirestore
    var db: Firestore { test.firestore }
    var ref: DocumentReference { db.document("cities/SF") }

    init() throws { test = try TestFirestore() }

    @Test func `an old document decodes as the current model, and stays as it is stored`() async throws {
        try await ref.setData(["pop": 5, "zip": "94", "unknown": 1])
        let snapshot = try await ref.getDocument()
        let city = try snapshot.data(as: VersionedCity.self, decoder: .migrating(VersionedCity.self))
        #expect(city == VersionedCity(population: 5, tags: [], address: .init(zip: "94")))
        let again = try await ref.getDocument()
        #expect(again.updateTime == snapshot.updateTime)
        #expect(again.data()?.keys.sorted() == ["pop", "unknown", "zip"])
        // Other ways to read take the same decoder.
        #expect(try await ref.getDocument(as: VersionedCity.self, decoder: .migrating(VersionedCity.self)) == city)
        let found = try await db.collection("cities").getDocuments().documents(as: VersionedCity.self, decoder: .migrating(VersionedCity.self))
        #expect(found.values == [city] && found.failures.isEmpty)
        #expect(try Firestore.Decoder.migrating(VersionedCity.self).decode(VersionedCity.self, from: ["pop": 5, "zip": "94"]) == city)
    }

    @Test(arguments: [0, 1, 2, 3]) func `each version begins at its step`(version: Int) async throws {
        var stored: [String: Any] = version == 0 ? ["pop": 5] : ["population": 5]
        if version > 0 { stored["schemaVersion"] = version }
        if version > 1 { stored["tags"] = ["a"] }
        try await ref.setData(stored)
        let city = try await ref.getDocument().data(as: VersionedCity.self, decoder: .migrating(VersionedCity.self))
        #expect(city == VersionedCity(population: 5, tags: version > 1 ? ["a"] : [], address: nil))
    }

    struct Tolerant: Codable, VersionedModel {
        var n: Int
        static let schemaVersion = 1
        static let migrations: [ModelMigration] = [.step(from: 0) { _ in }]
        static let versionField = "v"
        static let acceptsNewerVersions = true
    }

    @Test func `a document of a newer version is rejected, unless the model accepts it`() async throws {
        try await ref.setData(["population": 1, "tags": [], "schemaVersion": 4, "n": 1, "v": 9])
        let snapshot = try await ref.getDocument()
        let error = #expect(throws: FirestoreModelError.self) {
            try snapshot.data(as: VersionedCity.self, decoder: .migrating(VersionedCity.self))
        }
        guard case .newerVersion(document: "cities/SF", found: 4, known: 3)? = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect("\(try #require(error))".contains("cities/SF"))
        #expect(try snapshot.data(as: Tolerant.self, decoder: .migrating(Tolerant.self)).n == 1)
    }

    @Test(arguments: ["x", -1, 1.5, NSNull()] as [any Sendable]) func `an invalid version is named`(version: any Sendable) async throws {
        try await ref.setData(["schemaVersion": version])
        let snapshot = try await ref.getDocument()
        let error = #expect(throws: FirestoreModelError.self) {
            try snapshot.data(as: VersionedCity.self, decoder: .migrating(VersionedCity.self))
        }
        guard case .invalidVersion(document: "cities/SF", field: "schemaVersion")? = error else { return #expect(Bool(false), "\(error as Any)") }
    }

    struct Failing: Codable, VersionedModel {
        var n: Int
        static let schemaVersion = 2
        static let migrations: [ModelMigration] = [.step(from: 0) { _ in }, .step(from: 1) { $0.convert("n", to: .integer) }]
    }

    @Test func `a step that fails says which, and why`() async throws {
        try await ref.setData(["n": "many"])
        let snapshot = try await ref.getDocument()
        let error = #expect(throws: FirestoreModelError.self) { try snapshot.data(as: Failing.self, decoder: .migrating(Failing.self)) }
        guard case .migrationFailed(document: "cities/SF", from: 1, _)? = error else { return #expect(Bool(false), "\(error as Any)") }
        let text = "\(try #require(error))"
        #expect(text.contains("version 1 to 2") && text.contains("field n") && !text.contains("many"))
    }

    struct Gap: VersionedModel {
        static let schemaVersion = 2
        static let migrations: [ModelMigration] = [.step(from: 0) { _ in }, .step(from: 2) { _ in }]
    }

    struct Short: Codable, VersionedModel {
        static let schemaVersion = 2
        static let migrations: [ModelMigration] = [.step(from: 0) { _ in }]
    }

    struct Unversioned: VersionedModel {
        static let schemaVersion = 0
        static let migrations: [ModelMigration] = []
    }

    struct Reserved: VersionedModel {
        static let schemaVersion = 1
        static let migrations: [ModelMigration] = [.step(from: 0) { _ in }]
        static let versionField = "__version__"
    }

    @Test func `the steps of a model are checked`() async throws {
        try VersionedCity.verifyMigrations()
        try Tolerant.verifyMigrations()
        let wrong: [(any VersionedModel.Type, String)] = [(Gap.self, "instead of 1"), (Short.self, "version 1"), (Unversioned.self, "at least 1"), (Reserved.self, "versionField")]
        for (model, words) in wrong {
            let error = #expect(throws: FirestoreModelError.self) { try model.verifyMigrations() }
            #expect("\(try #require(error))".contains(words), "\(error as Any)")
        }
        // Coders say it as well.
        try await ref.setData(["n": 1])
        let snapshot = try await ref.getDocument()
        #expect(throws: FirestoreModelError.self) { try snapshot.data(as: [String: Int].self, decoder: .migrating(Short.self)) }
        #expect(throws: FirestoreModelError.self) { try ref.setData(from: ["n": 1], encoder: .versioned(Short.self)) }
    }

    @Test func `an encoder stores the current version`() async throws {
        let city = VersionedCity(population: 5, tags: [])
        try await ref.setData(from: city, encoder: .versioned(VersionedCity.self)).acknowledged
        #expect(try await ref.getDocument()["schemaVersion"] as? Int == 3)
        #expect(try Firestore.Encoder.versioned(VersionedCity.self).encode(city)["schemaVersion"] as? Int == 3)
        // One that the type has itself is the type's.
        try await ref.setData(from: ["schemaVersion": 2], encoder: .versioned(VersionedCity.self)).acknowledged
        #expect(try await ref.getDocument()["schemaVersion"] as? Int == 2)
        let batch = db.batch()
        try batch.setData(from: city, forDocument: ref, encoder: .versioned(VersionedCity.self))
        try await batch.commit()
        #expect(try await ref.getDocument()["schemaVersion"] as? Int == 3)
    }

    @Test func `an update of an old document writes it in its new form`() async throws {
        try await ref.setData(["pop": 5, "zip": "94", "unknown": 1])
        let (decoder, encoder) = (Firestore.Decoder.migrating(VersionedCity.self), Firestore.Encoder.versioned(VersionedCity.self))
        try await ref.update(as: VersionedCity.self, decoder: decoder, encoder: encoder) { $0.population += 1 }
        var data = try #require(try await ref.getDocument().data())
        #expect(data.keys.sorted() == ["address", "population", "schemaVersion", "tags", "unknown"])
        #expect(data["population"] as? Int == 6 && (data["address"] as? [String: String]) == ["zip": "94"])
        // A current one as always.
        try await ref.update(as: VersionedCity.self, decoder: decoder, encoder: encoder) { $0.tags = ["bay"] }
        data = try #require(try await ref.getDocument().data())
        #expect(data["tags"] as? [String] == ["bay"] && data["unknown"] as? Int == 1 && data["schemaVersion"] as? Int == 3)
    }

    struct Town: Codable, Equatable, FirestoreModel, VersionedModel {
        var population: Int
        static let schemaVersion = 1
        static let migrations: [ModelMigration] = [.step(from: 0) { $0.rename("pop", to: "population") }]

        struct Fields: Sendable {
            let population = ModelField<Town, Int, FieldKind.Required>(CodingKeys.population)
        }
        static let fields = Fields()
    }

    @Test func `typed collections of a model with versions migrate and store them`() async throws {
        let towns = db.collection("towns", of: Town.self)
        try await db.document("towns/a").setData(["pop": 5])
        #expect(try await towns.document("a").get() == Town(population: 5))
        #expect(try await towns.pipeline().execute().values == [Town(population: 5)])
        #expect(try await db.document("towns/a").getDocument()["pop"] as? Int == 5)
        try await towns.document("b").set(Town(population: 6))
        #expect(try await db.document("towns/b").getDocument()["schemaVersion"] as? Int == 1)
    }

    /// The form of a town without versions of its own; the coders of a collection have them.
    struct Hamlet: Codable, Equatable, FirestoreModel {
        var population: Int

        struct Fields: Sendable {
            let population = ModelField<Hamlet, Int, FieldKind.Required>(CodingKeys.population)
        }
        static let fields = Fields()
        static let streets = Subcollection<Hamlet, Street>("streets")
    }

    struct Street: Codable, Equatable, FirestoreModel {
        var pop: Int

        struct Fields: Sendable {
            let pop = ModelField<Street, Int, FieldKind.Required>(CodingKeys.pop)
        }
        static let fields = Fields()
    }

    @Test func `coders that migrate and store versions do so in typed collections as well`() async throws {
        let hamlets = TypedCollection<Hamlet>(db.collection("hamlets"), encoder: .versioned(Town.self), decoder: .migrating(Town.self))
        try await db.document("hamlets/a").setData(["pop": 5])
        #expect(try await hamlets.document("a").get() == Hamlet(population: 5))
        #expect(try await hamlets.get().values == [Hamlet(population: 5)])
        try await hamlets.document("b").set(Hamlet(population: 6))
        #expect(try await db.document("hamlets/b").getDocument()["schemaVersion"] as? Int == 1)
        // Documents below are of another model: they are neither migrated nor stamped.
        let streets = hamlets.document("a").collection(Hamlet.streets)
        try await streets.document("c").set(Street(pop: 7))
        #expect(try await streets.document("c").get() == Street(pop: 7))
        #expect(try await streets.document("c").reference.getDocument().data()?.keys.sorted() == ["pop"])
    }

    @Test func `the versions of the coders take precedence over those of the model`() async throws {
        // The decoder's steps end in the fields that the model's steps begin with.
        struct Older: VersionedModel {
            static let schemaVersion = 1
            static let versionField = "v"
            static let migrations: [ModelMigration] = [.step(from: 0) { $0.rename("people", to: "pop") }]
        }
        let towns = TypedCollection<Town>(db.collection("towns"), encoder: .versioned(Older.self), decoder: .migrating(Older.self))
        try await db.document("towns/a").setData(["people": 5])
        #expect(try await towns.document("a").get() == Town(population: 5))
        try await towns.document("b").set(Town(population: 6))
        let stored = try await db.document("towns/b").getDocument()
        #expect(stored["v"] as? Int == 1 && stored["schemaVersion"] as? Int == 1)
        // The model's own coders change nothing twice.
        let same = TypedCollection<Town>(db.collection("towns"), encoder: .versioned(Town.self), decoder: .migrating(Town.self))
        try await db.document("towns/c").setData(["pop": 5])
        #expect(try await same.document("c").get() == Town(population: 5))
    }

    @Test func `the steps preserve a field that a newer program has written already`() async throws {
        // An update of one field by name does not migrate the document.
        try await ref.setData(["pop": 5, "population": 6])
        #expect(try await ref.getDocument().data(as: VersionedCity.self, decoder: .migrating(VersionedCity.self)).population == 6)
    }
}
