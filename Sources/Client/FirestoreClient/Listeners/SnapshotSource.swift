// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreSemantics

/// What a listener collects between two deliveries: merges news and makes the next snapshot of them.
package protocol SnapshotSource: Sendable {
    /// Whether there may be something to deliver.
    var hasNews: Bool { get }

    /// The snapshot to deliver now, or nil if the news cancel out. It becomes the delivered state.
    mutating func nextSnapshot() -> ViewSnapshot?
}

extension ResultView: SnapshotSource {}
