import Dispatch
import FirestoreCore

extension Firestore {
    /// Calls back whenever all snapshot listeners that one change concerns have been called, and once at the start.
    ///
    /// The moment to bring together what several listeners show: none of them is behind the others then. Called on the
    /// queue of the settings, after the callbacks it stands for have returned. When changes come faster than a slow
    /// listener is done with them, one call stands for several changes. Loops over `snapshots` take what they get when they
    /// like and are not waited for. A change that concerns no listener calls nobody.
    ///
    /// Keep the registration to end it with `remove`; dropping it does not. On a terminated instance nothing is called.
    @discardableResult
    public func addSnapshotsInSyncListener(_ listener: @escaping () -> Void) -> any ListenerRegistration {
        let callback = UserCallback<Void>(listener)
        let queue = callbackQueue
        let backend = try? backend()
        return BackendListenerRegistration(
            backend?.listenForSnapshotsInSync(schedule: { job in queue.async(execute: job) }, { callback(()) }))
    }
}
