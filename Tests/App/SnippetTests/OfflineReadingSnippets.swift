// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreTesting
import Foundation
import Testing

/// More code of the page "Working offline". Embedded, every source is the database.
@Suite struct OfflineReadingSnippets {
    @Test func `a cache of your choice`() throws {
        let db = try TestFirestore().firestore
        // snippet: offline-settings
        let settings = db.settings
        settings.cacheSettings = PersistentCacheSettings(sizeBytes: 209_715_200)
        settings.cacheIsPerUser = true
        db.settings = settings  // before the first read or write
        // end snippet
        #expect(db.settings.cacheIsPerUser)
    }

    @Test func `the network is switched off and on`() async throws {
        let db = try TestFirestore().firestore
        // snippet: offline-network
        try await db.disableNetwork()
        let saved = try await db.collection("trails").getDocuments()  // from the cache, immediately
        try await db.enableNetwork()
        // end snippet
        #expect(saved.isEmpty)
    }

    @Test func `reads from the cache`() async throws {
        let db = try TestFirestore().firestore
        // snippet: offline-sources
        let ridge = try await db.document("trails/ridge").getDocument(source: .cache)
        let counted = try await db.collection("trails").count.getAggregation(source: .cache)
        // end snippet
        #expect(!ridge.exists && counted.count == 0)
    }

    @Test func `a snapshot has metadata`() throws {
        let db = try TestFirestore().firestore
        // snippet: offline-metadata
        let listener = db.collection("trails").addSnapshotListener(includeMetadataChanges: true) { snapshot, _ in
            guard let snapshot else { return }
            let unsaved = snapshot.documents.filter { $0.metadata.hasPendingWrites }
            print(snapshot.metadata.isFromCache ? "As last seen" : "Up to date", "\(unsaved.count) not uploaded")
        }
        // end snippet
        listener.remove()
    }
}
