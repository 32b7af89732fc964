// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

/// Delivers commits to the watches: every commit, exactly once, in commit order.
///
/// Where only this process writes, `LocalChangeFeed` forwards its commits. Where several do, `FollowingFeed` reads the others' commits from
/// the change log and merges them with those of this process.
protocol ChangeFeed: Sendable {
    /// Called once before any `publish`: commits up to this time are in the database before the first watch begins.
    func begin(at time: DocumentVersion)

    /// Takes a durable group of commits, before any caller that waits for one of them continues: a watch that begins later reads
    /// them from the database. Called by the committer. `previous`: the last commit before the group, of any process.
    ///
    /// Returns true if `waitForRoom` must be called before the next group.
    func publish(_ commits: [CommittedChanges], upTo time: DocumentVersion, after previous: DocumentVersion) -> Bool

    /// Waits while the watches are far behind.
    func waitForRoom()

    /// Runs `body` when the watches have every commit that was acknowledged before this call, by any process: a watch that joins others
    /// sees what they see. Fails if that cannot be found out.
    func afterAcknowledged(_ body: @escaping @Sendable (Result<Void, FirestoreError>) -> Void)

    /// Runs `body` when the watches have every commit of this process that was acknowledged before this call.
    func afterOwnCommits(_ body: @escaping @Sendable () -> Void)

    func close()
}
