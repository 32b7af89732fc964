// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// One consistent snapshot of a database: the input of queries. Valid inside the closure that receives it, on one thread.
package protocol StoreSnapshot: DocumentSource, NameRows {
    func documents(_ keys: [DocumentKey]) throws(FirestoreError) -> DocumentLookup

    /// Documents by key, as they were at an earlier moment, in the order of the keys.
    func documents(_ keys: [DocumentKey], at time: DocumentVersion) throws(FirestoreError) -> [Document?]

    /// When this database received the state of a document. A database that is the authority changes a document at its update time; a
    /// cache receives it later (decision 27).
    func changeTime(of document: Document) -> DocumentVersion

    // MARK: Change log

    /// The change log is complete for commits at or after this time.
    func logFloor() throws(FirestoreError) -> DocumentVersion

    /// Visits the states at `time` of all documents of a scope that a commit after `time` changed: the complete difference between this
    /// snapshot and the one at `time`. Each document one time, oldest change first, until `body` stops it.
    func states(
        at time: DocumentVersion, in scope: QueryScope, _ body: (EarlierState) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError)

    /// Everything changed after a moment, oldest first: what to undo to restore the state at that moment.
    func changes(
        after time: DocumentVersion,
        _ body: (_ time: DocumentVersion, _ key: DocumentKey, _ previous: Document?) throws(FirestoreError) -> Void
    ) throws(FirestoreError)

    // MARK: Facts and indexes

    func fact(_ key: String) throws(FirestoreError) -> ByteSlice?

    /// The indexes as this snapshot has them.
    func catalog() throws(FirestoreError) -> IndexCatalog

    /// When queries last used the indexes, by number, as far as it has been stored.
    func lastUses() throws(FirestoreError) -> [Int64: DocumentVersion]

    /// Counts the entries of an index, one by one, and the bytes of their columns.
    func extent(of index: Int64) throws(FirestoreError) -> (entries: Int, bytes: Int)

    /// The part of the documents that have been looked at for an index, from 0 to 1. Counts them while it is being built.
    func progress(of index: StoredIndex) throws(FirestoreError) -> Double
}

extension StoreSnapshot {
    /// All of the states, unordered.
    package func states(at time: DocumentVersion, in scope: QueryScope) throws(FirestoreError) -> [EarlierState] {
        var states: [EarlierState] = []
        try self.states(at: time, in: scope) { state in
            states.append(state)
            return .next
        }
        return states
    }

    package func documents(_ keys: [DocumentKey], at time: DocumentVersion) throws(FirestoreError) -> [Document?] {
        var documents = try self.documents(keys).documents
        var changed: [DocumentKey: [Int]] = [:]
        for (index, key) in keys.enumerated() {
            // A document that is missing now, or newer, may have had another state then; only the log has it.
            if documents[index].map({ changeTime(of: $0) > time }) ?? true { changed[key, default: []].append(index) }
        }
        var collections = Dictionary(grouping: changed.keys, by: \.collection).mapValues(\.count)
        for collection in Array(collections.keys) {
            try states(at: time, in: .collection(collection)) { state in
                guard let indices = changed.removeValue(forKey: state.key) else { return .next }
                for index in indices { documents[index] = state.document }
                collections[collection]? -= 1
                return collections[collection] == 0 ? .stop : .next
            }
        }
        return documents
    }
}
