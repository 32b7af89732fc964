// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseCore
import FirestoreCore
public import Foundation

/// A listener that runs until `remove` is called. Dropping the object does not stop it.
public protocol ListenerRegistration: NSObjectProtocol, Sendable {
    /// Stops the listener. Idempotent, and allowed inside the callback.
    func remove()
}

final class BackendListenerRegistration: NSObject, ListenerRegistration {
    private let handle: (any ListenHandle)?

    /// nil for a listener that failed before it started.
    init(_ handle: (any ListenHandle)?) {
        self.handle = handle
        super.init()
    }

    func remove() { handle?.remove() }
}

extension Firestore {
    /// Starts a listener whose callback is called on the queue of the settings, or on another one.
    func listen<Snapshot>(
        to target: Result<ClientTarget, FirestoreError>, options: ListenOptions, on queue: DispatchQueue? = nil,
        callback: UserCallback<Result<Snapshot, any Error>>,
        snapshot: @escaping @Sendable (ViewSnapshot) -> Snapshot
    ) -> any ListenerRegistration {
        let queue = queue ?? callbackQueue
        do throws(FirestoreError) {
            let target = try target.get()
            let handle = try backend().listen(
                to: target, options: options, schedule: { job in queue.async(execute: job) },
                onEvent: { event in
                    switch event {
                    case .success(let view): callback(.success(snapshot(view)))
                    case .failure(let error): callback(.failure(error.publicError))
                    }
                })
            return BackendListenerRegistration(handle)
        } catch {
            let publicError = error.publicError
            let failed = FailedListen()
            queue.async {
                if !failed.isRemoved { callback(.failure(publicError)) }
            }
            return BackendListenerRegistration(failed)
        }
    }
}
