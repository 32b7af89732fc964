import FirestoreCore

/// Says when all listeners that one change concerns have been called (LS-58).
///
/// A round is what the service tells because of one commit, or for the start of a target. Its event comes when every
/// listener told in it has delivered what it was told, slow ones included. Rounds that end while the event of an earlier
/// one is still to come are folded: the next event stands for all of them. So a slow listener costs one remembered number
/// per listener that is behind, and an event is never held up by commits that keep coming.
final class SnapshotsInSync: Sendable {
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
        /// Listeners that have been told something and have not delivered it: the number of the last batch.
        var behind: [ObjectIdentifier: UInt64] = [:]
        /// Those of them the next event waits for; nil if no event is to come.
        var awaited: [ObjectIdentifier: UInt64]?
        /// A round has ended since.
        var hasLaterRound = false
    }

    private let state = Mutex(State())

    // MARK: Observers

    /// The first event comes at once. `startWatching` is called if this is the first observer.
    func add(
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

    /// Nothing more is said.
    func end() {
        for observer in state.withLock({ $0.observers }) { observer.handle.remove() }
    }

    // MARK: What happens

    /// A listener has got its batch of this number.
    func told(_ listener: ObjectIdentifier, _ number: UInt64) {
        state.withLock { state in
            if !state.observers.isEmpty { state.behind[listener] = number }
        }
    }

    /// A listener has called back with everything up to this number, or is gone.
    func delivered(_ listener: ObjectIdentifier, _ number: UInt64) {
        let due = state.withLock { state -> [Observer] in
            if let last = state.behind[listener], last <= number { state.behind[listener] = nil }
            guard let last = state.awaited?[listener], last <= number else { return [] }
            state.awaited?[listener] = nil
            return Self.due(&state)
        }
        for observer in due { observer.notify() }
    }

    /// The service has told all listeners a commit concerns.
    func roundEnded() {
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
        // What is behind by now belongs to the rounds that ended meanwhile.
        state.awaited = state.hasLaterRound && !state.behind.isEmpty ? state.behind : nil
        state.hasLaterRound = false
        return state.observers
    }
}
