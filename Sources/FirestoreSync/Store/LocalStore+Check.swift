// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSemantics
import FirestoreStorage

extension LocalStore {
    /// Compares the local view with what bases and pending batches give, and the tables with each other (SY-D13). Empty if the
    /// cache is consistent. Reads all that is pending.
    package func check() throws(FirestoreError) -> [String] {
        try perform(.inspectQueue) { (cache) throws(FirestoreError) in try cache.findings() }
    }
}

extension CacheTransaction {
    func findings() throws(FirestoreError) -> [String] {
        var findings: [String] = []
        let bases = try keys("SELECT collection, id FROM bases")
        if Int64(bases.count) != meta.baseCount { findings.append("there are \(bases.count) bases, but \(meta.baseCount) are counted") }
        let pending = try keys(
            """
            SELECT DISTINCT collection, batch_documents.id FROM batch_documents JOIN batches ON batches.id = batch WHERE user = ?1
            """, of: meta.user)
        for key in Set(bases).union(pending).sorted() {
            findings += try self.findings(on: key, isPending: pending.contains(key))
        }
        let queries = [
            ("documents of batches that do not exist", "SELECT 1 FROM batch_documents WHERE batch NOT IN (SELECT id FROM batches)"),
            ("documents of targets that do not exist", "SELECT 1 FROM target_documents WHERE target NOT IN (SELECT id FROM targets)"),
            ("batches newer than the newest", "SELECT 1 FROM batches WHERE id > (SELECT highest_batch FROM sync_meta)"),
            ("targets newer than the newest", "SELECT 1 FROM targets WHERE id > (SELECT highest_target FROM sync_meta)"),
        ]
        for (name, query) in queries {
            let row = try sql.statement(query)
            defer { row.reset() }
            if try row.step() { findings.append("there are \(name)") }
        }
        return findings
    }

    private func findings(on key: DocumentKey, isPending: Bool) throws(FirestoreError) -> [String] {
        let entry = try entry(key)
        let stored = try sql.document(key)
        var findings: [String] = []
        func report(_ text: String) { findings.append("document \(key.path): \(text)") }
        if stored != entry.row { report("the local view is not what its base and its pending writes give") }
        var replayed = entry
        try replay(&replayed)
        guard let overlay = entry.overlay else {
            if replayed.overlay != nil { report("pending writes are not applied") }
            return findings
        }
        if !isPending { report("changes are pending, but no batch has them") }
        if let newest = try batches(of: key).last?.batch.id, newest != overlay.batch {
            report("the newest batch is \(newest), and not \(overlay.batch)")
        }
        switch overlay.effect {
        case .set: if stored == nil { report("a pending set is not applied") }
        case .delete: if stored != nil { report("a pending delete is not applied") }
        case .patch(let mask):
            let merged = FieldMerge.apply(
                FieldMerge.edits(from: entry.overlaid ?? .empty, mask: mask), to: entry.remote.fields)
            if stored?.fields != merged { report("fields differ from the base that no pending write has changed") }
        }
        return findings
    }

    private func keys(_ query: String, of user: SyncUser? = nil) throws(FirestoreError) -> [DocumentKey] {
        let row = try sql.statement(query)
        defer { row.reset() }
        if let user { row.bind(1, copying: user.stored) }
        var keys: [DocumentKey] = []
        while try row.step() { keys.append(try rows.key(in: row, at: 0)) }
        return keys
    }
}
