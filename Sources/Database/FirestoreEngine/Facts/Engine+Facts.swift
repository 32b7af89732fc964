// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore
import FirestoreStorage

extension Engine: FactService {
    package func fact(_ key: String) async throws(FirestoreError) -> ByteSlice? {
        try admit(.embedded)
        return try await core.store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in try snapshot.fact(key) }
    }

    /// Runs in a separate transaction, between two groups of commits.
    package func setFact(_ key: String, _ value: ByteSlice?) async throws(FirestoreError) {
        try admit(.embedded)
        let result: Result<Void, FirestoreError> = await withCheckedContinuation { continuation in
            // The writer blocks its caller, which must not happen on the cooperative pool.
            DispatchQueue.global().async { [store = core.store] in
                continuation.resume(
                    returning: Result { () throws(FirestoreError) in
                        try store.write { (transaction: any StoreTransaction) throws(FirestoreError) in
                            try transaction.setFact(key, value)
                        }
                    })
            }
        }
        try result.get()
    }
}
