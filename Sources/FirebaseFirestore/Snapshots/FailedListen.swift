import FirestoreCore
import Synchronization

/// The handle of a listener that only gets an error, unless it is removed before.
final class FailedListen: ListenHandle {
    private let removed = Atomic(false)

    var isRemoved: Bool { removed.load(ordering: .acquiring) }

    func remove() { removed.store(true, ordering: .releasing) }
}
