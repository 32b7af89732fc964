// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage

/// The indexes by which documents expire. They are in the catalog with all others; queries may use them.
package enum ExpiryIndexes {
    /// Makes these the indexes by which documents expire, and drops those that were kept for that alone.
    package static func keep(_ definitions: [IndexDefinition], in transaction: some StoreTransaction) throws(FirestoreError) {
        for definition in definitions {
            if try index(definition, in: transaction) == nil { try transaction.addIndex(definition, isConfigured: false) }
            if let index = try index(definition, in: transaction), !index.isForExpiry { try transaction.setForExpiry(true, index) }
        }
        for index in try transaction.catalog().indexes where index.isForExpiry && !definitions.contains(index.definition) {
            if index.isConfigured { try transaction.setForExpiry(false, index) } else { try transaction.drop(index) }
        }
    }

    /// Drops an index, unless documents expire by it: then it only is not configured any more.
    static func drop(_ index: StoredIndex, in transaction: some StoreTransaction) throws(FirestoreError) {
        if index.isForExpiry { try transaction.setConfigured(false, index) } else { try transaction.drop(index) }
    }

    private static func index(
        _ definition: IndexDefinition, in transaction: some StoreTransaction
    ) throws(FirestoreError) -> StoredIndex? {
        try transaction.catalog().indexes.first { $0.definition == definition }
    }
}

extension IndexManager {
    /// Changes by which indexes documents expire. `body` stores what asks for them and returns their definitions, in the same transaction.
    package func keepForExpiry(
        _ body: @escaping @Sendable (any StoreTransaction) throws(FirestoreError) -> [IndexDefinition]
    ) async throws(FirestoreError) {
        try await change { (transaction: any StoreTransaction) throws(FirestoreError) in
            try ExpiryIndexes.keep(try body(transaction), in: transaction)
        }
    }
}
