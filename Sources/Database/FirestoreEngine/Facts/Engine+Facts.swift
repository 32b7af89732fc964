// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore
import FirestoreStorage

extension Engine: FactService {
    package func fact(_ key: String) async throws(FirestoreError) -> ByteSlice? {
        try admit(.embedded)
        return try await core.store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in try snapshot.fact(key) }
    }

    package func facts(below prefix: String) async throws(FirestoreError) -> [(key: String, value: ByteSlice)] {
        try admit(.embedded)
        // Behind every key of ASCII with the prefix.
        let keys = prefix..<prefix + "\u{7F}"
        return try await write { (transaction: any StoreTransaction) throws(FirestoreError) in
            var found: [(key: String, value: ByteSlice)] = []
            try transaction.facts(in: keys) { found.append(($0, ByteSlice(copying: $1))) }
            return found
        }
    }

    package func setFact(_ key: String, _ value: ByteSlice?) async throws(FirestoreError) {
        try admit(.embedded)
        try await write { (transaction: any StoreTransaction) throws(FirestoreError) in try transaction.setFact(key, value) }
    }

    package func changeFact(
        _ key: String, _ change: @escaping @Sendable (ByteSlice?) throws(FirestoreError) -> ByteSlice?
    ) async throws(FirestoreError) -> ByteSlice? {
        try admit(.embedded)
        return try await write { (transaction: any StoreTransaction) throws(FirestoreError) in
            let value = try change(try transaction.fact(key))
            try transaction.setFact(key, value)
            return value
        }
    }

    /// Runs a separate transaction, between two groups of commits.
    private func write<R: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        let result: Result<R, FirestoreError> = await withCheckedContinuation { continuation in
            // The writer blocks its caller, which must not happen on the cooperative pool.
            DispatchQueue.global().async { [store = core.store] in
                continuation.resume(returning: Result { () throws(FirestoreError) in try store.write(body) })
            }
        }
        return try result.get()
    }
}
