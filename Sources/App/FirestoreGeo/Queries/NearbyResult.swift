// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore

/// Collects the results of the queries for several ranges: each document once, and only those within the radius.
struct NearbyResult {
    let center: GeoPoint
    let radius: Double
    let locationField: String
    private var found: [DocumentKey: NearbyDocument] = [:]

    init(center: GeoPoint, radius: Double, locationField: String) {
        self.center = center
        self.radius = radius
        self.locationField = locationField
    }

    /// A document that moves from one range to another between two queries is found twice; the later state is used.
    mutating func add(_ snapshot: QueryDocumentSnapshot) {
        guard let document = snapshot.document, let location = snapshot.get(locationField) as? GeoPoint else { return }
        found[document.key] = NearbyDocument(
            document: snapshot, location: location, distance: center.distance(to: location))
    }

    /// Nearest first; equally near documents are sorted by path.
    func sorted(limit: Int?) -> [NearbyDocument] {
        let near = found.filter { $0.value.distance <= radius }
        let sorted = near.sorted { left, right in
            left.value.distance != right.value.distance ? left.value.distance < right.value.distance : left.key < right.key
        }
        return sorted.prefix(limit ?? sorted.count).map(\.value)
    }
}
