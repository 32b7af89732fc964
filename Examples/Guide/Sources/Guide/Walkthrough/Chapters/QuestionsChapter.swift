// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreGeo
import Foundation

/// Typical queries: the largest, the nearest, how many, how much. Each answer is checked against the file.
public enum QuestionsChapter: Chapter {
    public static let title = "Questions to real data"

    public static func tell(on page: Page) async throws {
        let collection = Firestore.firestore().collection("cities")
        let cities = try CityFile.read()
        try await CityFile.loadIfMissing(cities, into: collection)

        try await listTheLargest(in: collection, from: cities, page)
        try await findTheNearest(in: collection, from: cities, page)
        try await addUp(in: collection, from: cities, page)
        try await explain(in: collection, page)
    }

    private static func listTheLargest(in collection: CollectionReference, from cities: [City], _ page: Page) async throws {
        let query = collection.order(by: "population", descending: true).limit(to: 10)
        let found = try await query.getDocuments().documents.map { try $0.data(as: City.self) }
        page.line("the ten largest cities of the world:")
        for (index, city) in found.enumerated() {
            page.line(
                "  \("\(index + 1)".padded(to: 2, alignRight: true))  \(city.name.padded(to: 18))\(city.country)"
                    + city.population.formatted().padded(to: 13, alignRight: true))
        }
        let expected = cities.map(\.population).sorted(by: >).prefix(10)
        page.claim("the same ten as sorting the file gives", found.map(\.population) == Array(expected))
    }

    private static func findTheNearest(in collection: CollectionReference, from cities: [City], _ page: Page) async throws {
        let greenwich = GeoPoint(latitude: 51.4769, longitude: -0.0005)
        let found = try await collection.getDocuments(near: greenwich, radius: 100_000, as: City.self)
        page.line("cities within 100 km of the Royal Observatory, nearest first; \(found.matches.count) found, of them the first ten:")
        for match in found.matches.prefix(10) {
            page.line("  " + match.value.name.padded(to: 26) + kilometres(match.distance))
        }
        page.claim(
            "as many as measuring the distance to each of the \(cities.count) gives, in that order",
            found.matches.compactMap(\.value.id) == nearest(to: greenwich, within: 100_000, among: cities))

        // Fiji is on both sides of the antimeridian, and so are the cities near it.
        let fiji = GeoPoint(latitude: -17.71, longitude: 178.06)
        let japan = collection.whereField("country", isEqualTo: "JP")
        let far = try await japan.getDocuments(near: fiji, radius: 7_500_000, limit: 3)
        let expected = nearest(to: fiji, within: 7_500_000, among: cities.filter { $0.country == "JP" }).prefix(3)
        page.line("the three Japanese cities nearest to Fiji:")
        for match in far {
            page.line("  " + "\(match.document["name"] ?? "?")".padded(to: 26) + kilometres(match.distance))
        }
        page.claim("with a filter, a limit and half an ocean in between", far.map(\.document.documentID) == Array(expected))

        let around = try await collection.getDocuments(near: fiji, radius: 3_000_000, as: City.self)
        page.expect(
            "across the antimeridian nothing is lost",
            around.matches.compactMap(\.value.id) == nearest(to: fiji, within: 3_000_000, among: cities))
    }

    private static func addUp(in collection: CollectionReference, from cities: [City], _ page: Page) async throws {
        let query = collection.whereField("country", isEqualTo: "IN")
        let answer = try await query.aggregate([.count(), .sum("population"), .average("population")])
            .getAggregation(source: .server)
        let populations = cities.filter { $0.country == "IN" }.map(\.population)
        let (sum, average) = (answer.get(.sum("population")) as? Int, answer.get(.average("population")) as? Double)
        page.line(
            "India: \(answer.count) large cities with \((sum ?? 0).formatted()) people, "
                + "\((average ?? 0).formatted(.number.precision(.fractionLength(0)))) on average")
        page.claim(
            "counted and added up by the database, no document decoded",
            answer.count.intValue == populations.count && sum == populations.reduce(0, +)
                && average == Double(populations.reduce(0, +)) / Double(populations.count))
    }

    /// A query that is repeated often enough makes the database create an index for it; the plan shows it.
    private static func explain(in collection: CollectionReference, _ page: Page) async throws {
        let query = collection.whereField("country", isEqualTo: "BR").order(by: "population", descending: true).limit(to: 20)
        page.line("how the twenty largest of Brazil are found:")
        if case .emulator = page.place {
            let result = try await query.getDocuments()
            page.line("  (the emulator does not report it)")
            page.claim("there are \(result.count) results", result.count == 20)
            return
        }
        let explained = try await query.explain()
        for line in explained.description.split(separator: "\n") { page.line("  " + line) }
        let result = try await query.getDocuments()
        page.claim(
            "the plan's figures are those of the query: \(result.count) results",
            explained.statistics?.results == result.count && result.count == 20)
    }

    /// The ids of the cities within a radius, nearest first, by measuring them all.
    private static func nearest(to center: GeoPoint, within radius: Double, among cities: [City]) -> [String] {
        let distances = cities.map { city in
            (id: city.id ?? "", distance: center.distance(to: GeoPoint(latitude: city.latitude, longitude: city.longitude)))
        }
        return distances.filter { $0.distance <= radius }.sorted { $0.distance < $1.distance }.map(\.id)
    }

    private static func kilometres(_ metres: Double) -> String {
        "\((metres / 1_000).formatted(.number.precision(.fractionLength(1)))) km".padded(to: 12, alignRight: true)
    }
}
