// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreTesting
import Foundation
import Testing

/// The code of the article "Listen to live updates".
@Suite struct ListeningSnippets {
    @Test func `a callback receives every change`() async throws {
        let db = try TestFirestore()
        let trails = try await StartSnippets.fill(db.firestore)
        // snippet: listening-callback
        let registration = trails.order(by: "name").addSnapshotListener { snapshot, error in
            guard let snapshot else {
                print("the listener ended:", error?.localizedDescription ?? "")
                return
            }
            for change in snapshot.documentChanges {
                switch change.type {
                case .added: print("new:", change.document.documentID)
                case .modified: print("changed:", change.document.documentID)
                case .removed: print("gone:", change.document.documentID)
                }
            }
        }
        // end snippet

        // snippet: listening-end
        registration.remove()
        // end snippet
    }

    @Test func `a loop ends when it has seen enough`() async throws {
        let db = try TestFirestore()
        let trails = try await StartSnippets.fill(db.firestore)
        // snippet: listening-sequence
        for try await snapshot in trails.whereField("region", isEqualTo: "Alps").snapshots {
            print(snapshot.count, "trails")
            if snapshot.count >= 2 { break }
        }
        // end snippet
    }

    @Test func `values arrive decoded`() async throws {
        let trails = try await StartSnippets.fill(TestFirestore().firestore)
        let task = Task {
            // snippet: listening-values
            for try await result in trails.snapshots(as: Trail.self) {
                print(result.values.map(\.name))
                for failure in result.failures { print(failure.document.documentID, failure.error) }
            }
            // end snippet
        }
        task.cancel()
        try await task.value
    }

    @Test func `a deleted document is nil`() async throws {
        let trails = try await StartSnippets.fill(TestFirestore().firestore)
        try await trails.document("ridge").delete()
        // snippet: listening-document
        for try await state in trails.document("ridge").snapshots(as: Trail?.self) {
            guard let trail = try state.get() else {
                print("the trail was deleted")
                break
            }
            print(trail.name)
        }
        // end snippet
    }

    // snippet: listening-property
    @MainActor
    final class TrailList {
        @FirestoreQuery(collectionPath: "trails", predicates: [.whereField("region", isEqualTo: "Alps"), .order(by: "name")])
        var trails: [Trail]
    }
    // end snippet

    /// Made only: reading the property would open the database of the user.
    @MainActor @Test func `a property needs no database before it is read`() {
        _ = TrailList()
    }
}
