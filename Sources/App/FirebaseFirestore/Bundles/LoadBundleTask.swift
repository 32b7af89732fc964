// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseCore
import FirestoreClient
import FirestoreCore
public import Foundation

/// Identifies an observer of a `LoadBundleTask`.
public typealias LoadBundleObserverHandle = Int

/// The loading of a bundle, which can be observed.
public final class LoadBundleTask: NSObject, Sendable {
    private struct State {
        var observers: [(handle: LoadBundleObserverHandle, callback: UserCallback<LoadBundleTaskProgress>)] = []
        var nextHandle = 1
        /// The final progress, once loading has ended.
        var last: LoadBundleTaskProgress?
    }

    private let queue: DispatchQueue
    private let state = Mutex(State())

    init(queue: DispatchQueue) {
        self.queue = queue
        super.init()
    }

    /// Calls back with every step, on the queue of the settings.
    ///
    /// If loading has ended already, the observer is called once, with the final progress.
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

    /// Removes an observer. It is not called afterwards.
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

    /// Looks the observers up on the queue, so that an observer removed meanwhile is not called.
    private func deliver(_ progress: LoadBundleTaskProgress, to handles: [LoadBundleObserverHandle]) {
        queue.async {
            for handle in handles {
                let observer = self.state.withLock { state in state.observers.first { $0.handle == handle } }
                observer?.callback(progress)
            }
        }
    }
}
