// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// The collection that tests of pipelines read, as an app writes it.
enum Shop {
    static func fill(_ db: Firestore) async throws -> CollectionReference {
        let shop = db.collection("shop")
        let batch = db.batch()
        batch.setData(["k": "tea", "c": 3, "g": ["h": 1]], forDocument: shop.document("p1"))
        batch.setData(["k": "tea", "c": 3.0], forDocument: shop.document("p2"))
        batch.setData(["k": "rye", "c": NSNull(), "l": [1, 2]], forDocument: shop.document("p3"))
        batch.setData(["k": "oat", "l": [Int]()], forDocument: shop.document("p4"))
        batch.setData(["c": "x", "l": 9], forDocument: shop.document("p5"))
        try await batch.commit()
        return shop
    }
}
