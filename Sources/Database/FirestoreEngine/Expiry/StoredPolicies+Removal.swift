// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreIndexing
import FirestoreSQLite
import FirestoreStorage

extension StoredPolicies {
    /// Removes all policies from a database that no engine has open, and returns them. Nothing is written if there are none.
    static func remove(from store: SQLiteStore) throws(FirestoreError) -> [ExpiryPolicy] {
        let stored = try store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in try snapshot.fact(fact) }
        guard let stored else { return [] }
        try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
            try transaction.setFact(fact, nil)
            try ExpiryIndexes.keep([], in: transaction)
        }
        return sorted(decode(stored))
    }
}
