// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The observers of rounds: called when all watches affected by a commit have received it.
final class RoundObservers: Sendable {
    private final class Observer: WatchHandle {
        /// A function by itself would be wrapped once more with each use, because the lock is generic.
        private struct Body {
            let call: @Sendable (DocumentVersion) -> Void
        }

        private let body: Mutex<Body?>
        private let onCancel: @Sendable (Observer) -> Void

        init(
            body: @escaping @Sendable (DocumentVersion) -> Void, onCancel: @escaping @Sendable (Observer) -> Void
        ) {
            self.body = Mutex(Body(call: body))
            self.onCancel = onCancel
        }

        func notify(_ time: DocumentVersion) { body.withLock { $0 }?.call(time) }

        func cancel() {
            body.withLock { $0 = nil }
            onCancel(self)
        }
    }

    /// By owner: a round of one owner does not concern the others.
    private let observers = Mutex<[Int: [Observer]]>([:])

    func add(owner: Int, _ body: @escaping @Sendable (DocumentVersion) -> Void) -> any WatchHandle {
        let observer = Observer(body: body) { [weak self] observer in
            self?.observers.withLock { observers in
                observers[owner]?.removeAll { $0 === observer }
                if observers[owner]?.isEmpty == true { observers[owner] = nil }
            }
        }
        observers.withLock { $0[owner, default: []].append(observer) }
        return observer
    }

    var isEmpty: Bool { observers.withLock { $0.isEmpty } }

    /// The watches of these owners have received everything up to a moment.
    func roundEnded(for owners: Set<Int>, through time: DocumentVersion) {
        let concerned = observers.withLock { observers in owners.flatMap { observers[$0] ?? [] } }
        for observer in concerned { observer.notify(time) }
    }

    func removeAll(of owner: Int) { observers.withLock { $0[owner] = nil } }
}
