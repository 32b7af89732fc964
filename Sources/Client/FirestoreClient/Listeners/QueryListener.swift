// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreSemantics

/// A listener that merges the batches of its target into a view of its own.
package typealias QueryListener = SnapshotListener<ResultView>

extension SnapshotListener: WatchSink where Source == ResultView {
    convenience init(
        ordering: DocumentOrdering, inSync: SnapshotsInSync?,
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        onEvent: @escaping @Sendable (Result<ViewSnapshot, FirestoreError>) -> Void,
        onEnd: @escaping @Sendable (QueryListener) -> Void
    ) {
        self.init(
            source: ResultView(ordering: ordering), inSync: inSync, schedule: schedule, onEvent: onEvent, onEnd: onEnd)
    }

    package func receive(_ batch: WatchBatch) { receive { $0.apply(batch) } }
}
