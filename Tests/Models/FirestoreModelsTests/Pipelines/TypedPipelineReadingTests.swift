// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import FirestoreTesting
import Foundation
import Testing

/// What typed pipelines give (PL-236).
struct TypedPipelineReadingTests {
    let test: TestFirestore
    let db: Firestore
    let cities: TypedCollection<City>

    init() throws {
        test = try TestFirestore(startingAt: Date(timeIntervalSinceNow: -1_800))
        db = test.firestore
        cities = db.collection("cities", of: City.self)
    }

    private func fill() async throws {
        for (name, population, country) in [("Bonn", 330_000, "DE"), ("Graz", 290_000, "AT"), ("Jena", 110_000, "DE")] {
            try await cities.document(name).set(.sample(name, population: population, country: country))
        }
    }

    @Test func `documents are values, and those that do not fit are failures`() async throws {
        try await fill()
        try await db.document("cities/broken").setData(["country": "DE", "inhabitants": "many"])
        let found = try await cities.pipeline().where { $0.country == "DE" }.sort(by: \.population).execute()
        #expect(found.map(\.id) == ["Jena", "Bonn"] && found.map(\.name) == ["Jena", "Bonn"])
        #expect(found.failures.map(\.result.id) == ["broken"])

        var ids: [String] = []
        for try await city in cities.pipeline().where({ $0.country == "DE" }).sort(by: \.population).results() {
            ids.append((try? city.get())?.id ?? "failed")
        }
        #expect(ids == ["Jena", "Bonn", "failed"])
    }

    // PT-232
    @Test func `a comparison finds the documents that a query finds`() async throws {
        let values: [(String, Any)] = [("three", 3), ("four", 4), ("null", NSNull()), ("text", "3"), ("double", 3.0)]
        for (id, value) in values { try await db.document("cities/\(id)").setData(["inhabitants": value]) }
        try await db.document("cities/missing").setData([:])
        let found = try await cities.pipeline().where { $0.population != 3 }.pipeline.execute().results
        #expect(found.map(\.id) == ["four", "text"])
        #expect(try await cities.where { $0.population != 3 }.query.getDocuments().documents.map(\.documentID).sorted() == ["four", "text"])
    }

    @Test func `groups have the stored names`() async throws {
        struct Country: Codable, Equatable {
            var country: String
            var people: Int
        }
        try await fill()
        let countries = try await cities.pipeline()
            .aggregate([cities.field(\.population).sum().as("people")], groups: [cities.field(\.country)])
            .execute().results(as: Country.self)
        #expect(countries.values == [Country(country: "AT", people: 290_000), Country(country: "DE", people: 440_000)])
    }

    @Test func `limits of queries do not apply`() async throws {
        try await fill()
        let names = (0..<40).map { "\($0)" } + ["Graz"]
        #expect(try await cities.pipeline().where { $0.name.isIn(names) && $0.name.isNotIn(["a"]) }.execute().map(\.id) == ["Graz"])
    }

    @Test func `the past, a transaction and an explanation`() async throws {
        try await fill()
        let german = cities.pipeline().where { $0.country == "DE" }
        test.clock.advance(by: .seconds(600))
        let before = Timestamp(seconds: Int64(test.clock.now.timeIntervalSince1970) - 300, nanoseconds: 0)
        try await cities.document("Jena").delete()
        #expect(try await german.execute(at: before).map(\.id) == ["Bonn", "Jena"])
        let document = db.document("totals/german")
        try await db.runTransaction { transaction, errorPointer in
            do {
                transaction.setData(["cities": try transaction.execute(german).count], forDocument: document)
            } catch {
                errorPointer?.pointee = error as NSError
            }
            return nil
        }
        #expect(try await document.getDocument()["cities"] as? Int == 1)
        #expect(try await german.explain(analyze: false).text.contains("where"))
    }

    @Test func `the decoder of a collection reads what its encoder writes`() async throws {
        let encoder = Firestore.Encoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let decoder = Firestore.Decoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let snakes = db.collection("snakes", of: City.self, encoder: encoder, decoder: decoder)
        try await snakes.document("bonn").set(.sample())
        #expect(try await snakes.pipeline().sort(by: \.updatedAt).execute().map(\.updatedAt).count == 1)
        for try await city in snakes.pipeline().results() { #expect(try city.get().updatedAt != nil) }
    }
}
