// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreTesting
import Foundation
import Testing

/// The code of the README and of the landing page.
@Suite struct StartSnippets {
    /// Three trails, two of them in the Alps.
    static func fill(_ db: Firestore) async throws -> CollectionReference {
        let trails = db.collection("trails")
        let rows = [("ridge", "Ridge Walk", "Alps", 11.5), ("lake", "Lake Loop", "Alps", 6), ("moor", "Moor Path", "Harz", 4)]
        for (id, name, region, kilometers) in rows {
            try trails.document(id).setData(from: Trail(name: name, region: region, kilometers: kilometers))
        }
        try await db.waitForPendingWrites()
        return trails
    }

    /// Only compiled: a test leaves the database of the user alone.
    private static func open() -> Firestore {
        // snippet: open
        let db = Firestore.firestore()
        // end snippet
        return db
    }

    @Test func `documents are written and read`() async throws {
        let db = try TestFirestore().firestore
        // snippet: write
        let trails = db.collection("trails")
        try await trails.document("ridge").setData(["name": "Ridge Walk", "region": "Alps", "kilometers": 11.5])
        try await trails.document("ridge").updateData(["open": true])

        let (reference, receipt) = try trails.addDocument(from: Trail(name: "Lake Loop", region: "Alps", kilometers: 6))
        try await receipt.acknowledged

        let lake = try await reference.getDocument(as: Trail.self)
        print(lake.id ?? "", lake.name)
        // end snippet
        #expect(lake.id == reference.documentID && lake.addedAt != nil)
        #expect(try await trails.document("ridge").getDocument()["open"] as? Bool == true)
    }

    private static func listen(_ trails: CollectionReference) async throws {
        // snippet: listen
        for try await result in trails.whereField("region", isEqualTo: "Alps").snapshots(as: Trail.self) {
            print(result.values.map(\.name))
        }
        // end snippet
    }

    @Test func `a loop over snapshots ends with its task`() async throws {
        let trails = try await Self.fill(TestFirestore().firestore)
        let task = Task { try await Self.listen(trails) }
        task.cancel()
        try await task.value
    }
}
