// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

/// The commits of this process, for a database that no other process changes.
struct LocalChangeFeed: ChangeFeed {
    let hub: WatchHub
    let tail: CommitTail

    func begin(at time: DocumentVersion) { hub.begin(at: time) }

    func publish(_ commits: [CommittedChanges], upTo time: DocumentVersion, after previous: DocumentVersion) -> Bool {
        tail.append(commits, upTo: time, after: previous)
        return hub.publish(commits, upTo: time)
    }

    func waitForRoom() { hub.waitForRoom() }

    /// Commits are published before they are acknowledged.
    func afterAcknowledged(_ body: @escaping @Sendable (Result<Void, FirestoreError>) -> Void) { body(.success(())) }

    func afterOwnCommits(_ body: @escaping @Sendable () -> Void) { body() }

    func close() {}
}
