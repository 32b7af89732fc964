// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// The calls of the guide on real data.
public enum CitiesChapter: Chapter {
    public static let title = "Real data: the world's large cities"

    public static func tell(on page: Page) async throws {
        let db = Firestore.firestore()
        let collection = db.collection("cities")
        let cities = try CityFile.read()
        let clock = ContinuousClock()
        let loading = try await clock.measure { try await CityFile.load(cities, into: collection) }
        page.line("\(cities.count) cities stored in batches of 500, each commit \(page.place.commitIs), in \(seconds(loading))")
        let tokyo = cities.first { $0.name == "Tokyo" }
        if let tokyo, let id = tokyo.id {
            try await page.show(collection.document(id))
        }
        page.note("Data: GeoNames (geonames.org), CC BY 4.0")

        try await watchTheTop(of: "NG", in: collection, page)
        try await listTheLargest(of: "JP", in: collection, from: cities, page)
    }

    /// A query over one country, watched while one of its cities grows.
    private static func watchTheTop(of country: String, in collection: CollectionReference, _ page: Page) async throws {
        let largest = collection.whereField("country", isEqualTo: country)
            .order(by: "population", descending: true).limit(to: 3)
        page.line("watching the three largest cities of \(country)")

        let ranking = Ranking()
        let registration = largest.addSnapshotListener { snapshot, error in
            MainActor.assumeIsolated { ranking.note(snapshot, error) }
        }
        defer { registration.remove() }
        try await page.wait(for: "the first three") { ranking.snapshots == 1 }
        ranking.flush(to: page)
        guard ranking.cities.count == 3, let second = ranking.cities[1].id else {
            page.expect("three cities", false)
            return
        }
        let secondName = ranking.cities[1].name
        let gap = Int64(ranking.cities[0].population - ranking.cities[1].population)

        page.line("\(secondName) grows by \((gap + 1).formatted()) people:")
        try await collection.document(second).updateData(["population": FieldValue.increment(gap + 1)])
        try await page.wait(for: "the new order") { ranking.snapshots >= 2 }
        ranking.flush(to: page)
        page.claim("the listener reports \(secondName) as the first", ranking.cities.first?.name == secondName)

        page.line("and shrinks again:")
        try await collection.document(second).updateData(["population": FieldValue.increment(-gap - 1)])
        try await page.wait(for: "the old order") { ranking.snapshots >= 3 }
        ranking.flush(to: page)
        page.expect("the old order is back", ranking.cities.dropFirst().first?.name == secondName)
    }

    private static func listTheLargest(
        of country: String, in collection: CollectionReference, from cities: [City], _ page: Page
    ) async throws {
        let query = collection.whereField("country", isEqualTo: country)
            .order(by: "population", descending: true).limit(to: 10)
        let clock = ContinuousClock()
        var found: [City] = []
        let duration = try await clock.measure {
            found = try await query.getDocuments().documents.map { try $0.data(as: City.self) }
        }
        page.line("the ten largest cities of \(country), found and decoded in \(seconds(duration)):")
        for (index, city) in found.enumerated() {
            page.line(
                "  \("\(index + 1)".padded(to: 2, alignRight: true))  \(city.name.padded(to: 14))"
                    + "\(city.population.formatted().padded(to: 11, alignRight: true))  \(city.timezone)")
        }
        let expected = cities.filter { $0.country == country }.sorted { $0.population > $1.population }.prefix(10)
        page.claim(
            "the same ten, in the same order, as sorting the file gives",
            found.map(\.population) == expected.map(\.population) && found.count == 10)
    }

    private static func seconds(_ duration: Duration) -> String {
        duration.formatted(.units(allowed: [.seconds, .milliseconds], width: .narrow, maximumUnitCount: 1))
    }
}

/// The current result of a watched query, and the changes that led to it.
@MainActor
private final class Ranking {
    private(set) var cities: [City] = []
    private(set) var snapshots = 0
    private var pending: [(ChangeKind, String)] = []

    func note(_ snapshot: QuerySnapshot?, _ error: Error?) {
        guard let snapshot else {
            pending.append((.removed, "\(String(describing: error))"))
            return
        }
        snapshots += 1
        cities = snapshot.documents.compactMap { try? $0.data(as: City.self) }
        for change in snapshot.documentChanges {
            guard let city = try? change.document.data(as: City.self) else { continue }
            let place: String =
                switch change.type {
                case .added: "→ place \(change.newIndex + 1)"
                case .modified: "place \(change.oldIndex + 1) → \(change.newIndex + 1)"
                case .removed: "was place \(change.oldIndex + 1)"
                }
            let kind: ChangeKind =
                switch change.type {
                case .added: .added
                case .modified: .modified
                case .removed: .removed
                }
            pending.append((kind, "\(city.name.padded(to: 10)) \(city.population.formatted().padded(to: 11, alignRight: true))  \(place)"))
        }
    }

    func flush(to page: Page) {
        for (kind, text) in pending { page.change(kind, text) }
        pending = []
    }
}
