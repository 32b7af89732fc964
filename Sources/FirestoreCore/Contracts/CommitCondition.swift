// SPDX-License-Identifier: Apache-2.0

/// Something that must hold for a commit to be applied: what a transaction has read is the same, a security rule allows it.
package protocol CommitCondition: Sendable {
    /// Throws the error that the commit is to fail with.
    ///
    /// Called once, inside the commit, between the commits before and after it: what it sees is what will be. It holds up
    /// every commit of the database, so it reads a bounded number of documents and calls nothing else.
    func check(_ commit: any CommitState) throws(FirestoreError)

    /// About the memory it holds, in bytes, while the commit waits in line.
    var weight: Int { get }
}

/// A commit that is about to be applied, as its conditions see it. Valid during `CommitCondition.check`.
package protocol CommitState: AnyObject {
    var writes: [Write] { get }

    /// The time the commit will have.
    var time: DocumentVersion { get }

    /// The time of the commit before it.
    var previousTime: DocumentVersion { get }

    /// A document as it is before the commit, written by it or not.
    func before(_ key: DocumentKey) throws(FirestoreError) -> Document?

    /// A document as it is after all writes of the commit.
    ///
    /// Throws the error of a write that cannot be applied, which the commit fails with if the condition lets it through. The
    /// writes are applied when the first condition asks, and once.
    func after(_ key: DocumentKey) throws(FirestoreError) -> Document?

    /// What has changed in a scope since a moment, before the commit: each document once, as it was then. Throws `aborted`
    /// if the moment lies before the change log.
    func changes(
        since time: DocumentVersion, in scope: QueryScope, _ body: (EarlierState) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError)
}
