// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A listener to which an engine pushes snapshots. A consumer slower than the engine gets folded ones.
package typealias PushedListener = SnapshotListener<SnapshotFold>

extension SnapshotListener where Source == SnapshotFold {
    /// - Parameters:
    ///   - includesMetadataChanges: Whether the consumer is also called when only metadata changes. Snapshots that are not folded
    ///     are delivered as the engine pushed them.
    ///   - inSync: nil for a consumer that pulls snapshots: no event waits for it.
    ///   - onEnd: Called once, when the listener is removed or has delivered its error.
    package convenience init(
        includesMetadataChanges: Bool = true, inSync: SnapshotsInSync?,
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        onEvent: @escaping @Sendable (Result<ViewSnapshot, FirestoreError>) -> Void,
        onEnd: @escaping @Sendable (PushedListener) -> Void
    ) {
        self.init(
            source: SnapshotFold(includesMetadataChanges: includesMetadataChanges), inSync: inSync, schedule: schedule,
            onEvent: onEvent, onEnd: onEnd)
    }

    /// Schedules the delivery of a snapshot. Ignored once the listener has ended.
    package func push(_ snapshot: ViewSnapshot) { receive { $0.add(snapshot) } }

    /// Schedules the delivery of what differs in the first snapshot of another view on the same query.
    package func pushReplacement(_ snapshot: ViewSnapshot) { receive { $0.addReplacement(snapshot) } }
}
