// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreSemantics

/// The listeners of a client, from its creation until it is terminated.
package final class ListenerSet<Source: SnapshotSource>: Sendable {
    package typealias Listener = SnapshotListener<Source>

    private struct State {
        var isTerminated = false
        var listeners: [ObjectIdentifier: (listener: Listener, options: ListenOptions)] = [:]
    }

    private let state = Mutex(State())
    package let inSync = SnapshotsInSync()

    package init() {}

    package var isEmpty: Bool { state.withLock { $0.listeners.isEmpty } }

    package var isTerminated: Bool { state.withLock { $0.isTerminated } }

    /// The error of every call to a terminated client; nil before.
    package var terminationError: FirestoreError? { isTerminated ? .clientIsTerminated : nil }

    // MARK: Listeners

    /// What a listener with these options waits for before snapshots are in sync.
    package func inSync(for options: ListenOptions) -> SnapshotsInSync? { options.isPulled ? nil : inSync }

    /// Returns false if the client is terminated, of which the listener is notified.
    package func insert(_ listener: Listener, _ options: ListenOptions) -> Bool {
        let isTerminated = state.withLock { state in
            if !state.isTerminated { state.listeners[ObjectIdentifier(listener)] = (listener, options) }
            return state.isTerminated
        }
        if isTerminated { listener.fail(.clientIsTerminated) }
        return !isTerminated
    }

    package func remove(_ listener: Listener) { state.withLock { _ = $0.listeners.removeValue(forKey: ObjectIdentifier(listener)) } }

    /// Observes when snapshots are in sync. `startWatching` is called for the first observer.
    package func observeInSync(
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void, body: @escaping @Sendable () -> Void,
        startWatching: () -> any WatchHandle
    ) -> any ListenHandle {
        let handle = inSync.add(schedule: schedule, body: body, startWatching: startWatching)
        if isTerminated { handle.remove() }
        return handle
    }

    // MARK: The end

    /// From now on no listener is inserted. Returns false if that was so before.
    package func terminate() -> Bool {
        state.withLock { state in
            defer { state.isTerminated = true }
            return !state.isTerminated
        }
    }

    /// Ends all listeners and observers.
    package func endAll() {
        let listeners = state.withLock { state in
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        inSync.end()
        for (listener, options) in listeners {
            // A reader that waits for the next snapshot must not wait forever.
            if options.isPulled { listener.fail(.clientIsTerminated) } else { listener.remove() }
        }
    }
}

extension ClientTarget {
    /// The order of the snapshots: that of the user's query, whatever query was sent to the service.
    package var ordering: DocumentOrdering {
        switch self {
        case .document: DocumentOrdering([SortOrder(path: .documentID)])
        case .query(let query): DocumentOrdering(query.query.effectiveOrders)
        }
    }
}

extension FirestoreError {
    package static let clientIsTerminated = FirestoreError(
        .failedPrecondition, "This Firestore instance has been terminated; get a new one from Firestore.firestore().")
}
