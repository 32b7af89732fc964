import FirestoreCore

/// Who wants to know when all watches a commit concerns have been told.
final class RoundObservers: Sendable {
    private final class Observer: WatchHandle {
        let owner: Int
        private let body: Mutex<(@Sendable (DocumentVersion) -> Void)?>
        private let onCancel: @Sendable (Observer) -> Void

        init(
            owner: Int, body: @escaping @Sendable (DocumentVersion) -> Void, onCancel: @escaping @Sendable (Observer) -> Void
        ) {
            self.owner = owner
            self.body = Mutex(body)
            self.onCancel = onCancel
        }

        func notify(_ time: DocumentVersion) { body.withLock { $0 }?(time) }

        func cancel() {
            body.withLock { $0 = nil }
            onCancel(self)
        }
    }

    private let observers = Mutex<[Observer]>([])

    func add(owner: Int, _ body: @escaping @Sendable (DocumentVersion) -> Void) -> any WatchHandle {
        let observer = Observer(owner: owner, body: body) { [weak self] observer in
            self?.observers.withLock { $0.removeAll { $0 === observer } }
        }
        observers.withLock { $0.append(observer) }
        return observer
    }

    var isEmpty: Bool { observers.withLock { $0.isEmpty } }

    /// All that has been told up to a moment.
    func roundEnded(for owners: Set<Int>, through time: DocumentVersion) {
        for observer in observers.withLock({ $0 }) where owners.contains(observer.owner) { observer.notify(time) }
    }

    func removeAll(of owner: Int) { observers.withLock { $0.removeAll { $0.owner == owner } } }
}
