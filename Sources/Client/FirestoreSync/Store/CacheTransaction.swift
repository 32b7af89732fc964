// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreIndexing
import FirestoreSQLite
import FirestoreStorage
import FirestoreWire

/// One transaction of a cache that writes: documents with their bases, overlays and index entries.
final class CacheTransaction {
    let sql: WriteTransaction
    let database: DatabaseID
    let isEager: Bool
    let now: Int64
    private let indexes: KeptIndexes
    /// As it will be when the transaction has committed.
    var meta: CacheMeta
    /// Documents that may have lost their last reference (SY-150).
    var potentialOrphans: Set<DocumentKey> = []
    /// Those of them that are retained because their acknowledged writes are unconfirmed…
    var unconfirmed: [DocumentKey] = []
    /// …and how many may be.
    var unconfirmedCapacity = 0
    var reconsidersUnconfirmed = false
    /// Batches that were read already, for the many documents of one batch.
    var knownBatches: [BatchID: BatchOfDocuments] = [:]
    /// Those that earlier transactions have read.
    var keptBatches = KeptBatches()
    let features: [any StoreFeature]
    private let observers: [any StoreFeature]

    init(
        _ sql: WriteTransaction, database: DatabaseID, isEager: Bool, now: Int64, indexes: KeptIndexes, meta: CacheMeta,
        features: [any StoreFeature]
    ) {
        self.sql = sql
        self.database = database
        self.isEager = isEager
        self.now = now
        self.indexes = indexes
        self.meta = meta
        self.features = features
        observers = features.filter(\.isObserving)
    }

    /// Notes a change for the features that observe the transaction.
    func note(_ change: CacheChange) throws(FirestoreError) { for observer in observers { try observer.note(change, in: self) } }

    var rows: CacheRows<WriteTransaction> { CacheRows(source: sql, hasBases: meta.baseCount > 0) }

    func entry(_ key: DocumentKey) throws(FirestoreError) -> CacheEntry { try rows.entry(key) }

    /// Stores what differs between two states of a document.
    func store(_ new: CacheEntry, replacing old: CacheEntry) throws(FirestoreError) {
        let (oldRow, newRow) = (old.row, new.row)
        guard oldRow != newRow || old.needsBase || new.needsBase else { return }
        let place = DocumentPlace(collection: try sql.makeNumber(of: new.key.collection), id: new.key.encodedID)
        try note(.document(place))
        if oldRow != newRow {
            let change = CommittedChange(key: new.key, old: oldRow, new: newRow)
            try indexes.keep(change, at: try sql.replace(change, at: place), in: sql)
        }
        if new.needsBase {
            guard !old.needsBase || old.remote != new.remote || old.overlay != new.overlay else { return }
            try storeBase(of: new, at: place)
            if !old.needsBase { meta.baseCount += 1 }
        } else if old.needsBase {
            try removeBase(at: place)
            meta.baseCount -= 1
        }
    }

    private func storeBase(of entry: CacheEntry, at place: DocumentPlace) throws(FirestoreError) {
        let row = try sql.statement("INSERT OR REPLACE INTO bases VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")
        let remote = entry.remote
        defer { withExtendedLifetime((place.id, remote)) {} }
        row.bind(1, place.collection)
        row.bind(2, place.id.buffer)
        row.bind(3, remote.kind.rawValue | (remote.isCommitted ? CacheRows<WriteTransaction>.committed : 0))
        row.bind(4, remote.version.microseconds)
        row.bind(5, remote.createTime.microseconds)
        row.bind(6, remote.readTime.microseconds)
        // Without an overlay the row of `documents` has the fields.
        if entry.overlay != nil, remote.kind == .found { row.bind(7, remote.fields.bytes.buffer) } else { row.bindNull(7) }
        row.bindNull(8)
        row.bindNull(9)
        row.bindNull(10)
        if let overlay = entry.overlay {
            row.bind(8, overlay.batch)
            switch overlay.effect {
            case .set: row.bind(9, 1)
            case .patch(let mask):
                row.bind(9, 2)
                row.bind(10, copying: FieldMaskEncoding.encode(mask))
            case .delete: row.bind(9, 3)
            }
        }
        try row.run()
    }

    private func removeBase(at place: DocumentPlace) throws(FirestoreError) {
        try sql.run("DELETE FROM bases WHERE collection = ?1 AND id = ?2", place.collection, place.id)
    }

    /// Runs a statement whose first two parameters are a document's collection and id; nothing for collections without a number.
    func run(_ text: String, on key: DocumentKey, _ third: Int64? = nil, creating: Bool = false) throws(FirestoreError) {
        guard let collection = try creating ? sql.makeNumber(of: key.collection) : sql.number(of: key.collection) else { return }
        let row = try sql.statement(text)
        let id = key.encodedID
        defer { withExtendedLifetime(id) {} }
        row.bind(1, collection)
        row.bind(2, id.buffer)
        if let third { row.bind(3, third) }
        try row.run()
    }

    /// Whether a statement with a document's collection and id finds a row.
    func exists(_ text: String, _ key: DocumentKey) throws(FirestoreError) -> Bool {
        try sql.rows(text, of: key) { (row) throws(FirestoreError) in try row.step() } ?? false
    }

    /// Gives a document outside all targets the sequence number of its last use (SY-153).
    func touch(_ key: DocumentKey) throws(FirestoreError) {
        guard !isEager else {
            potentialOrphans.insert(key)
            return
        }
        try run(
            """
            INSERT OR REPLACE INTO orphans SELECT ?1, ?2, ?3
            WHERE NOT EXISTS (SELECT 1 FROM target_documents WHERE collection = ?1 AND id = ?2)
            """, on: key, meta.sequence, creating: true)
    }
}
