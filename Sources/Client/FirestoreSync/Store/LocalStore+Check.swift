// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSemantics
import FirestoreSQLite
import FirestoreStorage

extension LocalStore {
    /// Compares the local view with what bases and pending batches give, and the tables with each other (SY-D13). Empty if the
    /// cache is consistent. Reads all that is pending.
    package func check() throws(FirestoreError) -> [String] {
        try perform(.inspectQueue) { (cache) throws(FirestoreError) in
            try CacheCheck(CacheRows(source: cache.sql, hasBases: true), cache.meta).findings()
        }
    }
}

/// Looks for what cannot be, in one transaction, which need not be one that writes.
final class CacheCheck<Source: StatementSource> {
    private let rows: CacheRows<Source>
    private let meta: CacheMeta
    /// Batches that were read already, for the many documents of one batch.
    private var knownBatches: [BatchID: BatchOfDocuments] = [:]

    init(_ rows: CacheRows<Source>, _ meta: CacheMeta) {
        self.rows = rows
        self.meta = meta
    }

    private var source: Source { rows.source }

    func findings() throws(FirestoreError) -> [String] {
        var findings: [String] = []
        let bases = try keys("SELECT collection, id FROM bases")
        if Int64(bases.count) != meta.baseCount {
            findings.append("the cache has \(bases.count) server states of documents, but its counter says \(meta.baseCount)")
        }
        let pending = try keys(
            """
            SELECT DISTINCT collection, batch_documents.id FROM batch_documents JOIN batches ON batches.id = batch WHERE user = ?1
            """, of: meta.user)
        for key in Set(bases).union(pending).sorted() {
            findings += try self.findings(on: key, isPending: pending.contains(key))
        }
        let queries = [
            ("documents of queued calls that do not exist", "SELECT 1 FROM batch_documents WHERE batch NOT IN (SELECT id FROM batches)"),
            ("documents of targets that do not exist", "SELECT 1 FROM target_documents WHERE target NOT IN (SELECT id FROM targets)"),
            ("queued calls newer than the newest", "SELECT 1 FROM batches WHERE id > (SELECT highest_batch FROM sync_meta)"),
            ("targets newer than the newest", "SELECT 1 FROM targets WHERE id > (SELECT highest_target FROM sync_meta)"),
        ]
        findings += try findingsOnBatches()
        for (name, query) in queries where try source.exists(query) { findings.append("there are \(name)") }
        return findings
    }

    private func findingsOnBatches() throws(FirestoreError) -> [String] {
        var findings: [String] = []
        var count: Int64 = 0
        let row = try source.statement("SELECT \(rows.batchColumns) FROM batches ORDER BY id")
        defer { row.reset() }
        while try row.step() {
            count += 1
            let batch = try rows.batch(in: row)
            for key in batch.keys where try !rows.batchNumbers(of: key).contains(batch.id) {
                findings.append("document \(key.path): that batch \(batch.id) writes it is not recorded")
            }
        }
        if count != meta.batchCount { findings.append("there are \(count) pending batches, but \(meta.batchCount) are counted") }
        return findings
    }

    private func findings(on key: DocumentKey, isPending: Bool) throws(FirestoreError) -> [String] {
        let entry = try rows.entry(key)
        let stored = try rows.document(key)
        let batches = try batches(of: key)
        var findings: [String] = []
        func report(_ text: String) { findings.append("document \(key.path): \(text)") }
        if stored != entry.row { report("the local view is not what the server's state and the pending writes give") }
        var replayed = entry
        replayed.replay(batches)
        guard let overlay = entry.overlay else {
            if replayed.overlay != nil { report("pending writes are not applied") }
            return findings
        }
        if !isPending { report("changes are pending, but no queued call contains them") }
        if let newest = batches.last?.batch.id, newest != overlay.batch {
            report("the newest queued call is \(newest), and not \(overlay.batch)")
        }
        switch overlay.effect {
        case .set: if stored == nil { report("a pending set is not applied") }
        case .delete: if stored != nil { report("a pending delete is not applied") }
        case .patch(let mask):
            let merged = FieldMerge.apply(
                FieldMerge.edits(from: entry.overlaid ?? .empty, mask: mask), to: entry.remote.fields)
            if stored?.fields != merged { report("fields differ from the server's state that no pending write has changed") }
        }
        return findings
    }

    /// Those of the user that the local view shows.
    private func batches(of key: DocumentKey) throws(FirestoreError) -> [BatchOfDocuments] {
        var batches: [BatchOfDocuments] = []
        for number in try rows.batchNumbers(of: key) {
            if knownBatches[number] == nil { knownBatches[number] = try rows.batch(number).map(BatchOfDocuments.init) }
            if let known = knownBatches[number], known.batch.user == meta.user { batches.append(known) }
        }
        return batches
    }

    private func keys(_ query: String, of user: SyncUser? = nil) throws(FirestoreError) -> [DocumentKey] {
        let row = try source.statement(query)
        defer { row.reset() }
        if let user { row.bind(1, copying: user.stored) }
        var keys: [DocumentKey] = []
        while try row.step() { keys.append(try rows.key(in: row, at: 0)) }
        return keys
    }
}
