// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The way by which commits reach the watches: every one, once, in commit order.
///
/// Today all commits of a database are made in this process, and `LocalChangeFeed` hands them on as they come. A store that
/// several processes share brings a feed that reads the others' commits from the change log, and merges those of this process
/// in between; committer and watches stay as they are.
protocol ChangeFeed: Sendable {
    /// What was committed up to this time is in the database before the first watch begins. Comes before any `publish`.
    func begin(at time: DocumentVersion)

    /// Takes a group of commits that is durable, before any caller that waits for one of them goes on: a watch that begins
    /// later reads them in the database. Called by the committer.
    ///
    /// Returns true if `waitForRoom` is to be called before the next group.
    func publish(_ commits: [CommittedChanges], upTo time: DocumentVersion) -> Bool

    /// Waits while the watches are far behind.
    func waitForRoom()
}

/// The commits of this process, for a database that no other process changes.
struct LocalChangeFeed: ChangeFeed {
    let hub: WatchHub

    func begin(at time: DocumentVersion) { hub.begin(at: time) }

    func publish(_ commits: [CommittedChanges], upTo time: DocumentVersion) -> Bool { hub.publish(commits, upTo: time) }

    func waitForRoom() { hub.waitForRoom() }
}
