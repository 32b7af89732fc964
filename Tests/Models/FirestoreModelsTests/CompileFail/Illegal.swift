// SPDX-License-Identifier: Apache-2.0
// What must not compile, with the text that the compiler has to say at that line (MP-49). Read by CompileFailTests.
import FirebaseFirestore
import FirestoreModels
import Foundation

func conditions(_ cities: TypedCollection<City>, _ books: TypedCollection<Book>, _ houses: TypedCollection<House>, _ maybe: String?) {
    _ = cities.where { $0.popluation == 1 }  // expect-error: has no member 'popluation'
    _ = cities.where { $0.population > "x" }  // expect-error: cannot convert value of type 'String' to expected argument type 'Int'
    _ = cities.where { $0.country > 5 }  // expect-error: cannot convert value of type 'Int' to expected argument type 'String'
    _ = cities.where { $0.country == maybe }  // expect-error: must be unwrapped
    _ = cities.where { $0.population.contains(1) }  // expect-error: contains needs an array field
    _ = cities.where { $0.name.contains("x") }  // expect-error: contains needs an array field
    _ = cities.where { $0.name.containsAny(["x"]) }  // expect-error: containsAny needs an array field
    _ = cities.where { $0.tags.contains(1) }  // expect-error: cannot convert value of type 'Int' to expected argument type
    _ = cities.where { $0.address > Address(city: "") }  // expect-error: this type has no order in Firestore queries
    _ = cities.where { $0.tags < ["a"] }  // expect-error: this type has no order in Firestore queries
    _ = cities.where { $0.nickname == nil }  // expect-error: make the property @ExplicitNull
    _ = cities.where { $0.nickname != nil }  // expect-error: make the property @ExplicitNull
    _ = cities.where { $0.updatedAt == nil }  // expect-error: make the property @ExplicitNull
    _ = cities.where { $0.name == nil }  // expect-error: no document has null there
    _ = cities.where { $0.status < .open }  // expect-error: stored raw values sort as they are stored
    _ = cities.where { $0.status == "open" }  // expect-error: cannot convert value of type 'String' to expected argument type 'Status'
    _ = cities.where { $0.address.popluation == 1 }  // expect-error: has no dynamic member 'popluation' using key path from root type 'Address'
    _ = cities.where { $0.names["de"] == 1 }  // expect-error: cannot convert value of type 'Int' to expected argument type 'String'
    _ = cities.where { $0.id == 1 }  // expect-error: cannot convert value of type 'Int' to expected argument type 'String'
    _ = cities.where {
        $0.population > 1 && $0.country == "DE" && $0.area < 5
            && $0.area > "a"  // expect-error: cannot convert value of type 'String' to expected argument type 'Double'
            && $0.population < 7 && $0.address.city == "B" && $0.status == .open && $0.name == "x"
    }
    _ = cities.where { [1, 2].contains($0.population) }  // expect-error: write $0.field.isIn([1, 2])
    _ = cities.where { Set(["DE"]).contains($0.country) && $0.area < 5 }  // expect-error: write $0.field.isIn([1, 2])
    _ = cities.where { (1...3).contains($0.population) }  // expect-error: compare the field with both bounds
    _ = cities.where { (0..<3.5).contains($0.area) }  // expect-error: compare the field with both bounds
    _ = houses.where { $0.garden.size > 5 }  // expect-error: the nested type has no table of fields: conform it to FirestoreModel
    _ = cities.where(\.population > "x")  // expect-error: cannot convert value of type 'String' to expected argument type 'Int'
    _ = cities.where(
        \.population > 1, \.country == "DE", \.area < 5,
        \.area > "x",  // expect-error: cannot convert value of type 'String' to expected argument type 'Double'
        \.population < 7, \.status == .open, \.name == "x")
    let condition: ModelCondition<Book> = Book.fields.title == "x"
    _ = cities.where(condition)  // expect-error: cannot convert value of type 'ModelCondition<Book>' to expected argument type 'ModelCondition<City>'
    _ = books.where { _ in City.fields.name == "x" }  // expect-error: to closure result type 'ModelCondition<Book>'
}

func building(_ cities: TypedCollection<City>) async throws {
    _ = cities.order(by: \.address)  // expect-error: this type has no order in Firestore queries
    _ = cities.order(by: \.tags)  // expect-error: this type has no order in Firestore queries
    _ = cities.order(by: \.status)  // expect-error: this type has no order in Firestore queries
    _ = cities.order(by: \.name, .descending)  // expect-error: order(by: \.name, descending: true)
    _ = cities.start(at: \.population, "x")  // expect-error: to expected argument type 'Int'
    _ = cities.start(at: .value(\.population, "x"))  // expect-error: to expected argument type 'Int'
    _ = try await cities.sum(\.name)  // expect-error: requires that 'String' conform to 'FirestoreNumber'
    _ = try await cities.average(\.tags)  // expect-error: conform to 'FirestoreNumber'
}

func writes(_ city: TypedDocument<City>, _ book: Book, _ batch: WriteBatch) async throws {
    try await city.update(\.population, to: nil)  // expect-error: only optional properties can be set to nil
    try await city.update(\.population, to: "x")  // expect-error: to expected argument type 'Int'
    try await city.update(.increment(\.name, by: 1))  // expect-error: conform to 'FirestoreNumber'
    try await city.update(.arrayUnion(\.name, ["a"]))  // expect-error: conform to 'FirestoreArray'
    try await city.update(.arrayUnion(\.tags, [1]))  // expect-error: cannot convert value of type 'Int' to expected element type
    try await city.update(.delete(\.name))  // expect-error: only optional properties can be deleted
    try await city.update(.serverTimestamp(\.population))  // expect-error: only a @ServerTimestamp property, a Date or a Timestamp
    try await city.update(.set(\.id, to: "x"))  // expect-error: the id of a document is not a field
    try await city.update(.set(\.population, to: nil))  // expect-error: only optional properties can be set to nil
    try await city.update(.set(\.population, to: "x"))  // expect-error: to expected argument type 'Int'
    try await city.set(book)  // expect-error: cannot convert value of type 'Book' to expected argument type 'City'
    batch.update(FieldUpdate<Book>.set(\.title, to: "x"), at: city)  // expect-error: cannot convert value of type 'FieldUpdate<Book>' to expected argument type 'FieldUpdate<City>'
}

func subcollections(_ book: TypedDocument<Book>) {
    _ = book.collection(City.landmarks)  // expect-error: cannot convert value of type 'Subcollection<City, Landmark>'
}

struct Garden: Codable { var size: Int }

struct House: Codable { var garden: Garden }

extension House: FirestoreModel {
    struct Fields: Sendable { let garden = ModelField<House, Garden, FieldKind.Required>(CodingKeys.garden) }
    static let fields = Fields()
}

func pipelines(_ cities: TypedCollection<City>, _ big: TypedPipeline<City>) {
    _ = big.where { $0.population > "x" }  // expect-error: cannot convert value of type 'String' to expected argument type 'Int'
    _ = big.where { $0.nickname == nil }  // expect-error: make the property @ExplicitNull
    _ = big.where(Book.fields.title == "x")  // expect-error: of type 'ModelCondition<Book>'
    _ = big.sort(by: \.address)  // expect-error: requires that 'Address' conform to 'FirestoreOrderable'
    _ = big.sort(.descending(\.popluation))  // expect-error: has no member 'popluation'
    _ = cities.field(\.popluation)  // expect-error: has no member 'popluation'
}
