// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSemantics

/// One listener: collects news in its source and delivers snapshots to one consumer.
///
/// The side that brings news only merges and schedules. Diffing and the consumer's closure run in a job passed
/// to `schedule`; at most one such job exists at a time, so a slow consumer delays no other one and requires only the
/// newest state to be kept.
package final class SnapshotListener<Source: SnapshotSource>: ListenHandle {
    private struct State: ~Copyable {
        var machine = ListenerStateMachine()
        var source: Source
        var failure: FirestoreError?
        var watch: (any WatchHandle)?
        /// The number of times news have arrived.
        var received: UInt64 = 0
    }

    private let state: Mutex<State>
    private let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let onEvent: @Sendable (Result<ViewSnapshot, FirestoreError>) -> Void
    private let onEnd: @Sendable (SnapshotListener) -> Void
    /// nil for a consumer that pulls snapshots: no event waits for it.
    private let inSync: SnapshotsInSync?

    init(
        source: sending Source, inSync: SnapshotsInSync?,
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        onEvent: @escaping @Sendable (Result<ViewSnapshot, FirestoreError>) -> Void,
        onEnd: @escaping @Sendable (SnapshotListener) -> Void
    ) {
        state = Mutex(State(source: source))
        self.inSync = inSync
        self.schedule = schedule
        self.onEvent = onEvent
        self.onEnd = onEnd
    }

    /// Connects the listener to its watch, if it has one. If the listener was removed already, the watch is cancelled.
    func attach(_ watch: any WatchHandle) {
        let hasEnded = state.withLock { state in
            if !state.machine.hasEnded { state.watch = watch }
            return state.machine.hasEnded
        }
        if hasEnded { watch.cancel() }
    }

    /// Merges news into the source. Ignored once the listener has ended.
    func receive(_ merge: (inout Source) -> Void) {
        let action = state.withLock { state -> ListenerStateMachine.NewsAction in
            guard !state.machine.hasEnded else { return .doNothing }
            merge(&state.source)
            guard state.source.hasNews else { return .doNothing }
            state.received += 1
            // Before the job can run.
            inSync?.told(ObjectIdentifier(self), state.received)
            return state.machine.newsArrived()
        }
        perform(action)
    }

    /// Ends the listener with an error, which the consumer gets instead of snapshots that it has not seen yet.
    package func fail(_ error: FirestoreError) {
        let action = state.withLock { state in
            state.failure = error
            return state.machine.newsArrived()
        }
        perform(action)
    }

    package func remove() {
        let (isFirst, watch) = state.withLock { state in
            let watch = state.watch
            state.watch = nil
            return (state.machine.end(), watch)
        }
        watch?.cancel()
        guard isFirst else { return }
        inSync?.delivered(ObjectIdentifier(self), .max)
        onEnd(self)
    }

    private func perform(_ action: ListenerStateMachine.NewsAction) {
        guard action == .schedule else { return }
        // The job keeps the listener alive: dropping a registration does not stop it.
        schedule { self.runJob() }
    }

    private func runJob() {
        let job = state.withLock { state -> (event: Result<ViewSnapshot, FirestoreError>?, number: UInt64)? in
            guard state.machine.jobStarted() == .deliver else { return nil }
            if let failure = state.failure { return (.failure(failure), .max) }
            return (state.source.nextSnapshot().map { .success($0) }, state.received)
        }
        guard let (event, number) = job else { return }
        if let event { onEvent(event) }
        inSync?.delivered(ObjectIdentifier(self), number)
        if case .failure? = event {
            remove()
        } else {
            perform(state.withLock { $0.machine.jobFinished() })
        }
    }
}
