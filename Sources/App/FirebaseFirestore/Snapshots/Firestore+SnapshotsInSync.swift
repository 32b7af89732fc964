// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseCore
import FirestoreCore

extension Firestore {
    /// Calls back once all snapshot listeners affected by a change have been called, and once at the start.
    ///
    /// Use it to combine what several listeners show: at that moment none of them is behind the others. It is called on
    /// the queue of the settings, after the callbacks of these listeners have returned. If changes come faster than a
    /// slow listener can process them, one call represents several changes. Loops over `snapshots` are not waited for.
    /// A change that affects no listener causes no call.
    ///
    /// To stop it, retain the registration and call `remove`; dropping the registration does not stop it. On a terminated
    /// instance it is never called.
    @discardableResult
    public func addSnapshotsInSyncListener(_ listener: @escaping () -> Void) -> any ListenerRegistration {
        let callback = UserCallback<Void>(listener)
        let queue = callbackQueue
        let backend = try? backend()
        return BackendListenerRegistration(
            backend?.listenForSnapshotsInSync(schedule: { job in queue.async(execute: job) }, { callback(()) }))
    }
}
