// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The last delivered snapshot of one consumer, and the newest one that waits for it.
///
/// A consumer that keeps up gets every snapshot as it was pushed. One that does not gets a single snapshot in place of those it
/// missed, with the changes between the state it has seen and the newest.
package struct SnapshotFold: SnapshotSource {
    private let includesMetadataChanges: Bool
    private var delivered: ViewSnapshot?
    private var newest: ViewSnapshot?
    /// Whether `newest` replaced others that were not delivered.
    private var isFolded = false

    package init(includesMetadataChanges: Bool = true) { self.includesMetadataChanges = includesMetadataChanges }

    package var hasNews: Bool { newest != nil }

    package mutating func add(_ snapshot: ViewSnapshot) {
        isFolded = newest != nil
        newest = snapshot
    }

    /// Adds the first snapshot of another view on the same query, as after a change of the cache: the consumer gets what differs from
    /// what it has seen.
    package mutating func addReplacement(_ snapshot: ViewSnapshot) {
        newest = snapshot
        isFolded = true
    }

    /// The snapshot to deliver now; nil if nothing was added, or if what was added cancels out. Costs a walk over both results
    /// if several snapshots were added.
    package mutating func next() -> ViewSnapshot? {
        guard var next = newest else { return nil }
        let earlier = delivered
        newest = nil
        delivered = next
        guard isFolded else { return next }
        isFolded = false
        // In a first snapshot every document is an added one, whatever the history (LS-50).
        guard let earlier else {
            next.replaceChanges(nil)
            return next
        }
        let changes = SnapshotDifference(from: earlier, to: next, includesMetadataChanges: includesMetadataChanges).changes
        let metadataDiffers =
            includesMetadataChanges
            && (earlier.isFromCache != next.isFromCache || earlier.hasPendingWrites != next.hasPendingWrites)
        guard !changes.isEmpty || metadataDiffers else { return nil }
        next.replaceChanges(changes)
        return next
    }

    package mutating func nextSnapshot() -> ViewSnapshot? { next() }
}
