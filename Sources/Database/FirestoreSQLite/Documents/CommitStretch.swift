// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage
import GRDB

extension SQLiteStore {
    /// Commits behind a moment, in order and whole, with the states before and after: the oldest, up to about `limit` changes or
    /// `bytes`. Not for the cooperative pool.
    ///
    /// The change log contains the states before. The state after a change is the one before the next change of that document, or the
    /// document itself. Fails with `outOfRange` if the log does not reach back to that moment.
    package func commits(after time: DocumentVersion, limit: Int, bytes: Int) throws(FirestoreError) -> LogStretch {
        try read { (snapshot: ReadTransaction) throws(FirestoreError) in
            var reading = StretchReading(snapshot: snapshot, start: time, limit: limit, maximumBytes: bytes)
            return try reading.run()
        }
    }
}

extension ReadTransaction {
    /// The last commit that changed something, as far as the change log reaches back.
    package func lastChange() throws(FirestoreError) -> DocumentVersion? {
        let statement = try self.statement("SELECT max(commit_time) FROM changes")
        defer { statement.reset() }
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return DocumentVersion(microseconds: statement.integer(0))
    }
}

extension FirestoreError {
    /// Of a reader of the log that has been away for too long.
    package static let logIsCut = FirestoreError(
        .outOfRange, "the change log no longer has the commits after this time; read everything again")
}

/// One reading of the log.
private struct StretchReading {
    private struct Entry {
        let time: Int64
        let key: DocumentKey
        let place: EntryPlace
        let old: Document?
        var new: Document?
    }

    /// The document of an entry, as the tables name it.
    private struct EntryPlace: Hashable {
        let collection: Int64
        let id: [UInt8]
    }

    private static let select = """
        SELECT commit_time, changes.collection, path, changes.id, previous_create_time, previous_update_time, previous_fields,
        create_time, update_time, CASE WHEN update_time = commit_time THEN fields END
        FROM changes JOIN collections ON number = changes.collection
        LEFT JOIN documents ON documents.collection = changes.collection AND documents.id = changes.id
        WHERE commit_time > ?1 ORDER BY commit_time, changes.collection, changes.id
        """
    /// Later entries whose state was stored by one of the entries that were read, or of documents that did not exist.
    private static let later = """
        SELECT collection, id, previous_create_time, previous_update_time, previous_fields FROM changes
        WHERE commit_time > ?1 AND (previous_update_time IS NULL OR previous_update_time <= ?1)
        ORDER BY commit_time, collection, id
        """

    let snapshot: ReadTransaction
    let start: DocumentVersion
    let limit: Int
    let maximumBytes: Int
    private var entries: [Entry] = []
    /// The last entry of each document whose state after it is not known yet.
    private var open: [EntryPlace: Int] = [:]

    init(snapshot: ReadTransaction, start: DocumentVersion, limit: Int, maximumBytes: Int) {
        self.snapshot = snapshot
        self.start = start
        self.limit = limit
        self.maximumBytes = maximumBytes
    }

    mutating func run() throws(FirestoreError) -> LogStretch {
        guard try snapshot.logFloor().microseconds <= start.microseconds + 1 else { throw .logIsCut }
        let isLast = try readEntries()
        if !open.isEmpty { try readLaterStates() }
        for (_, index) in open { entries[index].new = try snapshot.document(entries[index].key) }
        return stretch(isLast: isLast)
    }

    /// Returns whether the end of the log was reached.
    private mutating func readEntries() throws(FirestoreError) -> Bool {
        let statement = try snapshot.statement(Self.select)
        defer { statement.reset() }
        statement.bind(1, start.microseconds)
        var bytes = 0
        while try statement.step() {
            let time = statement.integer(0)
            if let last = entries.last, last.time != time, entries.count >= limit || bytes >= maximumBytes { return false }
            let entry = try entry(time, statement)
            bytes += (entry.old?.fields.bytes.count ?? 0) + (entry.new?.fields.bytes.count ?? 0)
            if let earlier = open.removeValue(forKey: entry.place) { entries[earlier].new = entry.old }
            if entry.new == nil { open[entry.place] = entries.count }
            entries.append(entry)
        }
        return true
    }

    private func entry(_ time: Int64, _ statement: SQLStatement) throws(FirestoreError) -> Entry {
        guard let path = statement.blob(2).flatMap({ String(validating: $0, as: UTF8.self) }), let id = statement.blob(3),
            let name = DocumentIDEncoding.decode(id)
        else { throw snapshot.damaged("an entry of the change log") }
        let key = DocumentKey(collection: CollectionPath(trusted: path), id: name)
        return Entry(
            time: time, key: key, place: EntryPlace(collection: statement.integer(1), id: [UInt8](id)),
            old: try state(of: key, statement, at: 4), new: statement.isNull(9) ? nil : try state(of: key, statement, at: 7))
    }

    /// A state in three columns: when it was created, when it was updated, its fields.
    private func state(of key: DocumentKey, _ statement: SQLStatement, at column: Int32) throws(FirestoreError) -> Document? {
        if statement.isNull(column) { return nil }
        guard let fields = statement.blob(column + 2), FieldsView.isWellFormed(fields) else {
            throw snapshot.damaged("the history of \(key.path)")
        }
        return Document(
            key: key, createTime: DocumentVersion(microseconds: statement.integer(column)),
            updateTime: DocumentVersion(microseconds: statement.integer(column + 1)),
            fields: FieldBytes(canonical: ByteSlice(copying: fields)))
    }

    private mutating func readLaterStates() throws(FirestoreError) {
        guard let end = entries.last?.time else { return }
        let statement = try snapshot.statement(Self.later)
        defer { statement.reset() }
        statement.bind(1, end)
        while !open.isEmpty, try statement.step() {
            guard let id = statement.blob(1) else { throw snapshot.damaged("an entry of the change log") }
            let place = EntryPlace(collection: statement.integer(0), id: [UInt8](id))
            guard let index = open.removeValue(forKey: place) else { continue }
            entries[index].new = try state(of: entries[index].key, statement, at: 2)
        }
    }

    private func stretch(isLast: Bool) -> LogStretch {
        var commits: [CommittedChanges] = []
        var next = entries.startIndex
        while next < entries.endIndex {
            let first = next
            while next < entries.endIndex, entries[next].time == entries[first].time { next += 1 }
            commits.append(
                CommittedChanges(
                    time: DocumentVersion(microseconds: entries[first].time),
                    changes: entries[first..<next].map { CommittedChange(key: $0.key, old: $0.old, new: $0.new) }))
        }
        let end = isLast ? max(start, snapshot.readTime) : commits.last?.time ?? start
        return LogStretch(commits: commits, end: end, isLast: isLast)
    }
}
