// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Reports when all listeners affected by a change have been called (LS-58).
///
/// A round consists of the batches that the service delivers for one commit, or for the start of a target. Its event
/// follows when every listener of the round has delivered its batch, slow ones included. Rounds that end while the
/// event of an earlier one is pending are merged: the next event represents all of them. So a slow listener costs one
/// number per listener that is behind, and continuous commits never delay an event indefinitely.
package final class SnapshotsInSync: Sendable {
    private struct Observer {
        let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void
        let handle: Handle
        let body: @Sendable () -> Void

        func notify() {
            schedule {
                if !handle.isRemoved { body() }
            }
        }
    }

    final class Handle: ListenHandle {
        private let removed = Mutex(false)
        private let onRemove: @Sendable (Handle) -> Void

        init(onRemove: @escaping @Sendable (Handle) -> Void) { self.onRemove = onRemove }

        var isRemoved: Bool { removed.withLock { $0 } }

        func remove() {
            let isFirst = removed.withLock { removed in
                defer { removed = true }
                return !removed
            }
            if isFirst { onRemove(self) }
        }
    }

    private struct State {
        var observers: [Observer] = []
        var watch: (any WatchHandle)?
        /// Listeners that have received a batch and not delivered it, with the number of the last batch.
        var behind: [ObjectIdentifier: UInt64] = [:]
        /// The listeners that the next event waits for; nil if no event is pending.
        var awaited: [ObjectIdentifier: UInt64]?
        /// Whether a round has ended since.
        var hasLaterRound = false
    }

    private let state = Mutex(State())

    package init() {}

    // MARK: Observers

    /// The first event follows immediately. `startWatching` is called for the first observer.
    package func add(
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void, body: @escaping @Sendable () -> Void,
        startWatching: () -> any WatchHandle
    ) -> any ListenHandle {
        let handle = Handle { [weak self] in self?.remove($0) }
        let observer = Observer(schedule: schedule, handle: handle, body: body)
        let isFirst = state.withLock { state in
            state.observers.append(observer)
            return state.observers.count == 1
        }
        if isFirst {
            let watch = startWatching()
            let isWanted = state.withLock { state in
                let isWanted = !state.observers.isEmpty && state.watch == nil
                if isWanted { state.watch = watch }
                return isWanted
            }
            if !isWanted { watch.cancel() }
        }
        observer.notify()
        return handle
    }

    private func remove(_ handle: Handle) {
        let watch = state.withLock { state -> (any WatchHandle)? in
            state.observers.removeAll { $0.handle === handle }
            guard state.observers.isEmpty else { return nil }
            defer { state = State() }
            return state.watch
        }
        watch?.cancel()
    }

    /// Ends all events.
    package func end() {
        for observer in state.withLock({ $0.observers }) { observer.handle.remove() }
    }

    // MARK: Events

    /// A listener has received the batch with this number.
    func told(_ listener: ObjectIdentifier, _ number: UInt64) {
        state.withLock { state in
            if !state.observers.isEmpty { state.behind[listener] = number }
        }
    }

    /// A listener has delivered everything up to this number, or was removed.
    func delivered(_ listener: ObjectIdentifier, _ number: UInt64) {
        let due = state.withLock { state -> [Observer] in
            if let last = state.behind[listener], last <= number { state.behind[listener] = nil }
            guard let last = state.awaited?[listener], last <= number else { return [] }
            state.awaited?[listener] = nil
            return Self.due(&state)
        }
        for observer in due { observer.notify() }
    }

    /// The service has delivered a commit to all affected listeners.
    package func roundEnded() {
        let due = state.withLock { state -> [Observer] in
            guard state.awaited == nil else {
                state.hasLaterRound = true
                return []
            }
            state.awaited = state.behind
            return Self.due(&state)
        }
        for observer in due { observer.notify() }
    }

    private static func due(_ state: inout State) -> [Observer] {
        guard state.awaited?.isEmpty == true else { return [] }
        // Listeners that are behind now belong to the rounds that ended meanwhile.
        state.awaited = state.hasLaterRound && !state.behind.isEmpty ? state.behind : nil
        state.hasLaterRound = false
        return state.observers
    }
}
