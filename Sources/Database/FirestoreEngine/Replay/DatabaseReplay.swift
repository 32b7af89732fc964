// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreIndexing
import FirestoreSQLite
package import FirestoreStorage

/// Repeats commits on a copy of a database that no engine has open: documents get the states and the times that the commits gave them, and
/// the entries of their indexes. The change log has nothing of it.
package final class DatabaseReplay {
    static let everything = QueryScope.kindless(under: nil, allDescendants: true)

    let store: SQLiteStore
    let kept = KeptIndexCache()
    /// Its name.
    package internal(set) var database: DatabaseID
    /// The time of the last commit that the database has.
    package private(set) var time: DocumentVersion

    /// Opens a copy. A copy of an earlier format is migrated.
    ///
    /// - Parameter isDraft: Whether the file is removed unless it is completed: then nothing waits for the disk.
    package convenience init(_ path: String, of database: DatabaseID, isDraft: Bool = false) throws(FirestoreError) {
        var opening = StoreOpening(keepsMigrationCopy: false)
        opening.continuesHistory = true
        let store = try SQLiteStore.open(StorePath(preparing: path), durability: .relaxed, databaseID: database, opening: opening)
        if isDraft { try store.writeAsDraft() }
        try self.init(store, of: database)
    }

    init(_ store: SQLiteStore, of database: DatabaseID) throws(FirestoreError) {
        self.store = store
        self.database = database
        time = try store.read { (view: any StoreSnapshot) in view.readTime }
    }

    package var history: DatabaseHistory? { store.history }

    /// Repeats commits, in one transaction. Commits that the database has already are left out.
    ///
    /// Fails if the database does not have the states that the commits replaced: a commit is missing, or the copy is another one.
    package func apply(_ commits: [CommittedChanges]) throws(FirestoreError) {
        let missing = commits.drop { $0.time <= time }
        guard let last = missing.last else { return }
        _ = try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
            let indexes = kept.indexes(of: try transaction.catalog())
            for commit in missing {
                for change in commit.changes { try apply(change, of: commit, indexes, in: transaction) }
            }
            try transaction.setLastCommitTime(last.time)
        }
        time = last.time
    }

    private func apply(
        _ change: CommittedChange, of commit: CommittedChanges, _ indexes: KeptIndexes, in transaction: WriteTransaction
    ) throws(FirestoreError) {
        guard try transaction.document(change.key) == change.old else {
            throw FirestoreError(
                .dataLoss,
                "the commit of \(commit.time.timestamp.text) replaced another state of the document than the copy has; a commit before it "
                    + "is missing", at: change.key.path)
        }
        try replace(change, indexes, in: transaction)
    }

    /// Replaces a document, without an entry in the change log.
    func replace(_ change: CommittedChange, _ indexes: KeptIndexes, in transaction: WriteTransaction) throws(FirestoreError) {
        let place = DocumentPlace(collection: try transaction.makeNumber(of: change.key.collection), id: change.key.encodedID)
        try indexes.keep(change, at: try transaction.replace(change, at: place), in: transaction)
    }

    /// Replaces the settings: configured indexes that are missing are added, and built when the database is opened.
    package func set(_ settings: DatabaseSettings) throws(FirestoreError) {
        _ = try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
            var missing = settings.indexes
            for index in try transaction.catalog().indexes {
                let isWanted = missing.contains(index.definition)
                missing.removeAll { $0 == index.definition }
                if index.isConfigured != isWanted { try transaction.setConfigured(isWanted, index) }
            }
            for definition in missing { try transaction.addIndex(definition, isConfigured: true) }
            try transaction.removeFacts(in: DatabaseSettings.facts)
            for (key, value) in settings.facts { try transaction.setFact(key, value) }
        }
    }

    package func settings() throws(FirestoreError) -> DatabaseSettings {
        try store.read { (view: any StoreSnapshot) throws(FirestoreError) in
            try DatabaseSettings(view, facts: (view as? ReadTransaction)?.facts(in: DatabaseSettings.facts) ?? [:])
        }
    }

    /// Calls `body` with every document.
    package func documents(_ body: (Document) throws(FirestoreError) -> Void) throws(FirestoreError) {
        try store.read { (view: any StoreSnapshot) throws(FirestoreError) in
            try view.scan(Self.everything, range: KeyRange(), descending: false) { (scanned) throws(FirestoreError) in
                try body(scanned.document())
                return .next
            }
        }
    }

    package func close() throws(FirestoreError) { try store.close() }
}

extension DatabaseInspection {
    /// Calls `body` with every document of a copy that only this process knows. Returns its last commit, and the last one that changed
    /// something as far as its change log reaches back.
    package static func documents(
        ofCopy path: String, _ body: (Document) throws(FirestoreError) -> Void
    ) throws(FirestoreError) -> (last: DocumentVersion, lastChange: DocumentVersion?) {
        let inspector = try StoreInspector(copy: path)
        defer { inspector.close() }
        return try inspector.read { (snapshot: ReadTransaction) throws(FirestoreError) in
            let all = QueryScope.kindless(under: nil, allDescendants: true)
            try snapshot.scan(all, range: KeyRange(), descending: false) { (scanned) throws(FirestoreError) in
                try body(scanned.document())
                return .next
            }
            return (snapshot.readTime, try snapshot.lastChange())
        }
    }
}
