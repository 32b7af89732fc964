// SPDX-License-Identifier: Apache-2.0

// snippet: program
import FirebaseFirestore
import Foundation

// snippet: trail
struct Trail: Codable {
    @DocumentID var id: String?
    var name: String
    var region: String
    var kilometers: Double
    @ServerTimestamp var addedAt: Date?
}
// end snippet

struct App {
    static func main() async throws {
        let trails = Firestore.firestore().collection("trails")
        let ridge = Trail(name: "Ridge Walk", region: "Alps", kilometers: 11.5)
        try await trails.document("ridge").setData(from: ridge).acknowledged

        let stored = try await trails.document("ridge").getDocument(as: Trail.self)
        print(stored.id ?? "", stored.name, stored.addedAt ?? .distantPast)
    }
}
// end snippet

import FirestoreModels

// snippet: trail-fields
extension Trail: FirestoreModel {
    struct Fields: Sendable {
        let kilometers = ModelField<Trail, Double, FieldKind.Required>(CodingKeys.kilometers)
    }
    static let fields = Fields()
}
// end snippet
