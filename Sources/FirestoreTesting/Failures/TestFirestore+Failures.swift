public import FirebaseFirestore

extension TestFirestore {
    /// Kinds of operations, to choose those that fail.
    public struct Operations: OptionSet, Sendable {
        /// The bits of the kinds.
        public let rawValue: Int

        /// A set with these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Commits: writes by themselves, batches, the end of transactions.
        public static let writes = Operations(rawValue: 1)
        /// Documents, queries, aggregations, in transactions too.
        public static let reads = Operations(rawValue: 2)
        /// Starts of listeners.
        public static let listeners = Operations(rawValue: 4)
        /// All of them.
        public static let all: Operations = [.writes, .reads, .listeners]
    }

    /// Lets the next operations fail. What fails does nothing: a failed write is not applied.
    ///
    /// ```swift
    /// db.failNext(.writes, with: .unavailable)                        // the next commit
    /// db.failNext(.writes, count: 2, with: .aborted)                  // a transaction that wins at the third attempt
    /// db.failNext(.all, count: .max, with: .permissionDenied, at: "users/alice")
    /// db.failNext(.writes, with: .resourceExhausted)                  // the disk is full
    /// ```
    /// May be called again before all of them have happened; what was asked for first happens first.
    /// - Parameters:
    ///   - operations: Which kinds.
    ///   - count: How many.
    ///   - code: What they fail with.
    ///   - path: Only operations on this document or collection, or below it. A query is on its collection, a
    ///     collection-group query on every collection with its id, a batch on each of its documents.
    public func failNext(
        _ operations: Operations, count: Int = 1, with code: FirestoreErrorCode.Code, at path: String? = nil
    ) {
        failures.add(operations, count: count, code: code, path: path)
    }

    /// Forgets the failures that have not happened yet.
    public func stopFailing() { failures.removeAll() }

    /// How many of the failures asked for have not happened yet.
    public var pendingFailures: Int { failures.pending }
}
