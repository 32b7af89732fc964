// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import Foundation
import ModeSupport

/// What the rows of the compatibility table work on: a database in memory, with three letters that no row changes.
struct CompatibilityFixture: Sendable {
    let db = Scratch.firestore()

    /// The documents a, b and c, with n from 1 to 3 and tags.
    var letters: CollectionReference { db.collection("letters") }

    init() async throws {
        for (index, tags) in [["x", "y"], ["y"], ["z"]].enumerated() {
            try await letters.document(["a", "b", "c"][index]).setData(["n": index + 1, "tags": tags])
        }
        // A cache in memory retains what a listener shows.
        let told = Collector<Int>()
        letters.addSnapshotListener { snapshot, _ in told.append(snapshot?.count ?? 0) }
        _ = await told.first(1)
    }

    // MARK: Documents and collections for one row

    func freshCollection() -> CollectionReference { db.collection("fresh-\(UUID().uuidString)") }

    func fresh() -> DocumentReference { freshCollection().document() }

    /// A document that was written, and changed if there are changes.
    func fresh(_ data: [String: Any], then changes: [AnyHashable: Any] = [:]) async throws -> DocumentReference {
        let reference = fresh()
        try await reference.setData(data)
        if !changes.isEmpty { try await reference.updateData(changes) }
        return reference
    }

    /// A document with a server timestamp in `at`.
    func stamped() async throws -> DocumentSnapshot {
        try await fresh(["at": FieldValue.serverTimestamp()]).getDocument()
    }

    // MARK: What rows ask

    func numbers(_ reference: DocumentReference) async throws -> [String: Int] {
        try await db.waitForPendingWrites()
        return try await reference.getDocument(as: [String: Int].self)
    }

    /// Whether each of the queries finds these documents of one letter, in this order.
    func finds(_ ids: String, _ queries: Query...) async throws -> Bool {
        for query in queries {
            let found = try await query.getDocuments().documents.map(\.documentID).joined()
            if found != ids { return false }
        }
        return true
    }

    /// Whether each of the filters finds these letters.
    func finds(_ ids: String, filters: Filter...) async throws -> Bool {
        for filter in filters {
            let found = try await finds(ids, letters.whereFilter(filter))
            if !found { return false }
        }
        return true
    }

    /// The first snapshot of a listener.
    func first<Snapshot: Sendable>(
        _ listen: (@escaping (Snapshot?, (any Error)?) -> Void) -> any ListenerRegistration
    ) async -> Snapshot? {
        let told = Collector<Snapshot?>()
        let registration = listen { snapshot, _ in told.append(snapshot) }
        defer { registration.remove() }
        return await told.first(1)[0]
    }

    /// The changes that a listener receives while a document is added, changed and deleted.
    func changes() async throws -> [DocumentChange] {
        let collection = freshCollection()
        let document = collection.document("one")
        var iterator = collection.snapshots.makeAsyncIterator()
        _ = try await iterator.next()
        var changes: [DocumentChange] = []
        try await document.setData(["n": 1])
        changes += try await iterator.next()?.documentChanges ?? []
        try await document.setData(["n": 2])
        changes += try await iterator.next()?.documentChanges ?? []
        try await document.delete()
        changes += try await iterator.next()?.documentChanges ?? []
        return changes
    }

    /// Runs a transaction; what the body throws is reported as the guide does it.
    func transact(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
        try await db.runTransaction { transaction, errorPointer in
            do {
                try body(transaction)
            } catch {
                errorPointer?.pointee = error as NSError
            }
            return nil
        }
    }
}

extension CompatibilityFixture {
    /// A bundle that has not been loaded: the document bundled/a with n = 1, and the query "bundled".
    func bundle() -> Data {
        var bundle = BundleText(project: db.app.options.projectID ?? "")
        bundle.id = UUID().uuidString
        bundle.document("bundled/a", n: 1)
        bundle.query(
            "bundled",
            #"{"from":[{"collectionId":"bundled"}],"where":{"fieldFilter":{"field":{"fieldPath":"n"},"op":"EQUAL","value":{"integerValue":"1"}}}}"#)
        return bundle.data
    }

    /// A bundle that is being loaded.
    func loading() -> LoadBundleTask { db.loadBundle(bundle(), completion: nil) }

    /// How the loading of a bundle ends.
    func lastState(of task: LoadBundleTask) async -> LoadBundleTaskState? {
        let told = Collector<LoadBundleTaskState>()
        task.addObserver { told.append($0.state) }
        return await told.elements { $0.last.map { $0 != .inProgress } ?? false }.last
    }
}
