// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import FirestoreTesting
import Foundation
import Testing

/// Typed queries against the same queries with names: MP-43, MP-44, MP-47, MP-48, MP-51.
struct TypedQueryTests {
    typealias Row = (text: String, typed: TypedQuery<City>, classic: Query)

    let db: Firestore
    let cities: TypedCollection<City>

    init() throws {
        db = try TestFirestore().firestore
        cities = db.collection("cities", of: City.self)
    }

    // MP rows F1, F2, F4, F8, F10, F11, F12, F13
    @Test func `a condition is the filter with the stored name and the encoded operand`() {
        let classic = cities.query
        let bonn = FieldPath(["names", "a.b"])
        let rows: [Row] = [
            ("==", cities.where { $0.country == "DE" }, classic.whereField("country", isEqualTo: "DE")),
            ("!=", cities.where { $0.country != "DE" }, classic.whereField("country", isNotEqualTo: "DE")),
            ("<", cities.where { $0.population < 5 }, classic.whereField("inhabitants", isLessThan: 5)),
            ("<=", cities.where { $0.population <= 5 }, classic.whereField("inhabitants", isLessThanOrEqualTo: 5)),
            (">", cities.where { $0.population > 5 }, classic.whereField("inhabitants", isGreaterThan: 5)),
            (">=", cities.where { $0.population >= 5 }, classic.whereField("inhabitants", isGreaterThanOrEqualTo: 5)),
            ("a key path ==", cities.where(\.country == "DE"), classic.whereField("country", isEqualTo: "DE")),
            ("a key path !=", cities.where(\.country != "DE"), classic.whereField("country", isNotEqualTo: "DE")),
            ("a key path <", cities.where(\.population < 5), classic.whereField("inhabitants", isLessThan: 5)),
            ("a key path <=", cities.where(\.population <= 5), classic.whereField("inhabitants", isLessThanOrEqualTo: 5)),
            ("a key path >", cities.where(\.population > 5), classic.whereField("inhabitants", isGreaterThan: 5)),
            ("a key path >=", cities.where(\.population >= 5), classic.whereField("inhabitants", isGreaterThanOrEqualTo: 5)),
            ("a key path == nil", cities.where(\.mayor == nil), classic.whereField("mayor", isEqualTo: NSNull())),
            ("a key path != nil", cities.where(\.mayor != nil), classic.whereField("mayor", isNotEqualTo: NSNull())),
            ("isIn", cities.where { $0.country.isIn(["DE", "AT"]) }, classic.whereField("country", in: ["DE", "AT"])),
            ("isNotIn", cities.where { $0.country.isNotIn(["DE"]) }, classic.whereField("country", notIn: ["DE"])),
            ("contains", cities.where { $0.tags.contains("port") }, classic.whereField("tags", arrayContains: "port")),
            ("containsAny", cities.where { $0.tags.containsAny(["a", "b"]) }, classic.whereField("tags", arrayContainsAny: ["a", "b"])),
            ("null", cities.where { $0.mayor == nil }, classic.whereField("mayor", isEqualTo: NSNull())),
            ("not null", cities.where { $0.mayor != nil }, classic.whereField("mayor", isNotEqualTo: NSNull())),
            ("a value of a nullable field", cities.where { $0.mayor == "A" }, classic.whereField("mayor", isEqualTo: "A")),
            ("an enum", cities.where { $0.status == .open }, classic.whereField("status", isEqualTo: "open")),
            ("an orderable enum", cities.where { $0.rank >= .high }, classic.whereField("rank", isGreaterThanOrEqualTo: 2)),
            ("enums", cities.where { $0.status.isIn([.open, .closed]) }, classic.whereField("status", in: ["open", "closed"])),
            ("a date", cities.where { $0.founded > Date(timeIntervalSince1970: 1) }, classic.whereField("founded", isGreaterThan: Timestamp(seconds: 1, nanoseconds: 0))),
            ("a double", cities.where { $0.area > 1.5 }, classic.whereField("area", isGreaterThan: 1.5)),
            ("a nested field", cities.where { $0.address.city == "Bonn" }, classic.whereField("address.city", isEqualTo: "Bonn")),
            ("a field of an optional struct", cities.where { $0.old.city == "Bonn" }, classic.whereField("old.city", isEqualTo: "Bonn")),
            ("a struct", cities.where { $0.address == Address(city: "Bonn") }, classic.whereField("address", isEqualTo: ["city": "Bonn"])),
            ("a dictionary", cities.where { $0.names["a.b"] == "x" }, classic.whereField(bonn, isEqualTo: "x")),
            ("the id", cities.where { $0.id == "b" }, classic.whereField(.documentID(), isEqualTo: "b")),
            ("ids", cities.where { $0.id.isIn(["a", "b"]) }, classic.whereField(.documentID(), in: ["a", "b"])),
            ("the reference", cities.where { $0.id.reference == db.document("cities/b") }, classic.whereField(.documentID(), isEqualTo: db.document("cities/b"))),
            ("the opposite of ==", cities.where { !($0.status == .open) }, classic.whereField("status", isNotEqualTo: "open")),
            ("the opposite of <", cities.where { !($0.population < 5) }, classic.whereField("inhabitants", isGreaterThanOrEqualTo: 5)),
            ("the opposite of isIn", cities.where { $0.country.isIn(["DE"]).negated }, classic.whereField("country", notIn: ["DE"])),
            (
                "and", cities.where { $0.population > 5 && $0.country == "DE" },
                classic.whereFilter(.andFilter([.whereField("inhabitants", isGreaterThan: 5), .whereField("country", isEqualTo: "DE")]))
            ),
            (
                "or", cities.where { $0.population > 5 || $0.country == "DE" },
                classic.whereFilter(.orFilter([.whereField("inhabitants", isGreaterThan: 5), .whereField("country", isEqualTo: "DE")]))
            ),
            (
                "key paths in a list", cities.where(\.population > 5, \.country == "DE"),
                classic.whereFilter(.andFilter([.whereField("inhabitants", isGreaterThan: 5), .whereField("country", isEqualTo: "DE")]))
            ),
            (
                "two calls", cities.where { $0.population > 5 }.where { $0.country == "DE" },
                classic.whereField("inhabitants", isGreaterThan: 5).whereField("country", isEqualTo: "DE")
            ),
            ("an order", cities.order(by: \.population, descending: true), classic.order(by: "inhabitants", descending: true)),
            ("orders", cities.order(by: \.address.city).order(by: \.id), classic.order(by: "address.city").order(by: .documentID())),
            ("a limit", cities.limit(to: 3), classic.limit(to: 3)),
            ("a limit to the last", cities.order(by: \.name).limit(toLast: 3), classic.order(by: "name").limit(toLast: 3)),
            ("start at", cities.order(by: \.population).start(at: \.population, 5), classic.order(by: "inhabitants").start(at: [5])),
            ("start after", cities.order(by: \.population).start(after: \.population, 5), classic.order(by: "inhabitants").start(after: [5])),
            ("end at", cities.order(by: \.name).end(at: \.name, "a"), classic.order(by: "name").end(at: ["a"])),
            ("end before", cities.order(by: \.population).end(before: \.population, 5), classic.order(by: "inhabitants").end(before: [5])),
            ("start at an id", cities.order(by: \.id).start(at: \.id, "b"), classic.order(by: .documentID()).start(at: ["b"])),
            (
                "start at two values", cities.order(by: \.country).order(by: \.founded).start(at: .value(\.country, "DE"), .value(\.founded, Date(timeIntervalSince1970: 1))),
                classic.order(by: "country").order(by: "founded").start(at: ["DE", Timestamp(seconds: 1, nanoseconds: 0)])
            ),
        ]
        for row in rows { #expect(row.typed.query == row.classic, "\(row.text)") }
    }

    @Test func `every operator has a function`() {
        let rows: [Row] = [
            ("==", cities.where { $0.country.isEqual(to: "DE") }, cities.where { $0.country == "DE" }.query),
            ("!=", cities.where { $0.country.isNotEqual(to: "DE") }, cities.where { $0.country != "DE" }.query),
            ("<", cities.where { $0.population.isLess(than: 5) }, cities.where { $0.population < 5 }.query),
            ("<=", cities.where { $0.population.isLessOrEqual(to: 5) }, cities.where { $0.population <= 5 }.query),
            (">", cities.where { $0.population.isGreater(than: 5) }, cities.where { $0.population > 5 }.query),
            (">=", cities.where { $0.population.isGreaterOrEqual(to: 5) }, cities.where { $0.population >= 5 }.query),
            ("null", cities.where { $0.mayor.isNull }, cities.where { $0.mayor == nil }.query),
            ("not null", cities.where { $0.mayor.isNotNull }, cities.where { $0.mayor != nil }.query),
            ("and", cities.where { $0.country.isEqual(to: "DE").and($0.area > 1) }, cities.where { $0.country == "DE" && $0.area > 1 }.query),
            ("or", cities.where { $0.country.isEqual(to: "DE").or($0.area > 1) }, cities.where { $0.country == "DE" || $0.area > 1 }.query),
        ]
        for row in rows { #expect(row.typed.query == row.classic, "\(row.text)") }
    }

    // MP row F14
    @Test func `the encoder gives names and operands, and leaves the keys of dictionaries alone`() throws {
        struct Home: FirestoreModel, Equatable {
            var homeTown: String
            var builtAt: Date
            var streetNames: [String: Int]

            struct Fields: Sendable {
                let homeTown = ModelField<Home, String, FieldKind.Required>(CodingKeys.homeTown)
                let builtAt = ModelField<Home, Date, FieldKind.Required>(CodingKeys.builtAt)
                let streetNames = ModelField<Home, [String: Int], FieldKind.Required>(CodingKeys.streetNames)
            }
            static let fields = Fields()
        }
        let encoder = Firestore.Encoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        let homes = db.collection("homes", of: Home.self, encoder: encoder)
        #expect(homes.where { $0.homeTown == "x" }.query == homes.query.whereField("home_town", isEqualTo: "x"))
        #expect(homes.where { $0.builtAt > Date(timeIntervalSince1970: 7) }.query == homes.query.whereField("built_at", isGreaterThan: 7.0))
        #expect(homes.where { $0.streetNames["oldName"] == 1 }.query == homes.query.whereField("street_names.oldName", isEqualTo: 1))
        #expect(homes.order(by: \.builtAt).query == homes.query.order(by: "built_at"))
        let custom = Firestore.Encoder()
        custom.keyEncodingStrategy = .custom { path in Name(path.map(\.stringValue).joined(separator: "-")) }
        let named = db.collection("homes", of: Home.self, encoder: custom)
        #expect(named.where { $0.homeTown == "x" }.query == named.query.whereField("homeTown", isEqualTo: "x"))
    }

    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    @Test func `an invalid typed query fails when it runs`() async {
        let rows: [(text: String, query: TypedQuery<City>, reason: String)] = [
            ("an operand that cannot be stored", cities.where { $0.area == .nan }, "field area"),
            ("the opposite of contains", cities.where { !$0.tags.contains("a") }, "no opposite"),
            ("the opposite of a combination", cities.where { !($0.area > 1 && $0.name == "a") }, "no opposite"),
            ("an id with a slash", cities.where { $0.id == "a/b" }, "slash"),
            ("a cursor of another field", cities.order(by: \.name).start(at: \.country, "DE"), "order 1 of the query is by name"),
            ("a cursor without an order", cities.start(at: \.country, "DE"), "add order(by:) for country"),
            ("cursor values in another order", cities.order(by: \.name).order(by: \.country).end(at: .value(\.country, "a"), .value(\.name, "b")), "value 1"),
        ]
        for row in rows {
            await #expect("\(row.text)") {
                _ = try await row.query.get()
            } throws: { error in
                FirestoreErrorCode.invalidArgument ~= error && (error as NSError).localizedDescription.contains(row.reason)
            }
        }
    }

    // MP-48
    @Test func `a collection group compares references, and rejects plain ids with the reason`() async throws {
        let everywhere = db.collectionGroup(City.landmarks)
        try await db.document("cities/bonn/landmarks/cathedral").setData(["name": "Minster", "city": db.document("cities/bonn")])
        let cathedral = db.document("cities/bonn/landmarks/cathedral")
        #expect(try await everywhere.where { $0.id.reference == cathedral }.get().values.map(\.name) == ["Minster"])
        #expect(try await everywhere.where { $0.id == "cities/bonn/landmarks/cathedral" }.get().values.count == 1)
        await #expect {
            _ = try await everywhere.where { $0.id == "cathedral" }.get()
        } throws: { error in
            (error as NSError).localizedDescription.contains("$0.id.reference == reference")
        }
    }
}
