// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import FirestoreTesting
import Foundation
import Testing

/// Reading with types: results, aggregates, listeners, pages, references (MP-43, MP-45, MP-52, MP-53).
struct TypedReadingTests {
    let db: Firestore
    let cities: TypedCollection<City>

    init() throws {
        db = try TestFirestore().firestore
        cities = db.collection("cities", of: City.self)
    }

    private func fill() async throws {
        for (name, population, country) in [("Bonn", 330_000, "DE"), ("Graz", 290_000, "AT"), ("Jena", 110_000, "DE")] {
            try await cities.document(name).set(.sample(name, population: population, country: country))
        }
    }

    @Test func `a query gives values in its order, and reports documents that do not fit`() async throws {
        try await fill()
        try await db.document("cities/broken").setData(["name": "Broken", "inhabitants": "many"])
        let page = try await cities.order(by: \.name).get()
        #expect(page.values.map(\.name) == ["Bonn", "Graz", "Jena"])
        #expect(page.values.map(\.id) == ["Bonn", "Graz", "Jena"])
        #expect(page.failures.map(\.document.documentID) == ["broken"])
        #expect(try await cities.where { $0.country == "DE" && $0.population > 200_000 }.get().values.map(\.name) == ["Bonn"])
    }

    @Test func `a document is read as its value, and as nil if it is missing`() async throws {
        let bonn = cities.document("bonn")
        #expect(try await bonn.get() == nil)
        var city = City.sample()
        try await bonn.set(city)
        let read = try #require(try await bonn.get())
        #expect(read.id == "bonn" && read.updatedAt != nil)
        (city.id, city.updatedAt) = (read.id, read.updatedAt)
        #expect(read == city)
        let added = try await cities.add(city)
        #expect(added.id.count == 20)
        #expect(try await added.get()?.name == "Bonn")
        try await added.delete()
        #expect(try await added.get() == nil)
        await #expect(throws: DecodingError.self) {
            try await db.document("cities/broken").setData(["name": 1])
            _ = try await cities.document("broken").get()
        }
    }

    // MP-45
    @Test func `aggregates have the type of their field`() async throws {
        #expect(try await cities.average(\.population) == nil)
        #expect(try await cities.sum(\.population) == 0)
        try await fill()
        let count: Int = try await cities.where { $0.country == "DE" }.count()
        let population: Int = try await cities.sum(\.population)
        let area: Double = try await cities.sum(\.area)
        let average: Double? = try await cities.average(\.population)
        #expect(count == 2 && population == 730_000 && abs(area - 423.3) < 1e-9 && average.map { abs($0 - 243_333.33) < 1 } == true)
        let (number, total, mean) = try await cities.aggregate(.count, .sum(\.population), .average(\.area))
        #expect(number == 3 && total == 730_000 && mean.map { abs($0 - 141.1) < 1e-9 } == true)
        try await db.document("cities/half").setData(["inhabitants": 0.5])
        await #expect { _ = try await cities.sum(\.population) } throws: { FirestoreErrorCode.outOfRange ~= $0 }
        try await db.document("cities/half").setData(["inhabitants": Int.max])
        await #expect { _ = try await cities.sum(\.population) } throws: { FirestoreErrorCode.outOfRange ~= $0 }
    }

    @Test func `snapshots show the result now and after every change`() async throws {
        try await fill()
        var names: [[String]] = []
        for try await result in cities.where(\.country == "DE").order(by: \.name).snapshots {
            names.append(result.values.map(\.name))
            if names.count == 2 { break }
            try await cities.document("Graz").update(\.country, to: "DE")
        }
        #expect(names == [["Bonn", "Jena"], ["Bonn", "Graz", "Jena"]])
    }

    @Test func `snapshots of a document show it missing, there and unreadable`() async throws {
        let bonn = cities.document("bonn")
        var states: [String] = []
        for try await state in bonn.snapshots {
            switch state {
            case .success(nil): states.append("missing")
            case .success(let city?): states.append(city.name)
            case .failure: states.append("unreadable")
            }
            switch states.count {
            case 1: try await bonn.set(.sample())
            case 2: try await bonn.reference.setData(["name": 1])
            default: break
            }
            if states.count == 3 { break }
        }
        #expect(states == ["missing", "Bonn", "unreadable"])
    }

    @Test(arguments: [(1, nil), (2, nil), (3, nil), (4, nil), (2, 3), (3, 3), (2, 1)] as [(Int, Int?)])
    func `pages give every document once, up to the limit`(size: Int, limit: Int?) async throws {
        try await fill()
        var query = cities.order(by: \.population)
        if let limit { query = query.limit(to: limit) }
        var pages: [[String]] = []
        for try await page in query.pages(of: size) { pages.append(page.values.map(\.name)) }
        #expect(pages.flatMap { $0 } == Array(["Jena", "Graz", "Bonn"].prefix(limit ?? 3)))
        #expect(pages.dropLast().allSatisfy { $0.count == size } && pages.allSatisfy { !$0.isEmpty && $0.count <= size })
    }

    @Test func `pages need a size and a beginning`() async {
        for query in [cities.pages(of: 0), cities.order(by: \.name).limit(toLast: 2).pages(of: 2)] {
            await #expect { for try await _ in query {} } throws: { FirestoreErrorCode.invalidArgument ~= $0 }
        }
    }

    @Test func `cursors start and end at documents`() async throws {
        try await fill()
        let graz = try await db.document("cities/Graz").getDocument()
        let sorted = cities.order(by: \.population)
        #expect(try await sorted.start(at: graz).get().values.map(\.name) == ["Graz", "Bonn"])
        #expect(try await sorted.start(after: graz).get().values.map(\.name) == ["Bonn"])
        #expect(try await sorted.end(at: graz).get().values.map(\.name) == ["Jena", "Graz"])
        #expect(try await sorted.end(before: graz).get().values.map(\.name) == ["Jena"])
    }

    // MP-52, MP-53
    @Test func `subcollections and references lead from model to model`() async throws {
        let bonn = cities.document("bonn")
        try await bonn.set(.sample())
        let landmarks = bonn.collection(City.landmarks)
        #expect(landmarks.reference.path == "cities/bonn/landmarks")
        try await landmarks.document("minster").set(Landmark(name: "Minster", city: ModelReference(bonn)))
        let found = try await landmarks.where { $0.city == ModelReference(bonn) }.get().values
        #expect(found.map(\.name) == ["Minster"])
        #expect(try await found.first?.city.get()?.name == "Bonn")
        #expect(found.first?.city.document == bonn && found.first?.city.id == "bonn")
        #expect(try await db.collectionGroup(City.landmarks).where { $0.name == "Minster" }.count() == 1)
        #expect(try await db.collectionGroup("landmarks", of: Landmark.self).count() == 1)
        // Stored as a plain reference.
        let stored = try await landmarks.document("minster").reference.getDocument()
        #expect(stored["city"] as? DocumentReference == db.document("cities/bonn"))
    }

    @Test func `the decoder of a collection reads what its encoder writes`() async throws {
        let encoder = Firestore.Encoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let decoder = Firestore.Decoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let snakes = db.collection("snakes", of: City.self, encoder: encoder, decoder: decoder)
        try await snakes.document("bonn").set(.sample())
        #expect(try await snakes.document("bonn").reference.getDocument()["updated_at"] is Timestamp)
        try await snakes.document("bonn").update(.serverTimestamp(\.updatedAt), .set(\.address.zip, to: "1"))
        #expect(try await snakes.get().values.map(\.address.zip) == ["1"])
        #expect(try await snakes.order(by: \.updatedAt).get().values.count == 1)
        #expect(try await snakes.document("bonn").collection(City.landmarks).order(by: \.name).get().values.isEmpty)
    }

    @Test func `typed and untyped forms are two views of one thing`() {
        let reference = db.collection("cities")
        #expect(TypedCollection<City>(reference) == cities && cities.reference == reference)
        #expect(TypedDocument<City>(reference.document("a")) == cities.document("a"))
        #expect(db.document("cities/a", of: City.self).reference == reference.document("a"))
        #expect(TypedQuery<City>(reference.limit(to: 1)).query == cities.limit(to: 1).query)
        #expect(Set([cities, cities]).count == 1 && Set([cities.document("a"), cities.document("b")]).count == 2)
        #expect(cities.document("a").path == "cities/a" && cities.document().id.count == 20)
        #expect("\(City.fields.address.zip) \(City.fields.population)" == "address.zip inhabitants")
    }
}
