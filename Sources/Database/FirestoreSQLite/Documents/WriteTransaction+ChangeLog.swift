// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreStorage
import GRDB

extension WriteTransaction {
    package func pruneLog(before horizon: DocumentVersion, limit: Int) throws(FirestoreError) -> Int {
        // If all of them are removed, the log is complete after the last one: after an idle time that is long before the horizon, and
        // watches that stopped then can still resume.
        let last = try statement("SELECT max(commit_time) FROM changes WHERE commit_time < ?1")
        defer { last.reset() }
        last.bind(1, horizon.microseconds)
        guard try last.step(), !last.isNull(0) else { return 0 }
        let lastTime = last.integer(0)
        let delete = try statement(
            """
            DELETE FROM changes WHERE (commit_time, collection, id) IN (
                SELECT commit_time, collection, id FROM changes WHERE commit_time < ?1
                ORDER BY commit_time, collection, id LIMIT ?2)
            """)
        delete.bind(1, horizon.microseconds)
        delete.bind(2, Int64(limit))
        try delete.run()
        let removed = database.changesCount
        guard removed > 0 else { return 0 }
        // The log is complete from the oldest commit of which every change is still stored.
        let floor = try statement(
            """
            UPDATE meta SET log_floor = max(log_floor, CASE WHEN ?2 THEN ?1
                ELSE coalesce((SELECT min(commit_time) FROM changes), ?1) END + 1)
            """)
        floor.bind(1, lastTime)
        floor.bind(2, removed < limit ? 1 : 0)
        try floor.run()
        return removed
    }
}

extension ReadTransaction {
    package func changes(
        after time: DocumentVersion,
        _ body: (_ time: DocumentVersion, _ key: DocumentKey, _ previous: Document?) throws(FirestoreError) -> Void
    ) throws(FirestoreError) {
        let statement = try self.statement(
            """
            SELECT commit_time, path, changes.id, previous_create_time, previous_update_time, previous_fields
            FROM changes JOIN collections ON number = collection
            WHERE commit_time > ?1 ORDER BY commit_time, collection, changes.id
            """)
        defer { statement.reset() }
        statement.bind(1, time.microseconds)
        while try statement.step() {
            guard let pathBytes = statement.blob(1), let path = String(validating: pathBytes, as: UTF8.self),
                let idBytes = statement.blob(2), let id = DocumentIDEncoding.decode(idBytes)
            else { throw errors.damaged("an entry of the change log") }
            let key = DocumentKey(collection: CollectionPath(trusted: path), id: id)
            var previous: Document?
            if !statement.isNull(3) {
                guard let fields = statement.blob(5) else { throw errors.damaged("the history of \(key.path)") }
                previous = Document(
                    key: key, createTime: DocumentVersion(microseconds: statement.integer(3)),
                    updateTime: DocumentVersion(microseconds: statement.integer(4)),
                    fields: FieldBytes(canonical: ByteSlice(copying: fields)))
            }
            try body(DocumentVersion(microseconds: statement.integer(0)), key, previous)
        }
    }
}
