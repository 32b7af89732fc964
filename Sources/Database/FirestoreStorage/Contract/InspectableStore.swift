// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A store whose consistency can be checked.
package protocol InspectableStore: DocumentStore {
    /// Checks everything except the entries of indexes, which `IndexCheck` computes. Reads the whole database.
    func inspectConsistency() throws(FirestoreError) -> ConsistencyReport

    /// Reads on the calling thread, with what the check of indexes needs.
    func inspect<R>(_ body: (any InspectableSnapshot) throws(FirestoreError) -> R) throws(FirestoreError) -> R
}

/// What the check of indexes needs beyond queries: documents with their handles, and single entries.
package protocol InspectableSnapshot: StoreSnapshot {
    /// Every readable document of all collections with an id, with its handle and its place in the order of building.
    func inspectDocuments(
        collectionID: String,
        _ body: (_ handle: DocumentHandle, _ place: DocumentPlace, borrowing ScannedDocument) throws(FirestoreError) -> Void
    ) throws(FirestoreError)

    /// The document that an entry refers to, and its kinds of numbers if it has them; nil if the entry does not exist.
    func entry(
        _ key: [UInt8], of index: StoredIndex, in collection: Int64
    ) throws(FirestoreError) -> (document: DocumentHandle, kinds: Int64?)?

    /// The number of entries of indexes that are not in the catalog.
    func entriesWithoutIndex() throws(FirestoreError) -> Int
}
