// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// The example's real data: 4,028 cities of 150,000 people or more (see ATTRIBUTION.md).
public enum CityFile {
    public struct NotFound: Error {}

    public static func read() throws -> [City] {
        guard let url = Bundle.module.url(forResource: "cities-large", withExtension: "jsonl") else {
            throw NotFound()
        }
        let decoder = JSONDecoder()
        return try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")).map { line in
            try decoder.decode(City.self, from: line)
        }
    }

    /// Writes the cities, unless they exist.
    public static func loadIfMissing(_ cities: [City], into collection: CollectionReference) async throws {
        let stored = try await collection.count.getAggregation(source: .server).count.intValue
        if stored != cities.count { try await load(cities, into: collection) }
    }

    /// Writes the cities under their GeoNames ids, 500 documents per commit.
    public static func load(_ cities: [City], into collection: CollectionReference) async throws {
        for start in stride(from: 0, to: cities.count, by: 500) {
            let batch = collection.firestore.batch()
            for city in cities[start..<min(start + 500, cities.count)] {
                guard let id = city.id else { continue }
                try batch.setData(from: city.located(), forDocument: collection.document(id))
            }
            try await batch.commit()
        }
    }
}
