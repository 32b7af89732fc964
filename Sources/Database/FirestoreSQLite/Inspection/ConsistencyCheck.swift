// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreStorage
import GRDB
import GRDBSQLite

extension SQLiteStore {
    /// Checks everything except the entries of indexes, which only the engine can compute, and reports inconsistencies.
    ///
    /// Reads the whole file. For tests and `hearth check`.
    package func inspectConsistency() throws(FirestoreError) -> ConsistencyReport {
        try onWriter { try ConsistencyCheck.run(on: $0, errors: errors) }
    }

    /// The findings as sentences; empty if the database is consistent.
    package func check() throws(FirestoreError) -> [String] { try inspectConsistency().findings.map(\.description) }
}

/// Reads rows as SQLite returns them: in a damaged file a column may hold any value.
struct ConsistencyCheck {
    let database: Database
    let errors: StoreErrors
    var report = ConsistencyReport()
    private var collections: [Int64: CollectionPath] = [:]
    private var lastCommitTime: Int64 = 0
    private var logFloor: Int64 = 0
    /// A cache has no history, and the times of its documents are those of a server.
    private let isCache: Bool

    private enum Part: CaseIterable { case pages, file, facts, collections, documents, history }

    private init(database: Database, errors: StoreErrors, isCache: Bool) {
        self.database = database
        self.errors = errors
        self.isCache = isCache
    }

    static func run(on database: Database, errors: StoreErrors, isCache: Bool = false) throws(FirestoreError) -> ConsistencyReport {
        // Pages in SQLite's cache are not compared with the file.
        sqlite3_db_release_memory(database.sqliteConnection)
        var check = ConsistencyCheck(database: database, errors: errors, isCache: isCache)
        for part in Part.allCases where part != .history || !isCache {
            do throws(FirestoreError) {
                try check.run(part)
            } catch {
                // SQLite may give up reading because of the damage; the other parts may still be readable.
                guard error.code == .dataLoss || error.code == .internal else { throw error }
                check.report.add(ConsistencyFinding(.file, nil, error.message))
            }
        }
        return check.report
    }

    private mutating func run(_ part: Part) throws(FirestoreError) {
        switch part {
        case .pages: try checkPages()
        case .file: try checkFile()
        case .facts: try checkFacts()
        case .collections: try checkCollections()
        case .documents: try checkDocuments()
        case .history: try checkHistory()
        }
    }

    private func rows(_ sql: String) throws(FirestoreError) -> SQLStatement {
        try SQLStatement(sql, on: database, errors: errors)
    }

    mutating func find(
        _ subject: ConsistencyFinding.Subject, _ place: String?, _ problem: String, repair: ConsistencyRepair? = nil
    ) {
        report.add(ConsistencyFinding(subject, place, problem, repair: repair))
    }

    // MARK: Parts

    private mutating func checkFile() throws(FirestoreError) {
        let row = try rows("PRAGMA integrity_check")
        defer { row.reset() }
        while try row.step() {
            let answer = row.text(0) ?? ""
            guard answer != "ok" else { continue }
            // The content of an index follows from its table.
            let isIndex = ["missing from index", "entries in index", "entry in index"].contains { answer.contains($0) }
            find(.file, nil, "SQLite: " + answer, repair: isIndex ? .reindexTables : nil)
        }
    }

    private mutating func checkFacts() throws(FirestoreError) {
        let row = try rows("SELECT last_commit_time, log_floor FROM meta")
        defer { row.reset() }
        guard try row.step() else {
            find(.facts, nil, "its name and the time of its last commit are missing")
            return
        }
        lastCommitTime = row.integer(0)
        logFloor = row.integer(1)
    }

    private mutating func checkCollections() throws(FirestoreError) {
        let row = try rows("SELECT number, path, id FROM collections")
        defer { row.reset() }
        while try row.step() {
            report.collections += 1
            let number = row.integer(0)
            guard let bytes = row.blob(1), let path = String(validating: bytes, as: UTF8.self),
                path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).count % 2 == 1
            else {
                find(.collection, "number \(number)", "it has no valid path")
                continue
            }
            let collection = CollectionPath(trusted: path)
            if row.blob(2)?.elementsEqual(collection.id.utf8) != true {
                find(.collection, path, "it is listed under another id", repair: .relistCollections)
            }
            collections[number] = collection
        }
    }

    private mutating func checkDocuments() throws(FirestoreError) {
        let row = try rows(
            """
            SELECT d.collection, d.id, create_time, update_time, fields, c.commit_time IS NOT NULL
            FROM documents d LEFT JOIN changes c
            ON c.commit_time = d.update_time AND c.collection = d.collection AND c.id = d.id
            """)
        defer { row.reset() }
        while try row.step() {
            report.documents += 1
            guard let key = key(collection: row.integer(0), id: row.blob(1)) else {
                find(.document, nil, "a document of collection \(row.integer(0)) has a damaged key")
                continue
            }
            if !isCache { checkTimes(of: key, row) }
            switch StoredForm(row.blob(4), of: key, isCache: isCache) {
            case .canonical: break
            case .rewritable:
                find(.document, key.path, "its fields are not canonical", repair: .rewriteDocuments)
            case .damaged(let what):
                find(.document, key.path, "its fields are damaged: " + what)
            }
        }
    }

    private mutating func checkTimes(of key: DocumentKey, _ row: SQLStatement) {
        let (created, updated) = (row.integer(2), row.integer(3))
        if !(0 < created && created <= updated) {
            find(.document, key.path, "its times are impossible")
        } else if updated > lastCommitTime {
            find(.document, key.path, "its times are later than the last commit", repair: .raiseCommitTime)
        }
        if updated >= logFloor, row.integer(5) == 0 {
            find(.document, key.path, "its last change is missing in the change log", repair: .forgetHistory)
        }
    }

    private mutating func checkHistory() throws(FirestoreError) {
        let row = try rows(
            """
            SELECT commit_time, c.collection, c.id, previous_create_time, previous_update_time, previous_fields,
                d.update_time
            FROM changes c LEFT JOIN documents d ON d.collection = c.collection AND d.id = c.id
            """)
        defer { row.reset() }
        while try row.step() {
            report.changes += 1
            let time = row.integer(0)
            guard let key = key(collection: row.integer(1), id: row.blob(2)) else {
                find(.history, nil, "there is a damaged key at time \(time)", repair: .forgetHistory)
                continue
            }
            if time <= 0 || time > lastCommitTime {
                find(.history, key.path, "a change has an impossible time", repair: time > 0 ? .raiseCommitTime : .forgetHistory)
            }
            if !row.isNull(6), row.integer(6) < time {
                find(.history, key.path, "it is newer than the document", repair: .forgetHistory)
            }
            if !isPossible(row, before: time, of: key) {
                find(.history, key.path, "a previous state is damaged", repair: .forgetHistory)
            }
        }
    }

    private func isPossible(_ row: SQLStatement, before time: Int64, of key: DocumentKey) -> Bool {
        if row.isNull(3) { return row.isNull(4) && row.isNull(5) }
        guard !row.isNull(4), row.integer(3) <= row.integer(4), row.integer(4) < time,
            case .canonical = StoredForm(row.blob(5), of: key)
        else { return false }
        return true
    }

    private func key(collection: Int64, id: UnsafeRawBufferPointer?) -> DocumentKey? {
        guard let collection = collections[collection], let id, let decoded = DocumentIDEncoding.decode(id),
            DocumentIDEncoding.encode(decoded).elementsEqual(id)
        else { return nil }
        return DocumentKey(collection: collection, id: decoded)
    }
}
