// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The commits of this process, for a database that no other process changes.
struct LocalChangeFeed: ChangeFeed {
    let hub: WatchHub

    func begin(at time: DocumentVersion) { hub.begin(at: time) }

    func publish(_ commits: [CommittedChanges], upTo time: DocumentVersion) -> Bool { hub.publish(commits, upTo: time) }

    func waitForRoom() { hub.waitForRoom() }
}
