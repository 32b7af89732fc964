// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import FirestoreTesting
import Foundation
import Testing

/// Updates with types, alone, in batches and in transactions (MP-46, MP-47).
struct TypedWritingTests {
    let test: TestFirestore
    let db: Firestore
    let cities: TypedCollection<City>
    let bonn: TypedDocument<City>

    init() throws {
        test = try TestFirestore()
        db = test.firestore
        cities = db.collection("cities", of: City.self)
        bonn = cities.document("bonn")
    }

    private func stored() async throws -> NSDictionary { try await bonn.reference.getDocument().data().map { $0 as NSDictionary } ?? [:] }

    /// The updates, what they represent in the API without types, and what is stored in between.
    typealias Row = (text: String, updates: [FieldUpdate<City>], classic: [AnyHashable: Any])

    private var rows: [Row] {
        [
            ("set", [.set(\.population, to: 5)], ["inhabitants": 5]),
            ("set a nested field", [.set(\.address.zip, to: "1")], ["address.zip": "1"]),
            ("set a struct", [.set(\.address, to: Address(city: "x"))], ["address": ["city": "x"]]),
            ("set an entry of a dictionary", [.set(\.names["a.b"], to: "x")], [FieldPath(["names", "a.b"]): "x"]),
            ("set an enum", [.set(\.status, to: .closed)], ["status": "closed"]),
            ("set a date", [.set(\.founded, to: Date(timeIntervalSince1970: 5))], ["founded": Timestamp(seconds: 5, nanoseconds: 0)]),
            ("set an array", [.set(\.tags, to: ["a"])], ["tags": ["a"]]),
            ("set an optional", [.set(\.nickname, to: "x")], ["nickname": "x"]),
            ("set an optional to nil", [.set(\.nickname, to: nil)], ["nickname": FieldValue.delete()]),
            ("set a nullable", [.set(\.mayor, to: "x")], ["mayor": "x"]),
            ("set a nullable to nil", [.set(\.mayor, to: nil)], ["mayor": NSNull()]),
            ("set a field of an optional struct", [.set(\.old.city, to: "x")], ["old.city": "x"]),
            ("delete", [.delete(\.nickname)], ["nickname": FieldValue.delete()]),
            ("delete an entry", [.delete(\.names["de"])], ["names.de": FieldValue.delete()]),
            ("delete a nullable", [.delete(\.mayor)], ["mayor": FieldValue.delete()]),
            ("increment", [.increment(\.population, by: 10)], ["inhabitants": FieldValue.increment(Int64(10))]),
            ("increment a double", [.increment(\.area, by: 0.5)], ["area": FieldValue.increment(0.5)]),
            ("minimum", [.minimum(\.population, 7)], ["inhabitants": FieldValue.minimum(Int64(7))]),
            ("maximum", [.maximum(\.area, 700)], ["area": FieldValue.maximum(700.0)]),
            ("union", [.arrayUnion(\.tags, ["river", "port"])], ["tags": FieldValue.arrayUnion(["river", "port"])]),
            ("remove", [.arrayRemove(\.tags, ["river"])], ["tags": FieldValue.arrayRemove(["river"])]),
            ("stamp", [.serverTimestamp(\.updatedAt)], ["updatedAt": FieldValue.serverTimestamp()]),
            ("stamp a date", [.serverTimestamp(\.founded)], ["founded": FieldValue.serverTimestamp()]),
            ("several", [.set(\.name, to: "x"), .increment(\.population, by: 1), .delete(\.nickname)], ["name": "x", "inhabitants": FieldValue.increment(Int64(1)), "nickname": FieldValue.delete()]),
        ]
    }

