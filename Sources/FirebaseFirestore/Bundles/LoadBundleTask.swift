import Dispatch
import FirestoreClient
import FirestoreCore
public import Foundation

/// Names an observer of a `LoadBundleTask`.
public typealias LoadBundleObserverHandle = Int

/// The loading of a bundle, to be watched.
public final class LoadBundleTask: NSObject, Sendable {
    private struct State {
        var observers: [(handle: LoadBundleObserverHandle, callback: UserCallback<LoadBundleTaskProgress>)] = []
        var nextHandle = 1
        /// Once it is over.
        var last: LoadBundleTaskProgress?
    }

    private let queue: DispatchQueue
    private let state = Mutex(State())

    init(queue: DispatchQueue) {
        self.queue = queue
        super.init()
    }

    /// Calls back with every step, on the queue of the settings; at once with the end if it is over already.
    @discardableResult
    public func addObserver(
        _ observer: @escaping (LoadBundleTaskProgress) -> Void
    ) -> LoadBundleObserverHandle {
        let callback = UserCallback(observer)
        let (handle, last) = state.withLock { state in
            defer { state.nextHandle += 1 }
            state.observers.append((state.nextHandle, callback))
            return (state.nextHandle, state.last)
        }
        if let last { deliver(last, to: [handle]) }
        return handle
    }

    /// Removes an observer; nothing is told to it afterwards.
    public func removeObserverWith(handle: LoadBundleObserverHandle) {
        state.withLock { state in state.observers.removeAll { $0.handle == handle } }
    }

    /// Removes all observers.
    public func removeAllObservers() {
        state.withLock { $0.observers = [] }
    }

    func report(_ progress: LoadBundleTaskProgress) {
        let handles = state.withLock { state in
            if progress.state != .inProgress { state.last = progress }
            return state.observers.map(\.handle)
        }
        deliver(progress, to: handles)
    }

    /// Looks the observers up only on the queue: one that was removed meanwhile hears nothing.
    private func deliver(_ progress: LoadBundleTaskProgress, to handles: [LoadBundleObserverHandle]) {
        queue.async {
            for handle in handles {
                let observer = self.state.withLock { state in state.observers.first { $0.handle == handle } }
                observer?.callback(progress)
            }
        }
    }
}
