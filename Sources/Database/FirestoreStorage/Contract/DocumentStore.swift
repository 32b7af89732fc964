// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// One database, wherever it is stored: reads of one moment, and transactions that nothing of the database overlaps.
///
/// Knows rows, not rules: the meaning of writes and queries is decided in the modules above. Conformers: `SQLiteStore`, a file or memory
/// of this process, and `PostgresStore`, a server that several processes share.
package protocol DocumentStore: AnyObject, Sendable {
    var traits: StoreTraits { get }

    /// The present history of the database.
    var history: DatabaseHistory? { get }

    /// A few documents by key, on the calling thread; nil if that would mean to wait.
    func lookupNow(_ keys: [DocumentKey]) throws(FirestoreError) -> DocumentLookup?

    /// Documents by key, as of one moment.
    func lookup(_ keys: [DocumentKey]) async throws(FirestoreError) -> DocumentLookup

    /// Makes a small read immediately on the calling thread; nil if that would mean to wait, or if `body` finds the read to be larger.
    func readNow<R>(_ body: (any StoreSnapshot) throws(FirestoreError) -> R?) throws(FirestoreError) -> R?

    /// Reads on the calling thread, which may wait. Not for the cooperative pool.
    func read<R>(_ body: (any StoreSnapshot) throws(FirestoreError) -> R) throws(FirestoreError) -> R

    /// Reads on a thread of the store.
    func read<R: Sendable>(
        _ body: @escaping @Sendable (any StoreSnapshot) throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R

    /// Reads on a thread of the store and calls `completion` there.
    func startRead<R: Sendable>(
        _ body: @escaping @Sendable (any StoreSnapshot) throws(FirestoreError) -> R,
        completion: @escaping @Sendable (Result<R, FirestoreError>) -> Void)

    /// Runs one transaction; the calling thread waits. Either all of it is durable when this returns, or it throws and nothing of it
    /// remains. An outcome that a failure leaves unknown is settled before this returns or throws; for that `body` may run again.
    ///
    /// - Parameter needs: What `body` is going to read, as far as it is known.
    func write<R>(
        _ needs: StoreNeeds, _ body: (any StoreTransaction) throws(FirestoreError) -> R
    ) throws(FirestoreError) -> Written<R>

    /// Returns when no later commit can get a time at or before this one. Fails if it lies in the future of the store's clock. Where only
    /// this process writes, its committer does all of that.
    func settle(_ time: DocumentVersion) async throws(FirestoreError)

    /// Takes or renews a lease of the database, and returns whether this process has it: always, where only this process writes.
    func lease(_ name: String, for duration: Duration) throws(FirestoreError) -> Bool

    /// What is committed by whom; nil if only this process writes.
    var commitLog: (any CommitLog)? { get }

    /// Waits for running operations, then closes. Later calls fail.
    func close() throws(FirestoreError)
}

extension DocumentStore {
    package func read<R: Sendable>(
        _ body: @escaping @Sendable (any StoreSnapshot) throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        let result: Result<R, FirestoreError> = await withCheckedContinuation { continuation in
            startRead(body) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Runs one transaction of which nothing is known before.
    package func write<R>(_ body: (any StoreTransaction) throws(FirestoreError) -> R) throws(FirestoreError) -> R {
        try write(StoreNeeds(), body).result
    }
}

/// Properties in which stores differ, and on which callers depend.
package struct StoreTraits: Sendable {
    /// Whether two reads can run at the same time.
    package var hasSeveralReaders: Bool
    /// Whether commit times are made by the clock of the store, and not by that of the engine.
    package var hasClock: Bool

    package init(hasSeveralReaders: Bool, hasClock: Bool = false) {
        self.hasSeveralReaders = hasSeveralReaders
        self.hasClock = hasClock
    }
}

/// What a transaction is going to read, as far as it is known before: a store at a distance fetches it together. A hint.
package struct StoreNeeds: Sendable {
    package var documents: Set<DocumentKey>
    /// Ranges of keys of facts.
    package var facts: [Range<String>]

    package init(documents: Set<DocumentKey> = [], facts: [Range<String>] = []) {
        self.documents = documents
        self.facts = facts
    }
}

/// The result of a transaction, and the last commit before it: a follower that stands there has missed nothing.
package struct Written<R> {
    package let result: R
    package let previous: DocumentVersion

    package init(result: R, previous: DocumentVersion) {
        self.result = result
        self.previous = previous
    }
}

/// Documents by key, as of one moment.
package struct DocumentLookup: Sendable {
    package let readTime: DocumentVersion
    /// In the order of the keys.
    package let documents: [Document?]

    package init(readTime: DocumentVersion, documents: [Document?]) {
        self.readTime = readTime
        self.documents = documents
    }
}

extension FirestoreError {
    package static let isShutDown = FirestoreError(
        .failedPrecondition, "the database has been shut down; open it again before using it")

    /// Of a database whose history was cut: its server opens it again.
    package static let isReopened = FirestoreError(
        .unavailable, "the database has been closed by this server, and is opened again by the next call; try again")
}
