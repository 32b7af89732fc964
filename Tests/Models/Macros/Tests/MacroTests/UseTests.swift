// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModelMacros
import FirestoreTesting
import Foundation
import Testing

@FirestoreModel
struct Address: Codable, Equatable {
    var city: String
    var zip: String?
}

enum Status: String, Codable { case open, closed }

/// The synthesized `CodingKeys`.
@FirestoreModel
struct Plain: Codable {
    @DocumentID var id: String?
    var name: String
    var nickname: String?
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    var rating: Double! = 1
    var old: Optional<Address>
    @ExplicitNull var mayor: String?
    @ServerTimestamp var updatedAt: Date?
    var address: Address
    var tags: [String], numbers: [Int]
    var names: [String: String]
    var status: Status
    var `default`: Int { didSet { changes += 1 } }
    var changes: Int = 0
    var shouted: String { name.uppercased() }
    lazy var heavy: Int = 1
    static let landmarks = Subcollection<Plain, Renamed>("landmarks")

    private enum CodingKeys: String, CodingKey {
        case id, name, nickname, rating, old, mayor, updatedAt, address, tags, numbers, names, status, `default`
    }
}

/// Written names, and a property that is not stored.
@FirestoreModel
public struct Renamed: Codable {
    public var population: Int
    var area: Double
    private var secret: Int = 7
    public var cached: Int = 0

    enum CodingKeys: String, CodingKey {
        case population = "inhabitants"
        case area, secret
    }

    public init(population: Int, area: Double) { (self.population, self.area) = (population, area) }

    static var secretField: ModelField<Renamed, Int, FieldKind.Required> { fields.secret }
}

@FirestoreModel
struct Synthesized: Codable {
    @DocumentID var id: String?
    var text: String
    var count: Int?
}

@FirestoreModel
struct Page<Item: Codable & Sendable>: Codable {
    var number: Int
    var items: [Item]
}

@FirestoreModel
final class Person: Codable {
    let name: String
    var friend: ModelReference<Person>?

    init(name: String) { self.name = name }
}

@FirestoreModel
struct Outside: Codable {
    var kept: Int
    @NotStored var left: Int = 1
}

extension Outside {
    private enum CodingKeys: String, CodingKey { case kept }
}

struct UseTests {
    let db: Firestore

    init() throws { db = try TestFirestore().firestore }

    @Test func `the table has the paths of the coding keys`() {
        let plain = db.collection("plain", of: Plain.self)
        #expect(plain.where { $0.address.zip == "1" }.query == plain.query.whereField("address.zip", isEqualTo: "1"))
        #expect(plain.where { $0.old.city == "x" && $0.default > 1 }.query
            == plain.query.whereFilter(.andFilter([.whereField("old.city", isEqualTo: "x"), .whereField("default", isGreaterThan: 1)])))
        #expect(plain.where { $0.id == "a" }.query == plain.query.whereField(.documentID(), isEqualTo: "a"))
        #expect(plain.where { $0.mayor == nil }.query == plain.query.whereField("mayor", isEqualTo: NSNull()))
        #expect(plain.where { $0.status == .open && $0.rating > 2 }.query
            == plain.query.whereFilter(.andFilter([.whereField("status", isEqualTo: "open"), .whereField("rating", isGreaterThan: 2.0)])))
        let renamed = db.collection("renamed", of: Renamed.self)
        #expect(renamed.order(by: \.population).query == renamed.query.order(by: "inhabitants"))
        #expect("\(Renamed.secretField)" == "secret")
        let pages = db.collection("pages", of: Page<Int>.self)
        #expect(pages.where { $0.items.contains(1) }.query == pages.query.whereField("items", arrayContains: 1))
    }

    @Test func `models are written, updated and read`() async throws {
        let document = db.collection("synthesized", of: Synthesized.self).document("a")
        try await document.set(Synthesized(text: "x"))
        try await document.update(.set(\.count, to: 5), .set(\.text, to: "y"))
        let read = try await document.get()
        #expect(read?.id == "a" && read?.text == "y" && read?.count == 5)
        let ada = db.collection("people", of: Person.self).document("ada")
        let bob = db.collection("people", of: Person.self).document("bob")
        try await bob.set(Person(name: "Bob"))
        try await ada.set(Person(name: "Ada"))
        try await ada.update(\.friend, to: ModelReference(bob))
        #expect(try await ada.get()?.friend?.get()?.name == "Bob")
    }

    @Test func `tables agree with what the types decode`() throws {
        try Plain.verifyFields(standIns: [Status.open])
        try Renamed.verifyFields()
        try Synthesized.verifyFields()
        try Page<Int>.verifyFields()
        try Outside.verifyFields()
        try Address.verifyFields()
    }
}
