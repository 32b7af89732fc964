// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import FirestoreTesting
import Foundation
import Testing

/// The three lines of the README about mapping beyond the guide.
struct BeyondSnippets {
    @Test func `the three lines run`() async throws {
        let db = try TestFirestore().firestore
        let trails = db.collection("trails")
        try await trails.document("ridge").setData(["name": "Ridge Walk", "region": "Alps", "kilometers": 9, "open": true])
        // snippet: beyond
        try await trails.document("ridge").update(as: Trail.self) { $0.kilometers += 0.5 }
        let short = try await db.collection("trails", of: Trail.self).where { $0.kilometers < 10 }.get()
        print(try await trails.audit(as: Trail.self))
        // end snippet
        #expect(short.map(\.kilometers) == [9.5])
        #expect(try await trails.document("ridge").getDocument()["open"] as? Bool == true)
    }
}
