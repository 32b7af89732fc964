// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

@Suite struct SQLStatementTests {
    @Test func `a statement that has failed is as good as new for its next user`() throws {
        let store = try SQLiteStore.memory()
        try store.write { (sql: WriteTransaction) throws(FirestoreError) in
            func insert(_ key: [UInt8]) throws(FirestoreError) {
                // Nothing resets it where it throws.
                let row = try sql.statement("INSERT INTO facts VALUES(?1, ?2)")
                row.bind(1, copying: key)
                row.bind(2, copying: [9])
                _ = try row.step()
                row.reset()
            }
            try insert([1])
            #expect(throws: FirestoreError.self) { try insert([1]) }
            try insert([2])
            let row = try sql.statement("SELECT count(*) FROM facts WHERE key = x'02'")
            defer { row.reset() }
            let hasRow = try row.step()
            #expect(hasRow && row.integer(0) == 1)
        }
        try store.close()
    }
}
