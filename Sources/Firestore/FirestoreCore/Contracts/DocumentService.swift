// SPDX-License-Identifier: Apache-2.0

/// Everything a Firestore server can do. The embedded engine, a remote server and fault-injecting doubles conform.
///
/// A composition of roles, so that a service in front of another one overrides its part and forwards the rest. Its
/// `session()` returns a session of the same kind: streams of the server work on sessions.
///
/// Every conformer guarantees:
/// - **Order.** Commits submitted by one caller are applied in the order of the `submit` calls. (On a server that locks what
///   transactions read, commits of transactions may overtake others, which may be waiting for those locks.)
/// - **Read your writes.** A read or watch started after `submit` returned sees that commit, finished or not.
///
/// Capabilities are properties without defaults, so that a decorator states which ones it forwards.
package protocol DocumentService: CommitService, ReadService, ListingService, PipelineService, TransactionService, WatchService {
    /// The indexes of the database; nil where its server manages them.
    var indexAdministration: (any IndexAdministration)? { get }

    /// The facts that the database stores beside its documents; nil where it stores nothing else.
    var facts: (any FactService)? { get }

    /// The database, if its commits can be followed in this process; nil where another process stores it.
    var followed: (any FollowedDatabase)? { get }

    /// The policies by which documents expire; nil where this service deletes no expired documents.
    var expiryAdministration: (any ExpiryAdministration)? { get }

    /// The stored form of the database; nil where another process stores it.
    var storeAdministration: (any StoreAdministration)? { get }

    /// The history that tokens of this database name; nil where its server alone knows it.
    var history: DatabaseHistory? { get }

    /// Whether other processes change the data too. A transaction that loses to them cannot take turns with them.
    var isShared: Bool { get }

    /// Returns another caller of the same database, with separate watches, rounds and transactions. Its `shutdown` ends those;
    /// the last caller's `shutdown` closes the database.
    func session() throws(FirestoreError) -> any DocumentService

    /// Ends every watch, finishes submitted commits and closes the files. Later calls fail with `failedPrecondition`.
    func shutdown() async
}
