import FirestoreCore

/// What a watch is told.
final class RecordingSink: WatchSink {
    private struct State {
        var batches = 0
        var error: FirestoreError?
    }

    private let state = Mutex(State())

    var batches: Int { state.withLock { $0.batches } }
    var error: FirestoreError? { state.withLock { $0.error } }

    func receive(_ batch: WatchBatch) { state.withLock { $0.batches += 1 } }
    func fail(_ error: FirestoreError) { state.withLock { $0.error = error } }
}
