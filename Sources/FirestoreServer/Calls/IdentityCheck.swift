// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Whether the proof of an identity still holds. It may have expired or been revoked.
package struct IdentityCheck: Sendable {
    /// Throws `unauthenticated` if the proof does not hold any more. Answers from memory, without blocking; false if the answer is not
    /// there.
    package let now: @Sendable () throws(FirestoreError) -> Bool
    /// The same, after reading what is not in memory.
    package let waiting: @Sendable () async throws(FirestoreError) -> Void

    package init(
        now: @escaping @Sendable () throws(FirestoreError) -> Bool, waiting: @escaping @Sendable () async throws(FirestoreError) -> Void
    ) {
        self.now = now
        self.waiting = waiting
    }

    /// A check whose answer is always in memory.
    package init(_ check: @escaping @Sendable () throws(FirestoreError) -> Void) {
        now = { () throws(FirestoreError) in
            try check()
            return true
        }
        waiting = { () async throws(FirestoreError) in try check() }
    }

    /// The proof holds until it expires.
    package static let none = IdentityCheck { () throws(FirestoreError) in }
}
