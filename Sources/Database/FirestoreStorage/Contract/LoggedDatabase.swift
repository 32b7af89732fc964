// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A database whose commits others follow: an archive, receivers of events.
package protocol LoggedDatabase: FollowedDatabase {
    /// Every commit, of every process, in order.
    var log: any CommitLog { get }

    /// The clock of the commit times.
    var clock: any WallClock { get }

    /// Whether other processes may write the database and follow its log.
    var isShared: Bool { get }

    /// The present history of the database.
    var history: DatabaseHistory? { get }

    /// How far a reader of the log has read; nil if it has no place, or lost it because it was too far behind.
    func hold(_ name: String) async throws(FirestoreError) -> DocumentVersion?

    /// Notes how far a reader has read: the log is not cut behind that place. Durable when it returns. nil ends the hold.
    func setHold(_ name: String, at time: DocumentVersion?) async throws(FirestoreError)

    /// Notes how far a reader has read, together with what it stores about that place.
    func setHold(_ name: String, at time: DocumentVersion?, storing fact: String, _ value: ByteSlice?) async throws(FirestoreError)

    /// A value that is stored beside the documents.
    func fact(_ key: String) async throws(FirestoreError) -> ByteSlice?

    /// Reads and changes facts of the database in one transaction. Durable when it returns.
    func changeFacts<R: Sendable>(
        _ body: @escaping @Sendable (any FactTransaction) throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R

    /// Takes or renews a lease of the database, and returns whether this process has it: always, where only this process writes.
    func lease(_ name: String, for duration: Duration) async throws(FirestoreError) -> Bool
}
