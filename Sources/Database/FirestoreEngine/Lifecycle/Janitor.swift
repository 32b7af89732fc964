// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreStorage

/// Removes what is too old from a database that several processes write: old changes, expired outcomes of sequences.
///
/// The process that has the lease does it, beside the commits.
final class Janitor: Sendable {
    private static let interval = 10
    private static let lease = Duration.seconds(30)

    private let store: any DocumentStore
    private let committer: Committer
    private let queue = DispatchQueue(label: "hearth.janitor", qos: .utility)
    private let isClosed = Mutex(false)

    /// nil for a database that only this process writes: its commits clean up.
    init?(store: any DocumentStore, committer: Committer) {
        guard store.commitLog != nil else { return nil }
        self.store = store
        self.committer = committer
        wait()
    }

    private func wait() {
        queue.asyncAfter(deadline: .now() + .seconds(Self.interval)) { [weak self] in
            guard let janitor = self, !janitor.isClosed.withLock({ $0 }) else { return }
            janitor.sweep()
            janitor.wait()
        }
    }

    /// Removes all that is due, in steps between which others commit.
    func sweep() {
        // What fails is due again with the next turn.
        while !isClosed.withLock({ $0 }), (try? store.lease("janitor", for: Self.lease)) == true, (try? committer.tidyShared()) == true {}
    }

    /// Returns when a running turn is over.
    func close() {
        isClosed.withLock { $0 = true }
        queue.sync {}
    }
}
