// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import GRDB

/// Small values that parts of the engine store beside the documents, each under a key.
private struct StoredFacts {
    let database: Database
    let errors: StoreErrors

    func value(_ key: [UInt8]) throws(FirestoreError) -> ByteSlice? {
        let statement = try SQLStatement("SELECT value FROM facts WHERE key = ?1", on: database, errors: errors)
        defer { statement.reset() }
        statement.bind(1, copying: key)
        return try statement.step() ? statement.blob(0).map { ByteSlice(copying: $0) } : nil
    }

    func set(_ value: ByteSlice, for key: [UInt8]) throws(FirestoreError) {
        let statement = try SQLStatement("INSERT OR REPLACE INTO facts VALUES(?1, ?2)", on: database, errors: errors)
        statement.bind(1, copying: key)
        statement.bind(2, value.buffer)
        defer { withExtendedLifetime(value) {} }
        try statement.run()
    }

    func remove(_ key: [UInt8]) throws(FirestoreError) {
        let statement = try SQLStatement("DELETE FROM facts WHERE key = ?1", on: database, errors: errors)
        statement.bind(1, copying: key)
        try statement.run()
    }
}

extension ReadTransaction {
    /// Returns the value under a key.
    package func fact(_ key: String) throws(FirestoreError) -> ByteSlice? {
        try StoredFacts(database: database, errors: errors).value([UInt8](key.utf8))
    }
}

extension WriteTransaction {
    package func fact(_ key: String) throws(FirestoreError) -> ByteSlice? {
        try StoredFacts(database: database, errors: errors).value([UInt8](key.utf8))
    }

    /// Stores a value under a key, replacing the previous one; nil removes it.
    package func setFact(_ key: String, _ value: ByteSlice?) throws(FirestoreError) {
        let facts = StoredFacts(database: database, errors: errors)
        if let value { try facts.set(value, for: [UInt8](key.utf8)) } else { try facts.remove([UInt8](key.utf8)) }
    }
}
