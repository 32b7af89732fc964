// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import GRDB
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

let testDatabase = DatabaseID(projectID: "test")

extension SQLiteStore {
    static func open(
        file: String, durability: Durability = .relaxed, databaseID: DatabaseID = testDatabase
    ) throws(FirestoreError) -> SQLiteStore {
        try open(StorePath(preparing: file), durability: durability, databaseID: databaseID)
    }

    static func memory() throws(FirestoreError) -> SQLiteStore { try openInMemory(databaseID: testDatabase) }

    /// Puts documents in one transaction, one microsecond after the last.
    @discardableResult
    func put(_ documents: [(path: String, fields: FieldMap)]) throws(FirestoreError) -> DocumentVersion {
        try write { (transaction: WriteTransaction) throws(FirestoreError) in
            let time = DocumentVersion(microseconds: transaction.lastCommitTime.microseconds + 1)
            for (path, fields) in documents {
                let key = DocumentKey(trusted: path)
                let old = try transaction.document(key)
                let new = Document(
                    key: key, createTime: old?.createTime ?? time, updateTime: time, fields: FieldBytes(fields))
                try transaction.store(CommittedChange(key: key, old: old, new: new), at: time)
            }
            try transaction.setLastCommitTime(time)
            return time
        }
    }

    @discardableResult
    func put(_ paths: [String]) throws(FirestoreError) -> DocumentVersion {
        try put(paths.map { ($0, FieldMap([("path", .string($0))])) })
    }

    func get(_ path: String) throws(FirestoreError) -> Document? {
        try read { (view: ReadTransaction) throws(FirestoreError) in try view.document(DocumentKey(trusted: path)) }
    }

    func paths(
        in scope: QueryScope, range: KeyRange = .all, descending: Bool = false, limit: Int = .max
    ) throws(FirestoreError) -> [String] {
        try read { (view: ReadTransaction) throws(FirestoreError) in
            var result: [String] = []
            try view.scan(scope, range: range, descending: descending) { row in
                result.append(row.key.path)
                return result.count < limit ? .next : .stop
            }
            return result
        }
    }

    /// Every test database is checked before it closes.
    func checkAndClose(_ location: SourceLocation = #_sourceLocation) throws {
        #expect(try check() == [], sourceLocation: location)
        try close()
    }

    func execute(_ sql: String) throws { try onWriter { try $0.execute(sql: sql) } }
}
