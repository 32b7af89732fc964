// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// The target of a watch.
enum WatchedTarget: Sendable {
    case document(DocumentKey)
    case query(ClientQuery)

    var watched: WatchTarget {
        switch self {
        case .document(let key): .document(key)
        case .query(let query): .query(query.serviceQuery)
        }
    }

    var document: DocumentKey? {
        if case .document(let key) = self { key } else { nil }
    }

    fileprivate var ordering: DocumentOrdering {
        switch self {
        case .document: DocumentOrdering([])
        case .query(let query): DocumentOrdering(query.query.effectiveOrders)
        }
    }
}

/// Connects the thread that delivers changes with the task that prints them: stores the printed state and the changes
/// since, however slow the printing is.
final class SnapshotQueue: WatchSink {
    private struct State {
        var view: ResultView
        var failure: FirestoreError?
        var isClosed = false
    }

    private let state: Mutex<State>
    /// At most one wake-up is pending.
    private let wakeUps: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    init(_ target: WatchedTarget) {
        state = Mutex(State(view: ResultView(ordering: target.ordering)))
        (wakeUps, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func receive(_ batch: WatchBatch) {
        state.withLock { $0.view.apply(batch) }
        wake.yield()
    }

    func fail(_ error: FirestoreError) {
        state.withLock { $0.failure = error }
        wake.yield()
    }

    /// Ends the loop over the states; nothing more is printed.
    func close() {
        state.withLock { $0.isClosed = true }
        wake.yield()
    }

    /// The next state; nil when the task is cancelled or the queue is closed. Throws when the watch has failed.
    func next() async throws(FirestoreError) -> ViewSnapshot? {
        while true {
            let (isClosed, snapshot, failure) = state.withLock { ($0.isClosed, $0.view.nextSnapshot(), $0.failure) }
            if isClosed { return nil }
            if let snapshot { return snapshot }
            if let failure { throw failure }
            var iterator = wakeUps.makeAsyncIterator()
            guard await iterator.next() != nil else { return nil }
        }
    }
}
