// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore

extension TestFirestore {
    /// Kinds of operations, to select those that fail.
    public struct Operations: OptionSet, Sendable {
        /// The bits of the kinds.
        public let rawValue: Int

        /// Creates a set from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Commits: single writes, batches, and the commits of transactions.
        public static let writes = Operations(rawValue: 1)
        /// Reads of documents, queries and aggregations, also in transactions.
        public static let reads = Operations(rawValue: 2)
        /// Starts of listeners.
        public static let listeners = Operations(rawValue: 4)
        /// All kinds.
        public static let all: Operations = [.writes, .reads, .listeners]
    }

    /// Makes the next operations fail. A failed operation has no effect: a failed write is not applied.
    ///
    /// ```swift
    /// db.failNext(.writes, with: .unavailable)                        // the next commit
    /// db.failNext(.writes, count: 2, with: .aborted)                  // a transaction that succeeds at the third attempt
    /// db.failNext(.all, count: .max, with: .permissionDenied, at: "users/alice")
    /// db.failNext(.writes, with: .resourceExhausted)                  // the disk is full
    /// ```
    /// The method may be called again while failures are pending; they occur in the order of the calls.
    ///
    /// - Parameters:
    ///   - operations: The kinds of operations that fail.
    ///   - count: The number of operations that fail; `.max` for all.
    ///   - code: The code of their error.
    ///   - path: If not nil, only operations on this document or collection, or below it, fail. A query is on its
    ///     collection, a collection-group query on every collection with its id, a batch on each of its documents.
    public func failNext(
        _ operations: Operations, count: Int = 1, with code: FirestoreErrorCode.Code, at path: String? = nil
    ) {
        failures.add(operations, count: count, code: code, path: path)
    }

    /// Cancels the failures that are still pending.
    public func stopFailing() { failures.removeAll() }

    /// The number of failures that are still pending.
    public var pendingFailures: Int { failures.pending }
}
