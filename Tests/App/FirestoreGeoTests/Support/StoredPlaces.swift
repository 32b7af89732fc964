// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import FirestoreGeo
import Foundation

/// A database in memory with documents at points.
struct StoredPlaces {
    struct Stop: Codable {
        @DocumentID var id: String?
        var location: GeoPoint
        var geohash: String
        var number: Int
    }

    let db: Firestore

    init() {
        let name = "geo-" + UUID().uuidString
        let options = FirebaseOptions(googleAppID: "1:1:hearth:1", gcmSenderID: "1")
        options.projectID = "demo-geo"
        FirebaseApp.configure(name: name, options: options)
        db = FirebaseApp.app(name: name).map { Firestore.firestore(app: $0) } ?? Firestore.firestore(database: name)
        let settings = db.settings
        settings.storage = .memory
        db.settings = settings
    }

    func store(_ points: [GeoPoint], in path: String = "stops") async throws {
        for start in stride(from: 0, to: points.count, by: 500) {
            let batch = db.batch()
            for (offset, point) in points[start..<min(start + 500, points.count)].enumerated() {
                let number = start + offset
                let stop = Stop(location: point, geohash: try point.geohash(), number: number)
                try batch.setData(from: stop, forDocument: db.collection(path).document("\(number)"))
            }
            try await batch.commit()
        }
    }
}
