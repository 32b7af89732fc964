// SPDX-License-Identifier: Apache-2.0

/// A condition for applying a commit: for example, that the reads of a transaction are unchanged, or that a security rule
/// allows the commit.
package protocol CommitCondition: Sendable {
    /// Throws the error that the commit fails with.
    ///
    /// Called once, inside the commit, between the preceding and the following commit, so that the state it sees is the state
    /// the commit applies to. It delays every commit of the database: it must read a bounded number of documents and must not
    /// call other services.
    func check(_ commit: any CommitState) throws(FirestoreError)

    /// The approximate memory that the condition holds while the commit waits, in bytes.
    var weight: Int { get }
}

/// A commit about to be applied, as its conditions see it. Valid during `CommitCondition.check`.
package protocol CommitState: AnyObject {
    var writes: [Write] { get }

    /// The time the commit will have.
    var time: DocumentVersion { get }

    /// The time of the previous commit.
    var previousTime: DocumentVersion { get }

    /// A document before the commit, whether or not the commit writes it.
    func before(_ key: DocumentKey) throws(FirestoreError) -> Document?

    /// A document after all writes of the commit.
    ///
    /// Throws the error of a write that cannot be applied; the commit fails with that error if the condition lets it through.
    /// The writes are applied once, when the first condition asks.
    func after(_ key: DocumentKey) throws(FirestoreError) -> Document?

    /// The changes in a scope since a moment and before the commit: each document once, in its state at that moment.
    /// Throws `aborted` if the moment lies before the change log.
    func changes(
        since time: DocumentVersion, in scope: QueryScope, _ body: (EarlierState) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError)
}
