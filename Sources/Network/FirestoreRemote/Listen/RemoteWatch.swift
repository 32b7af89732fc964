// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

final class RemoteWatch: WatchHandle {
    let id: Int32
    let target: WatchTarget
    let resumption: WatchResumption?
    private weak let session: ListenSession?
    private let sink: Mutex<(any WatchSink)?>

    init(
        id: Int32, target: WatchTarget, resumption: WatchResumption?, sink: any WatchSink, session: ListenSession
    ) {
        self.id = id
        self.target = target
        self.resumption = resumption
        self.session = session
        self.sink = Mutex(sink)
    }

    var isCancelled: Bool { sink.withLock { $0 == nil } }

    func start() { session?.start(self) }

    func deliver(_ batch: WatchBatch) { sink.withLock { $0 }?.receive(batch) }

    /// The last call to the sink.
    func end(_ error: FirestoreError) {
        sink.withLock { $0.take() }?.fail(error)
    }

    /// Ends the watch with an error, but not on the caller's thread.
    func fail(_ error: FirestoreError) { session?.reject(self, error) }

    func cancel() {
        if sink.withLock({ $0.take() }) != nil { session?.remove(id) }
    }
}