    @Test func `a typed update equals the same update by names`() async throws {
        var city = City.sample()
        city.nickname = "B"
        for row in rows {
            try await bonn.set(city)
            try await bonn.reference.updateData(row.classic)
            let classic = try await stored()
            try await bonn.set(city)
            try await bonn.update(row.updates)
            #expect(try await stored() == classic, "\(row.text)")
            try await bonn.set(city)
            try await db.batch().update(row.updates[0], at: bonn).commit()
            if row.updates.count == 1 { #expect(try await stored() == classic, "\(row.text), in a batch") }
        }
    }

    @Test func `one field is updated with a value, and an optional one with nil`() async throws {
        try await bonn.set(.sample())
        try await bonn.update(\.population, to: 7)
        try await bonn.update(\.nickname, to: "x")
        try await bonn.update(\.mayor, to: "y")
        var read = try await bonn.get()
        #expect(read?.population == 7 && read?.nickname == "x" && read?.mayor == "y")
        try await bonn.update(\.nickname, to: nil)
        try await bonn.update(\.mayor, to: nil)
        read = try await bonn.get()
        #expect(read?.nickname == nil && read?.mayor == nil)
        let data = try await stored()
        #expect(data["nickname"] == nil && data["mayor"] is NSNull)
    }

    @Test func `fields that the model does not know stay`() async throws {
        try await bonn.set(.sample())
        try await bonn.reference.updateData(["unknown": 1])
        try await bonn.update(.set(\.name, to: "x"))
        #expect(try await stored()["unknown"] as? Int == 1)
        try await bonn.set(.sample(), merge: true)
        #expect(try await stored()["unknown"] as? Int == 1)
        try await bonn.set(.sample())
        #expect(try await stored()["unknown"] == nil)
    }

    @Test func `an update of a missing document fails and writes nothing`() async throws {
        await #expect { try await bonn.update(\.population, to: 1) } throws: { FirestoreErrorCode.notFound ~= $0 }
        #expect(try await bonn.get() == nil)
    }

    @Test func `a value that cannot be stored fails with the path of the field`() async throws {
        let rows: [(text: String, updates: [FieldUpdate<City>], reason: String)] = [
            ("a field twice", [.set(\.population, to: 1), .increment(\.population, by: 1)], "inhabitants"),
            ("a field inside another one", [.set(\.address, to: Address(city: "x")), .set(\.address.zip, to: "1")], "address"),
            ("a number that cannot be stored", [.set(\.area, to: .infinity)], "field area"),
            ("an empty key", [.set(\.names[""], to: "x")], "empty"),
            ("a reserved key", [.set(\.names["__x__"], to: "x")], "__x__"),
        ]
        try await bonn.set(.sample())
        let before = try await stored()
        for row in rows {
            await #expect("\(row.text)") {
                try await bonn.update(row.updates)
            } throws: { error in
                FirestoreErrorCode.invalidArgument ~= error && (error as NSError).localizedDescription.contains(row.reason)
            }
            guard row.updates.count == 1 else { continue }
            await #expect(throws: FirestoreErrorCode.self, "\(row.text), in a batch") {
                try await db.batch().update(row.updates[0], at: bonn).commit()
            }
        }
        #expect(try await stored() == before)
    }

    @Test func `a server timestamp inside a struct that is set is stamped`() async throws {
        struct Visit: FirestoreModel {
            @ServerTimestamp var at: Date?
            var place: String

            struct Fields: Sendable {
                let at = ModelField<Visit, Date, FieldKind.ServerTimestamp>(CodingKeys.at)
                let place = ModelField<Visit, String, FieldKind.Required>(CodingKeys.place)
            }
            static let fields = Fields()
        }
        struct Person: FirestoreModel {
            var last: Visit?

            struct Fields: Sendable {
                let last = ModelField<Person, Visit, FieldKind.Optional>(CodingKeys.last)
            }
            static let fields = Fields()
        }
        let ada = db.document("people/ada", of: Person.self)
        try await ada.set(Person())
        try await ada.update(.set(\.last, to: Visit(place: "Bonn")))
        #expect(try await ada.get()?.last?.at == test.clock.now)
        #expect(try await ada.get()?.last?.place == "Bonn")
        test.clock.advance(by: .seconds(60))
        try await ada.update(.serverTimestamp(\.last.at))
        #expect(try await ada.get()?.last?.at == test.clock.now)
    }

    @Test func `batches and transactions take typed documents`() async throws {
        let jena = cities.document("jena")
        try await db.batch().set(.sample(), at: bonn).set(.sample("Jena", population: 110_000), at: jena).commit()
        try await db.runTransaction { transaction, error in
            do {
                let old = try transaction.get(bonn)
                let small = try transaction.get(cities.where { $0.population < 200_000 })
                try transaction.set(.sample("Jena", population: old?.population ?? 0), at: jena)
                transaction.update(.increment(\.population, by: small.values.count), .arrayUnion(\.tags, ["port"]), at: bonn)
                transaction.delete(cities.document("gone"))
            } catch let problem {
                error?.pointee = problem as NSError
            }
            return nil
        }
        #expect(try await jena.get()?.population == 330_000)
        #expect(try await bonn.get()?.population == 330_001)
        #expect(try await bonn.get()?.tags == ["river", "port"])
        try await db.batch().delete(jena).set(.sample("B"), at: bonn, merge: true).commit()
        #expect(try await jena.get() == nil)
        #expect(try await bonn.get()?.name == "B")
    }
}
