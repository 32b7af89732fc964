// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// One watch: the target, the sink, and the handle for its owner.
final class WatchRegistration: WatchHandle {
    let id: Int
    let target: WatchTarget
    /// The state that its owner already knows.
    let resumption: WatchResumption?
    /// The engine handle that opened it.
    let owner: Int
    private let sink: Mutex<(any WatchSink)?>
    private let onCancel: @Sendable (Int) -> Void

    init(
        id: Int, target: WatchTarget, from resumption: WatchResumption? = nil, owner: Int, sink: any WatchSink,
        onCancel: @escaping @Sendable (Int) -> Void
    ) {
        self.id = id
        self.target = target
        self.resumption = resumption
        self.owner = owner
        self.sink = Mutex(sink)
        self.onCancel = onCancel
    }

    var isCancelled: Bool { sink.withLock { $0 == nil } }

    func cancel() {
        if sink.withLock({ $0.take() }) != nil { onCancel(id) }
    }

    // The sink is called without the lock, because it may cancel.

    func deliver(_ batch: WatchBatch) { sink.withLock { $0 }?.receive(batch) }

    /// The last call to the sink.
    func fail(_ error: FirestoreError) {
        sink.withLock { $0.take() }?.fail(error)
    }
}
