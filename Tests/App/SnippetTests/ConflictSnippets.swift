// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreTesting
import Testing

/// The code about conflicts of the page "Working offline". Embedded, nothing comes between a call and its write.
@Suite struct ConflictSnippets {
    @Test func `a handler merges`() async throws {
        let db = try TestFirestore().firestore
        try await db.document("trails/ridge").setData(["name": "Ridge Walk"])
        // snippet: offline-conflict
        try await db.document("trails/ridge").updateData(["open": true], onConflict: .resolve { conflict in
            guard let mine = conflict.local.data(), let theirs = conflict.remote.data() else { return .theirs }
            return .merge(theirs.merging(mine) { _, mine in mine })
        })
        // end snippet
        #expect(try await db.document("trails/ridge").getDocument().get("open") as? Bool == true)

        let trail = db.document("trails/ridge")
        let edited: [String: Any] = ["name": "Ridge Walk"]
        try await trail.setData(edited, onConflict: .requireUnchanged)
        #expect(try await trail.getDocument().get("open") == nil)
    }

    @Test func `one policy for all writes`() throws {
        let db = try TestFirestore().firestore
        // snippet: offline-conflict-settings
        let settings = db.settings
        settings.conflictPolicy = .requireUnchanged
        settings.conflictHandler = { conflict in conflict.remote.exists ? .mine : .theirs }
        db.settings = settings  // before the first read or write
        // end snippet
        #expect(db.settings.conflictPolicy == .requireUnchanged && db.settings.conflictHandler != nil)
    }

    @Test func `the cache, then the server`() async throws {
        let db = try TestFirestore().firestore
        // snippet: offline-cache-then-server
        for try await snapshot in db.collection("trails").snapshots(source: .cacheThenServer) {
            print(snapshot.metadata.isFromCache ? "As last seen" : "Up to date", snapshot.count)
        }
        // end snippet
        // snippet: offline-explain
        let explanation = try await db.collection("trails").order(by: "kilometers").explain(source: .cache)
        print(explanation)  // … answered from the cache, complete as of 2025-06-01T08:30:00Z
        if explanation.asOf == nil { print("Never synchronized") }
        // end snippet
        #expect(!explanation.isFromCache)
    }
}
