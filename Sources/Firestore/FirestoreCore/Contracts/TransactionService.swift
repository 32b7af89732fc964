// SPDX-License-Identifier: Apache-2.0

/// The role of a service that opens and ends transactions; their commits go through `CommitService`.
package protocol TransactionService: Sendable {
    /// Opens a transaction. All its reads are as of one moment, that of its first read or of the mode (TX-3).
    func beginTransaction(_ mode: TransactionMode, context: RequestContext) async throws(FirestoreError) -> TransactionID

    /// Rolls a transaction back, with the errors of TX-7.
    func rollback(_ transaction: TransactionID, context: RequestContext) async throws(FirestoreError)
}

/// Identifies a transaction of one service until it has ended.
package struct TransactionID: Sendable, Hashable {
    package let number: UInt64
    package init(_ number: UInt64) { self.number = number }
}

/// The access that a transaction has (TX-1).
package enum TransactionMode: Sendable, Hashable {
    /// `retrying`: the earlier transaction that this one retries.
    case readWrite(retrying: TransactionID?)
    /// Never fails because of contention; rejects writes (TX-6). nil: the moment of the first read.
    case readOnly(at: DocumentVersion?)
}
