// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// `setIndexConfiguration` and `persistentCacheIndexManager`, acting on the embedded indexes.
@Suite(.only(.indexes)) struct IndexManagementTests {
    static let configuration = #"""
        {"indexes":[{"collectionGroup":"cities","queryScope":"COLLECTION","fields":[
          {"fieldPath":"country","order":"ASCENDING"},{"fieldPath":"population","order":"DESCENDING"}]}],
         "fieldOverrides":[{"collectionGroup":"cities","fieldPath":"name","indexes":[{"order":"ASCENDING","queryScope":"COLLECTION_GROUP"}]}]}
        """#

    private func database(_ policy: FirestoreSettings.IndexPolicy = .manual) -> Firestore {
        let db = Scratch.firestore()
        let settings = db.settings
        settings.indexPolicy = policy
        db.settings = settings
        return db
    }

    private func fill(_ db: Firestore) async throws {
        let batch = db.batch()
        for n in 0..<20 { batch.setData(["country": n % 2, "population": n, "name": "\(n)"], forDocument: db.document("cities/\(n)")) }
        try await batch.commit()
    }

    @Test func `a configuration is built, shown and replaced`() async throws {
        let db = database()
        try await fill(db)
        try await db.setIndexConfiguration(Self.configuration)
        try await db.waitForIndexes()
        let shown = try await db.indexConfiguration()
        #expect(shown.contains("\"population\"") && shown.contains("\"COLLECTION_GROUP\"") && shown.hasSuffix("}\n"))
        // What is shown can be configured.
        try await db.setIndexConfiguration(shown)
        #expect(try await db.indexConfiguration() == shown)
        let query = db.collection("cities").whereField("country", isEqualTo: 1).order(by: "population", descending: true).limit(to: 2)
        #expect(try await query.getDocuments().documents.map(\.documentID) == ["19", "17"])
        try await db.setIndexConfiguration(InputStream(data: Data(#"{"indexes":[]}"#.utf8)))
        try await db.waitForIndexes()
        #expect(try await !db.indexConfiguration().contains("population"))
        #expect(try await query.getDocuments().documents.map(\.documentID) == ["19", "17"])
    }

    @Test func `what is shown keeps the offsets of fields that documents expire by`() async throws {
        let db = database()
        try await db.setTimeToLive(on: "orders", field: "made", offset: .seconds(2_592_000))
        try await db.setTimeToLive(on: "sessions", field: FieldPath(["a", "until"]))
        #expect(try await db.timeToLive(on: "orders") == TimeToLive(field: FieldPath(["made"]), offset: .seconds(2_592_000)))
        #expect(try await db.timeToLive(on: "none") == nil)
        try await db.document("orders/a").setData(["made": Timestamp()])
        try await db.setIndexConfiguration(try await db.indexConfiguration())
        #expect(try await db.timeToLive(on: "orders")?.offset == .seconds(2_592_000))
        #expect(try await db.timeToLive(on: "sessions") == TimeToLive(field: FieldPath(["a", "until"]), offset: .zero))
        // Another field has no offset to keep, and what is not there ends.
        let other = #"{"fieldOverrides":[{"collectionGroup":"sessions","fieldPath":"made","ttl":true,"indexes":[]}]}"#
        try await db.setIndexConfiguration(other)
        #expect(try await db.timeToLive(on: "orders") == nil)
        #expect(try await db.timeToLive(on: "sessions") == TimeToLive(field: FieldPath(["made"]), offset: .zero))
        #expect(try await db.document("orders/a").getDocument().exists)
    }

    @Test func `both forms with completion handlers`() async throws {
        let db = database()
        let first: (any Error)? = await completion { done in db.setIndexConfiguration(Self.configuration) { done($0) } }
        #expect(first == nil)
        let stream = InputStream(data: Data(#"{"indexes":[{"fields":[]}]}"#.utf8))
        let second: (any Error)? = await completion { done in db.setIndexConfiguration(stream) { done($0) } }
        #expect(isFailure(second, .invalidArgument, naming: "indexes[0]"))
    }

    @Test(arguments: ["", "{", "[]", #"{"indexes":[{"collectionGroup":"c","fields":[{"fieldPath":"a"}]}]}"#])
    func `a malformed configuration is rejected and changes nothing`(text: String) async throws {
        let db = database()
        try await db.setIndexConfiguration(Self.configuration)
        let before = try await db.indexConfiguration()
        #expect(isFailure(await failure { try await db.setIndexConfiguration(text) }, .invalidArgument))
        #expect(try await db.indexConfiguration() == before)
    }

    @Test func `a required index that is missing is named, and the needed ones fit`() async throws {
        let db = database(.required)
        try await fill(db)
        let query = db.collection("cities").whereField("country", isEqualTo: 1).order(by: "population", descending: true)
        #expect(isFailure(await failure { try await query.getDocuments() }, .failedPrecondition))
        let needed = try await db.neededIndexConfiguration()
        #expect(needed.contains("\"country\"") && needed.contains("\"population\""))
        try await db.setIndexConfiguration(needed)
        try await db.waitForIndexes()
        #expect(try await query.getDocuments().count == 10)
    }

    @Test func `the manager is one object, and switches indexes by need on and off`() async throws {
        let db = database(.automatic)
        let manager = try #require(db.persistentCacheIndexManager)
        #expect(db.persistentCacheIndexManager === manager)
        manager.disableIndexAutoCreation()
        manager.enableIndexAutoCreation()
        try await db.setIndexConfiguration(Self.configuration)
        manager.deleteAllIndexes()
        #expect(try await !db.indexConfiguration().contains("population"))
        try await db.terminate()
        manager.enableIndexAutoCreation()
        manager.deleteAllIndexes()
        // It only says that its calls fail. (UnhandledFailureTests)
        db.persistentCacheIndexManager?.disableIndexAutoCreation()
        #expect(isFailure(await failure { try await db.indexConfiguration() }, .failedPrecondition))
    }

    @Test func `there is no manager if the settings select a cache in memory`() {
        let first = Scratch.firestore()
        let settings = first.settings
        settings.cacheSettings = MemoryCacheSettings()
        first.settings = settings
        #expect(first.persistentCacheIndexManager == nil)
        let second = Scratch.firestore()
        let others = second.settings
        others.isPersistenceEnabled = false
        second.settings = others
        #expect(second.persistentCacheIndexManager == nil)
    }
}
