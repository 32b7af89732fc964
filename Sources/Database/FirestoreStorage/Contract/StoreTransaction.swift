// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A transaction that writes, which nothing of its database overlaps. Valid inside the closure that receives it, on one thread.
package protocol StoreTransaction: CommitTransaction, FactTransaction, IndexTransaction {
    /// The last commit time before this transaction.
    var lastCommitTime: DocumentVersion { get }

    /// The clock by which commit times are made, in microseconds since 1970; nil if it is that of the engine.
    var clock: Int64? { get }

    func setLastCommitTime(_ time: DocumentVersion) throws(FirestoreError)

    /// Runs `body`. A failure undoes the changes of `body`, and preserves the earlier ones of the transaction.
    func savepoint<R>(_ body: () throws(FirestoreError) -> R) throws(FirestoreError) -> R

    /// Whether an error has ended the whole transaction, so that nothing of it will be stored.
    func isLost(after error: FirestoreError) -> Bool

    /// Removes changes committed before `horizon`, the oldest first and at most `limit` of them, so that no commit waits for a long
    /// clean-up. Returns how many were removed.
    func pruneLog(before horizon: DocumentVersion, limit: Int) throws(FirestoreError) -> Int
}

/// Documents and their history. Every call sees the changes that were made before it in the same transaction.
package protocol CommitTransaction: AnyObject {
    func document(_ key: DocumentKey) throws(FirestoreError) -> Document?

    /// Stores the new state of a document and records the old one in the change log. Returns the document's place.
    @discardableResult
    func store(_ change: CommittedChange, at time: DocumentVersion) throws(FirestoreError) -> DocumentPlace

    /// The change log is complete for commits at or after this time.
    func logFloor() throws(FirestoreError) -> DocumentVersion

    /// Visits the states at `time` of all documents of a scope that a commit after `time` changed, once each, until `body` stops it.
    func states(
        at time: DocumentVersion, in scope: QueryScope, _ body: (EarlierState) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError)
}

/// Small values that parts of the engine store beside the documents, each under a key.
package protocol FactTransaction: AnyObject {
    func fact(_ key: String) throws(FirestoreError) -> ByteSlice?

    /// Stores a value under a key, replacing the previous one; nil removes it.
    func setFact(_ key: String, _ value: ByteSlice?) throws(FirestoreError)

    /// Calls `body` with every value whose key lies in a range of ASCII keys, in order. The bytes are valid during the call.
    func facts(
        in keys: Range<String>, _ body: (String, UnsafeRawBufferPointer) throws(FirestoreError) -> Void
    ) throws(FirestoreError)

    /// Removes every value whose key lies in a range of ASCII keys.
    func removeFacts(in keys: Range<String>) throws(FirestoreError)
}

/// The catalog of indexes and their entries. Keys are bytes here; their meaning is the caller's.
package protocol IndexTransaction: AnyObject {
    // MARK: Catalog

    /// The indexes as changed by this transaction.
    func catalog() throws(FirestoreError) -> IndexCatalog

    /// Adds a new index to the catalog, without entries; its build can begin.
    func addIndex(_ definition: IndexDefinition, isConfigured: Bool) throws(FirestoreError)

    func setConfigured(_ isConfigured: Bool, _ index: StoredIndex) throws(FirestoreError)

    /// Notes whether documents expire by an index.
    func setForExpiry(_ isForExpiry: Bool, _ index: StoredIndex) throws(FirestoreError)

    /// From here on commits maintain the entries of all documents up to this place.
    func setBuilt(_ index: StoredIndex, to position: IndexPosition) throws(FirestoreError)

    /// From here on queries use the index and commits maintain all of it.
    func setReady(_ index: StoredIndex) throws(FirestoreError)

    /// From here on the index is neither used nor maintained; `removeEntries` deletes its entries.
    func drop(_ index: StoredIndex) throws(FirestoreError)

    /// Removes at most `limit` entries of a dropped index, and with the last entry the index itself. Returns how many.
    func removeEntries(ofDropped number: Int64, limit: Int) throws(FirestoreError) -> Int

    /// Stores when queries last used an index. Does not change the catalog version: no decision depends on it immediately.
    func setLastUse(_ time: DocumentVersion, of index: Int64) throws(FirestoreError)

    func lastUses() throws(FirestoreError) -> [Int64: DocumentVersion]

    // MARK: Entries

    /// Visits the documents of all collections with an id in the order of building, after a position, until `body` stops it.
    func walk(
        collectionID: String, after position: IndexPosition?,
        _ body: (_ place: DocumentPlace, borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) -> BuildStretch

    /// Adds an entry of a stored document, or replaces the one with the same key.
    ///
    /// - Parameter kinds: See `IndexEntries`.
    func addEntry(_ key: [UInt8], of index: StoredIndex, at place: DocumentPlace, kinds: Int64) throws(FirestoreError)

    func removeEntry(_ key: [UInt8], of index: StoredIndex, at place: DocumentPlace) throws(FirestoreError)
}
