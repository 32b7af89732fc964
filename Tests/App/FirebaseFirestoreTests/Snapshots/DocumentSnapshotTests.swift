// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Snapshots of documents and queries, and their metadata.
@Suite struct DocumentSnapshotTests {
    let db = Scratch.firestore()

    @Test func `a snapshot shows the document`() async throws {
        let city = db.document("cities/SF")
        try await city.setData(["name": "San Francisco", "info": ["hills": 43], "a.b": 1])
        let snapshot = try await city.getDocument(source: .server)
        #expect(snapshot.exists)
        #expect(snapshot.reference == city)
        #expect(snapshot.documentID == "SF")
        #expect(!snapshot.metadata.hasPendingWrites && !snapshot.metadata.isFromCache)
        #expect(snapshot.data()?["name"] as? String == "San Francisco")
        #expect(snapshot.data(with: .estimate)?.count == 3)
        #expect(snapshot.get("info.hills") as? Int == 43)
        #expect(snapshot.get("info.hills", serverTimestampBehavior: .previous) as? Int == 43)
        #expect(snapshot.get(FieldPath(["a.b"])) as? Int == 1)
        #expect(snapshot["name"] as? String == "San Francisco")
        #expect(snapshot.get("nothing") == nil)
        // A string that is not a field path does not name a field.
        #expect(snapshot.get("a..b") == nil)
        #expect(snapshot.get(7) == nil)
        #expect(snapshot[FieldPath([])] == nil)
    }

    @Test func `a missing document is a snapshot without data`() async throws {
        for source: FirestoreSource in Mode.can(.oneAuthority) ? [.default, .server, .cache] : [.default, .server] {
            let snapshot = try await db.document("cities/none").getDocument(source: source)
            #expect(!snapshot.exists)
            #expect(snapshot.data() == nil)
            #expect(snapshot.data(with: .none) == nil)
            #expect(snapshot.get("a") == nil)
            #expect(snapshot.documentID == "none")
        }
    }

    @Test func `completions deliver the results of the async forms`() async throws {
        let city = db.document("cities/SF")
        try await city.setData(["a": 1])
        let snapshot: DocumentSnapshot? = await completion { done in
            city.getDocument { snapshot, error in
                #expect(error == nil)
                done(snapshot)
            }
        }
        #expect(snapshot == (try await city.getDocument()))
        if Mode.can(.oneAuthority) {
            let cached: DocumentSnapshot? = await completion { done in
                city.getDocument(source: .cache) { snapshot, _ in done(snapshot) }
            }
            #expect(cached == snapshot)
        }
        let result: QuerySnapshot? = await completion { done in
            db.collection("cities").getDocuments { snapshot, _ in done(snapshot) }
        }
        #expect(result == (try await db.collection("cities").getDocuments(source: .server)))
        let again: QuerySnapshot? = await completion { done in
            db.collection("cities").getDocuments(source: .default) { snapshot, _ in done(snapshot) }
        }
        #expect(again?.documents.first?.data().count == 1)
    }

    @Test func `equality goes by document, data and metadata`() async throws {
        let city = db.document("cities/SF")
        try await city.setData(["a": 1])
        let first = try await city.getDocument()
        let second = try await city.getDocument()
        #expect(first == second && first.hash == second.hash)
        try await city.setData(["a": 2])
        #expect(first != (try await city.getDocument()))
    }

    @Test func `a query snapshot lists documents and changes`() async throws {
        let cities = db.collection("cities")
        for id in ["b", "a"] { try await cities.document(id).setData(["id": id]) }
        let snapshot = try await cities.getDocuments()
        #expect(snapshot.query == cities)
        #expect(snapshot.count == 2 && !snapshot.isEmpty)
        #expect(snapshot.documents.map(\.documentID) == ["a", "b"])
        #expect(snapshot.documents[0].data(with: .none)["id"] as? String == "a")
        #expect(snapshot.documentChanges.map(\.type) == [.added, .added])
        #expect(snapshot.documentChanges.map(\.newIndex) == [0, 1])
        #expect(snapshot.documentChanges.map(\.oldIndex) == [UInt(NSNotFound), UInt(NSNotFound)])
        #expect(snapshot.documentChanges(includeMetadataChanges: true).count == 2)
        #expect(snapshot.documentChanges[1].document.documentID == "b")
        #expect(!snapshot.metadata.isFromCache)
    }
}
