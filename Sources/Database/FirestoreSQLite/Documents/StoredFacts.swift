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

    func scan(
        _ keys: Range<String>, _ body: (String, UnsafeRawBufferPointer) throws(FirestoreError) -> Void
    ) throws(FirestoreError) {
        let statement = try SQLStatement(
            "SELECT key, value FROM facts WHERE key >= ?1 AND key < ?2 ORDER BY key", on: database, errors: errors)
        defer { statement.reset() }
        statement.bind(1, copying: [UInt8](keys.lowerBound.utf8))
        statement.bind(2, copying: [UInt8](keys.upperBound.utf8))
        while try statement.step() {
            guard let key = statement.blob(0).flatMap({ String(validating: $0, as: UTF8.self) }), let value = statement.blob(1) else {
                throw errors.damaged("a stored fact")
            }
            try body(key, value)
        }
    }

    func remove(_ keys: Range<String>) throws(FirestoreError) {
        let statement = try SQLStatement("DELETE FROM facts WHERE key >= ?1 AND key < ?2", on: database, errors: errors)
        statement.bind(1, copying: [UInt8](keys.lowerBound.utf8))
        statement.bind(2, copying: [UInt8](keys.upperBound.utf8))
        try statement.run()
    }
}

extension ReadTransaction {
    package func fact(_ key: String) throws(FirestoreError) -> ByteSlice? {
        try StoredFacts(database: database, errors: errors).value([UInt8](key.utf8))
    }
}

extension ReadTransaction {
    /// Every value whose key lies in a range of ASCII keys.
    package func facts(in keys: Range<String>) throws(FirestoreError) -> [String: ByteSlice] {
        var found: [String: ByteSlice] = [:]
        try StoredFacts(database: database, errors: errors).scan(keys) { key, bytes in found[key] = ByteSlice(copying: bytes) }
        return found
    }
}

extension WriteTransaction {
    package func fact(_ key: String) throws(FirestoreError) -> ByteSlice? {
        try StoredFacts(database: database, errors: errors).value([UInt8](key.utf8))
    }

    package func setFact(_ key: String, _ value: ByteSlice?) throws(FirestoreError) {
        let facts = StoredFacts(database: database, errors: errors)
        if let value { try facts.set(value, for: [UInt8](key.utf8)) } else { try facts.remove([UInt8](key.utf8)) }
    }

    package func facts(
        in keys: Range<String>, _ body: (String, UnsafeRawBufferPointer) throws(FirestoreError) -> Void
    ) throws(FirestoreError) {
        try StoredFacts(database: database, errors: errors).scan(keys, body)
    }

    package func removeFacts(in keys: Range<String>) throws(FirestoreError) {
        try StoredFacts(database: database, errors: errors).remove(keys)
    }
}
