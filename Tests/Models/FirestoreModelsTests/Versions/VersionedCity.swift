// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels

/// A city in its fourth form: `pop` became `population`, tags came, the zip moved into an address.
struct VersionedCity: Codable, Equatable, VersionedModel {
    var population: Int
    var tags: [String]
    var address: Address?

    struct Address: Codable, Equatable { var zip: String }

    static let schemaVersion = 3
    static let migrations: [ModelMigration] = [
        .step(from: 0) { $0.rename("pop", to: "population") },
        .step(from: 1) { $0["tags"] = .array([]) },
        .step(from: 2) { $0.move("zip", to: "address.zip") },
    ]
}
