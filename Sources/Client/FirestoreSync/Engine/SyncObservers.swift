// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A subject that observers can subscribe to. Features declare their own.
struct SyncSubject: Hashable {
    private let name: String

    init(_ name: String) { self.name = name }

    /// The queue, and the writes that were rejected.
    static let queue = SyncSubject("queue")
}

/// The observers of a client: of changes of the queue and of features, and of whether the client is offline. They outlive engines.
package final class SyncObservers: Sendable {
    private struct State {
        var last = 0
        var isOffline = false
        var observers: [Int: (subject: SyncSubject, body: @Sendable () -> Void)] = [:]
        var offline: [Int: @Sendable (Bool) -> Void] = [:]
    }

    private let state = Mutex(State())
    /// Calls of `observeOffline` come one at a time.
    private let turn = Mutex(())

    package init() {}

    func observe(_ subject: SyncSubject, _ body: @escaping @Sendable () -> Void) -> any ListenHandle {
        let number = state.withLock { state in
            state.last += 1
            state.observers[state.last] = (subject, body)
            return state.last
        }
        return Observation { [weak self] in self?.state.withLock { _ = $0.observers.removeValue(forKey: number) } }
    }

    package func observeOffline(_ body: @escaping @Sendable (Bool) -> Void) -> any ListenHandle {
        let number = turn.withLock { _ in
            let (number, isOffline) = state.withLock { state in
                state.last += 1
                state.offline[state.last] = body
                return (state.last, state.isOffline)
            }
            body(isOffline)
            return number
        }
        return Observation { [weak self] in self?.state.withLock { _ = $0.offline.removeValue(forKey: number) } }
    }

    func changed(_ subject: SyncSubject) { call { $0 == subject } }

    /// Everything that can be observed may have changed.
    func allChanged() { call { _ in true } }

    private func call(_ isChanged: (SyncSubject) -> Bool) {
        for body in state.withLock({ $0.observers.values.filter { isChanged($0.subject) }.map(\.body) }) { body() }
    }

    func offlineChanged(_ isOffline: Bool) {
        turn.withLock { _ in
            let bodies = state.withLock { state -> [@Sendable (Bool) -> Void] in
                guard state.isOffline != isOffline else { return [] }
                state.isOffline = isOffline
                return Array(state.offline.values)
            }
            for body in bodies { body(isOffline) }
        }
    }
}

private final class Observation: ListenHandle {
    private let onRemove: Mutex<(@Sendable () -> Void)?>

    init(_ onRemove: @escaping @Sendable () -> Void) { self.onRemove = Mutex(onRemove) }

    func remove() {
        let body = onRemove.withLock { onRemove in
            defer { onRemove = nil }
            return onRemove
        }
        body?()
    }
}
