// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreGeo
import FirestoreTesting
import Foundation
import Testing

/// The code of the article "Beyond the Apple SDK".
@Suite struct ExtraSnippets {
    @Test func `reads of the past`() async throws {
        let db = try TestFirestore(startingAt: Date(timeIntervalSinceNow: -1_800))
        let trails = try await StartSnippets.fill(db.firestore)
        db.clock.advance(by: .seconds(1_800))
        try await trails.document("ridge").delete()
        // snippet: extras-past
        let tenMinutesAgo = Timestamp(seconds: Timestamp().seconds - 600, nanoseconds: 0)
        let earlier = try await trails.getDocuments(at: tenMinutesAgo)
        // end snippet
        #expect(earlier.count == 3)
        #expect(try await trails.getDocuments().count == 2)
    }

    @Test func `queries in transactions`() async throws {
        let db = try TestFirestore().firestore
        let holds = db.collection("holds")
        try await holds.document("old").setData(["until": Timestamp(seconds: 0, nanoseconds: 0)])
        // snippet: extras-transaction
        let freed = try await db.runTransaction { transaction, errorPointer in
            do {
                let expired = try transaction.getDocuments(holds.whereField("until", isLessThan: Date()))
                for hold in expired.documents { transaction.deleteDocument(hold.reference) }
                return expired.count
            } catch {
                errorPointer?.pointee = error as NSError
                return nil
            }
        }
        // end snippet
        #expect(freed as? Int == 1)
    }

    @Test func `vectors`() async throws {
        let db = try TestFirestore().firestore
        let trails = db.collection("trails")
        try await trails.document("ridge").setData(["embedding": VectorValue([1, 0])])
        try await trails.document("lake").setData(["embedding": VectorValue([0, 1])])
        // snippet: extras-vectors
        let similar = trails.findNearest(
            vectorField: "embedding", queryVector: VectorValue([0.9, 0.1]), limit: 5, distanceMeasure: .cosine)
        for document in try await similar.getDocuments().documents { print(document.documentID) }
        // end snippet
        #expect(try await similar.getDocuments().documents.map(\.documentID) == ["ridge", "lake"])
    }

    @Test func `a query finds documents near a point`() async throws {
        let db = try TestFirestore().firestore
        // snippet: extras-near
        let here = GeoPoint(latitude: 47.42, longitude: 10.98)
        try await db.document("huts/stone").setData(["location": here, "geohash": here.geohash(), "open": true])

        let open = db.collection("huts").whereField("open", isEqualTo: true)
        for hut in try await open.getDocuments(near: here, radius: 5_000, limit: 10) {
            print(hut.document.documentID, Int(hut.distance), "m")
        }
        // end snippet
        #expect(try await open.getDocuments(near: here, radius: 5_000).map(\.document.documentID) == ["stone"])
    }
}
