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
        let city = ModelField<Address, String, Required>(CodingKeys.city)
        let zip = ModelField<Address, String, Maybe>(CodingKeys.zip)
    }
    static let fields = Fields()
}

struct Landmark: Codable, Equatable {
    @DocumentID var id: String?
    var name: String
    var city: Reference<City>
}

extension Landmark: FirestoreModel {
    struct Fields: Sendable {
        let id = ModelField<Landmark, String, Identity>.documentID
        let name = ModelField<Landmark, String, Required>(CodingKeys.name)
        let city = ModelField<Landmark, Reference<City>, Required>(CodingKeys.city)
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
        let id = ModelField<City, String, Identity>.documentID
        let name = ModelField<City, String, Required>(CodingKeys.name)
        let population = ModelField<City, Int, Required>(CodingKeys.population)
        let area = ModelField<City, Double, Required>(CodingKeys.area)
        let country = ModelField<City, String, Required>(CodingKeys.country)
        let status = ModelField<City, Status, Required>(CodingKeys.status)
        let rank = ModelField<City, Rank, Required>(CodingKeys.rank)
        let nickname = ModelField<City, String, Maybe>(CodingKeys.nickname)
        let mayor = ModelField<City, String, Nullable>(CodingKeys.mayor)
        let updatedAt = ModelField<City, Date, Stamped>(CodingKeys.updatedAt)
        let founded = ModelField<City, Date, Required>(CodingKeys.founded)
        let tags = ModelField<City, [String], Required>(CodingKeys.tags)
        let names = ModelField<City, [String: String], Required>(CodingKeys.names)
        let address = ModelField<City, Address, Required>(CodingKeys.address)
        let old = ModelField<City, Address, Maybe>(CodingKeys.old)
    }
    static let fields = Fields()
}

struct Book: Codable {
    var title: String
}

extension Book: FirestoreModel {
    struct Fields: Sendable {
        let title = ModelField<Book, String, Required>(CodingKeys.title)
    }
    static let fields = Fields()
}
