// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import GRDB

extension SQLStatement {
    /// Runs `body` in a transaction that writes, and commits it. If either fails, nothing of it remains.
    ///
    /// GRDB compiles `BEGIN` and `COMMIT` for each transaction, which takes a seventh of a commit of one document; here they are cached.
    static func transaction<R>(
        on database: Database, errors: StoreErrors, _ body: () throws(FirestoreError) -> R
    ) throws(FirestoreError) -> R {
        try SQLStatement("BEGIN IMMEDIATE", on: database, errors: errors).run()
        do {
            let result = try body()
            try SQLStatement("COMMIT", on: database, errors: errors).run()
            return result
        } catch {
            // On many errors SQLite has already ended the transaction.
            if database.isInsideTransaction { try? SQLStatement("ROLLBACK", on: database, errors: errors).run() }
            throw error
        }
    }
}
