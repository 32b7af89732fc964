// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Delivers commits to the watches: every commit, exactly once, in commit order.
///
/// Today all commits of a database are made in this process, and `LocalChangeFeed` forwards them. A store shared by several
/// processes brings a feed that reads the others' commits from the change log and merges them with those of this process;
/// committer and watches stay as they are.
protocol ChangeFeed: Sendable {
    /// Called once before any `publish`: commits up to this time are in the database before the first watch begins.
    func begin(at time: DocumentVersion)

    /// Takes a durable group of commits, before any caller that waits for one of them continues: a watch that begins later reads
    /// them from the database. Called by the committer.
    ///
    /// Returns true if `waitForRoom` must be called before the next group.
    func publish(_ commits: [CommittedChanges], upTo time: DocumentVersion) -> Bool

    /// Waits while the watches are far behind.
    func waitForRoom()
}
