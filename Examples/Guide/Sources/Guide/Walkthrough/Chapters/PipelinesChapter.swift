// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels

/// Questions that no query can ask: groups, distinct values and a join. Each answer is checked against the file.
public enum PipelinesChapter: Chapter {
    public static let title = "Pipelines: groups, distinct values, a join"

    public static func tell(on page: Page) async throws {
        let db = Firestore.firestore()
        let cities = try CityFile.read()
        try await CityFile.loadIfMissing(cities, into: db.collection("cities"))
        if case .emulator = page.place { return await expectRefusal(db, page) }

        try await group(db, cities, page)
        try await listTimeZones(db, cities, page)
        try await join(db, cities, page)
    }

    private struct Country: Codable, Equatable {
        var country: String
        var cities: Int
        var people: Int
        var largest: String?
    }

    /// The five countries with the most people in large cities.
    private static func countries(_ db: Firestore) -> Pipeline {
        db.pipeline().collection("cities")
            .aggregate([CountAll().as("cities"), Field("population").sum().as("people")], groups: [Field("country")])
            .sort([Field("people").descending()])
            .limit(5)
    }

    private static func group(_ db: Firestore, _ cities: [City], _ page: Page) async throws {
        let found = try await countries(db).execute().results(as: Country.self)
        page.line("the five countries with the most people in large cities:")
        for row in found {
            page.line("  \(row.country)\(number(row.cities, 6)) cities\(number(row.people, 14)) people")
        }
        page.claim("the same as grouping the file by hand gives", found.values == grouped(cities))
    }

    private static func listTimeZones(_ db: Firestore, _ cities: [City], _ page: Page) async throws {
        let typed = db.collection("cities", of: StoredCity.self)
        let found = try await typed.pipeline()
            .where { $0.country == "BR" && $0.population > 500_000 }
            .distinct([typed.field(\.timezone)])
            .execute().results.compactMap { $0.get("timezone") as? String }
        page.line("the time zones of Brazil's cities with more than 500,000 people:")
        page.line("  " + found.map { $0.replacing("America/", with: "") }.joined(separator: ", "))
        let expected = Set(cities.filter { $0.country == "BR" && $0.population > 500_000 }.map(\.timezone))
        page.claim("each once, the same as in the file", found == expected.sorted())
    }

    /// A pipeline inside each row of another one.
    private static func join(_ db: Firestore, _ cities: [City], _ page: Page) async throws {
        let largest = db.pipeline().collection("cities")
            .where(Field("country").equal(Variable("country")))
            .sort([Field("population").descending()])
            .limit(1)
            .select(["name"])
        let found = try await countries(db)
            .define([Field("country").as("country")])
            .addFields([largest.toScalarExpression().as("largest")])
            .execute().results(as: Country.self)
        page.line("each with its largest city, in one request:")
        page.line("  " + found.map { "\($0.country) \($0.largest ?? "?")" }.joined(separator: ", "))
        let expected = grouped(cities).map { country in
            var country = country
            country.largest = cities.filter { $0.country == country.country }.max { $0.population < $1.population }?.name
            return country
        }
        page.claim("the same as sorting each country's cities gives", found.values == expected)
    }

    /// The countries of the file, added up by hand.
    private static func grouped(_ cities: [City]) -> [Country] {
        let all = Dictionary(grouping: cities, by: \.country).map { country, cities in
            Country(country: country, cities: cities.count, people: cities.map(\.population).reduce(0, +))
        }
        return Array(all.sorted { $0.people > $1.people }.prefix(5))
    }

    private static func number(_ number: Int, _ width: Int) -> String { number.formatted().padded(to: width, alignRight: true) }

    private static func expectRefusal(_ db: Firestore, _ page: Page) async {
        let answer = try? await countries(db).execute()
        page.claim("the emulator has no pipelines, and refuses them", answer == nil)
    }
}
