// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The handle of one watch.
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
        let last = sink.withLock { sink in
            defer { sink = nil }
            return sink
        }
        last?.fail(error)
    }

    /// The same, but not on the caller's thread.
    func fail(_ error: FirestoreError) { session?.refuse(self, error) }

    func cancel() {
        let wasLive = sink.withLock { sink in
            defer { sink = nil }
            return sink != nil
        }
        if wasLive { session?.remove(id) }
    }
}
