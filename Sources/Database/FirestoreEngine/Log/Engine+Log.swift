// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore
package import FirestoreStorage

extension Engine: LoggedDatabase {
    package var log: any CommitLog { core.log }
    package var clock: any WallClock { core.clock }

    package func hold(_ name: String) async throws(FirestoreError) -> DocumentVersion? {
        guard let value = try await fact(LogHolds.key(name)) else { return nil }
        return value.array.withUnsafeBytes { LogHolds.time($0) }
    }

    package func setHold(_ name: String, at time: DocumentVersion?) async throws(FirestoreError) {
        try await setFact(LogHolds.key(name), time.map(LogHolds.value))
    }

    package func setHold(
        _ name: String, at time: DocumentVersion?, storing fact: String, _ value: ByteSlice?
    ) async throws(FirestoreError) {
        try await changeFacts { (transaction: any FactTransaction) throws(FirestoreError) in
            try transaction.setFact(LogHolds.key(name), time.map(LogHolds.value))
            try transaction.setFact(fact, value)
        }
    }

    package func changeFacts<R: Sendable>(
        _ body: @escaping @Sendable (any FactTransaction) throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        try admit(.embedded)
        return try await onThread { (store) throws(FirestoreError) in
            try store.write { (transaction: any StoreTransaction) throws(FirestoreError) in try body(transaction) }
        }
    }

    package func lease(_ name: String, for duration: Duration) async throws(FirestoreError) -> Bool {
        try admit(.embedded)
        return try await onThread { (store) throws(FirestoreError) in try store.lease(name, for: duration) }
    }

    /// Stores block their callers, which must not happen on the cooperative pool.
    private func onThread<R: Sendable>(
        _ body: @escaping @Sendable (any DocumentStore) throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        let result: Result<R, FirestoreError> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [store = core.store] in
                continuation.resume(returning: Result { () throws(FirestoreError) in try body(store) })
            }
        }
        return try result.get()
    }
}
