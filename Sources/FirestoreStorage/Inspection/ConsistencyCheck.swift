package import FirestoreCore
import Foundation
import GRDB

extension Store {
    /// Looks at everything and reports what cannot be: an empty answer means a sound database.
    ///
    /// Reads the whole file; for tests, `hearth check` and doubts.
    package func check() throws(FirestoreError) -> [String] {
        try inspect { database in
            var check = ConsistencyCheck(database: database)
            try check.run()
            return check.findings
        }
    }
}

private struct ConsistencyCheck {
    let database: Database
    var findings: [String] = []
    private var collections: [Int64: CollectionPath] = [:]
    private var lastCommitTime: Int64 = 0
    private var logFloor: Int64 = 0

    init(database: Database) { self.database = database }

    mutating func run() throws {
        try checkFile()
        try checkMeta()
        try checkCollections()
        try checkDocuments()
        try checkLog()
    }

    private mutating func checkFile() throws {
        let answers = try String.fetchAll(database, sql: "PRAGMA integrity_check")
        if answers != ["ok"] { findings += answers.map { "SQLite: \($0)" } }
    }

    private mutating func checkMeta() throws {
        guard let row = try Row.fetchOne(database, sql: "SELECT last_commit_time, log_floor FROM meta") else {
            findings.append("the table of facts about the database is empty")
            return
        }
        lastCommitTime = row[0]
        logFloor = row[1]
    }

    private mutating func checkCollections() throws {
        for row in try Row.fetchAll(database, sql: "SELECT number, path, id FROM collections") {
            let number: Int64 = row[0]
            guard let bytes = Data.fromDatabaseValue(row[1]), let path = String(validating: bytes, as: UTF8.self),
                path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).count % 2 == 1
            else {
                findings.append("collection \(number) has no valid path")
                continue
            }
            let collection = CollectionPath(trusted: path)
            if Data.fromDatabaseValue(row[2]).map({ $0.elementsEqual(collection.id.utf8) }) != true {
                findings.append("collection \(path) is listed under another id")
            }
            collections[number] = collection
        }
    }

    private mutating func checkDocuments() throws {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT d.collection, d.id, create_time, update_time, fields, c.commit_time IS NOT NULL
                FROM documents d LEFT JOIN changes c
                ON c.commit_time = d.update_time AND c.collection = d.collection AND c.id = d.id
                """)
        while let row = try rows.next() {
            guard let name = name(collection: row[0], id: Data.fromDatabaseValue(row[1])) else {
                findings.append("a document stands in collection \(row[0] as Int64) under a damaged key")
                continue
            }
            let (created, updated): (Int64, Int64) = (row[2], row[3])
            if !(0 < created && created <= updated && updated <= lastCommitTime) {
                findings.append("document \(name) has times that cannot be")
            }
            if updated >= logFloor, !(row[5] as Bool) {
                findings.append("the last change of document \(name) is missing in the change log")
            }
            if !Self.isCanonical(Data.fromDatabaseValue(row[4])) {
                findings.append("the fields of document \(name) are not canonical")
            }
        }
    }

    private mutating func checkLog() throws {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT commit_time, collection, id, previous_create_time, previous_update_time, previous_fields
                FROM changes
                """)
        while let row = try rows.next() {
            let time: Int64 = row[0]
            guard let name = name(collection: row[1], id: Data.fromDatabaseValue(row[2])) else {
                findings.append("the change log has a damaged key at \(time)")
                continue
            }
            if !(0 < time && time <= lastCommitTime) { findings.append("a change of \(name) has a time that cannot be") }
            let previous = (Int64.fromDatabaseValue(row[3]), Int64.fromDatabaseValue(row[4]))
            switch previous {
            case (nil, nil):
                if Data.fromDatabaseValue(row[5]) != nil { findings.append("the history of \(name) is damaged") }
            case (let created?, let updated?):
                if !(created <= updated && updated < time) || !Self.isCanonical(Data.fromDatabaseValue(row[5])) {
                    findings.append("the history of \(name) is damaged")
                }
            default: findings.append("the history of \(name) is damaged")
            }
        }
    }

    private func name(collection: Int64, id: Data?) -> String? {
        guard let collection = collections[collection], let id,
            let decoded = id.withUnsafeBytes({ DocumentIDEncoding.decode($0) }),
            DocumentIDEncoding.encode(decoded) == [UInt8](id)
        else { return nil }
        return collection.path + "/" + decoded
    }

    /// Canonical is what reading and writing again leaves as it is.
    private static func isCanonical(_ data: Data?) -> Bool {
        guard let data else { return false }
        let bytes = ByteSlice([UInt8](data))
        guard let map = try? FieldBytes(canonical: bytes).map else { return false }
        return FieldBytes(map).bytes == bytes
    }
}
