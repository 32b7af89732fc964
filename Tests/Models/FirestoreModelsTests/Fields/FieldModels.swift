// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import Foundation

// The models of the tests of typed fields; the tests of what must not compile read this file, too.

enum Status: String, Codable { case open, closed }
enum Rank: Int, Codable, FirestoreOrderable { case low = 1, high = 2 }

struct Address: Codable, Equatable {
    var city: String
    var zip: String?
}

extension Address: FirestoreModel {
    struct Fields: Sendable {
        let city = ModelField<Address, String, FieldKind.Required>(CodingKeys.city)
        let zip = ModelField<Address, String, FieldKind.Optional>(CodingKeys.zip)
    }
    static let fields = Fields()
}

struct Landmark: Codable, Equatable {
    @DocumentID var id: String?
    var name: String
    var city: ModelReference<City>
}

extension Landmark: FirestoreModel {
    struct Fields: Sendable {
        let id = ModelField<Landmark, String, FieldKind.DocumentID>.documentID
        let name = ModelField<Landmark, String, FieldKind.Required>(CodingKeys.name)
        let city = ModelField<Landmark, ModelReference<City>, FieldKind.Required>(CodingKeys.city)
    }
    static let fields = Fields()
}

struct City: Codable, Equatable {
    @DocumentID var id: String?
    var name: String
    var population: Int
    var area: Double
    var country: String
    var status: Status
    var rank: Rank
    var nickname: String?
    @ExplicitNull var mayor: String? = nil
    @ServerTimestamp var updatedAt: Date? = nil
    var founded: Date
    var tags: [String]
    var names: [String: String]
    var address: Address
    var old: Address?
    enum CodingKeys: String, CodingKey {
        case id, name, population = "inhabitants", area, country, status, rank, nickname, mayor, updatedAt, founded, tags, names, address
        case old
    }
    static let landmarks = Subcollection<City, Landmark>("landmarks")

    static func sample(_ name: String = "Bonn", population: Int = 330_000, country: String = "DE") -> City {
        City(
            name: name, population: population, area: 141.1, country: country, status: .open, rank: .low,
            founded: Date(timeIntervalSince1970: 0), tags: ["river"], names: ["de": name],
            address: Address(city: name, zip: "53111"))
    }
}

extension City: FirestoreModel {
    struct Fields: Sendable {
        let id = ModelField<City, String, FieldKind.DocumentID>.documentID
        let name = ModelField<City, String, FieldKind.Required>(CodingKeys.name)
        let population = ModelField<City, Int, FieldKind.Required>(CodingKeys.population)
        let area = ModelField<City, Double, FieldKind.Required>(CodingKeys.area)
        let country = ModelField<City, String, FieldKind.Required>(CodingKeys.country)
        let status = ModelField<City, Status, FieldKind.Required>(CodingKeys.status)
        let rank = ModelField<City, Rank, FieldKind.Required>(CodingKeys.rank)
        let nickname = ModelField<City, String, FieldKind.Optional>(CodingKeys.nickname)
        let mayor = ModelField<City, String, FieldKind.ExplicitNull>(CodingKeys.mayor)
        let updatedAt = ModelField<City, Date, FieldKind.ServerTimestamp>(CodingKeys.updatedAt)
        let founded = ModelField<City, Date, FieldKind.Required>(CodingKeys.founded)
        let tags = ModelField<City, [String], FieldKind.Required>(CodingKeys.tags)
        let names = ModelField<City, [String: String], FieldKind.Required>(CodingKeys.names)
        let address = ModelField<City, Address, FieldKind.Required>(CodingKeys.address)
        let old = ModelField<City, Address, FieldKind.Optional>(CodingKeys.old)
    }
    static let fields = Fields()
}

struct Book: Codable {
    var title: String
}

extension Book: FirestoreModel {
    struct Fields: Sendable {
        let title = ModelField<Book, String, FieldKind.Required>(CodingKeys.title)
    }
    static let fields = Fields()
}

/// Without a table: that of `CompileFail/Elsewhere.swift` is in another file.
struct Village: Codable {
    var name: String
    var houses: Int
}

/// Its keys are visible everywhere.
struct Hamlet: Codable {
    var name: String
    enum CodingKeys: String, CodingKey { case name }
}
