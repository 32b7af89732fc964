// SPDX-License-Identifier: Apache-2.0
import FirestoreClient
import FirestoreCore

/// Notifies `SnapshotsInSync` when the engine has called all listeners.
final class InSyncWatch: WatchHandle {
    private let runner: SyncRunner
    private let inSync: SnapshotsInSync
    /// Its number in the engine.
    private let number = Mutex<Int?>(nil)

    init(_ runner: SyncRunner, _ inSync: SnapshotsInSync) {
        self.runner = runner
        self.inSync = inSync
        runner.asyncAlways { [self] engine in
            runner.inSyncWatches[ObjectIdentifier(self)] = self
            if let engine { attach(to: engine) }
        }
    }

    /// On the queue, of each engine of the client.
    func attach(to engine: SyncEngine) {
        var isRegistration = true
        let number = engine.addSnapshotsInSyncObserver { [inSync] in if !isRegistration { inSync.roundEnded() } }
        isRegistration = false
        self.number.withLock { $0 = number }
    }

    func cancel() {
        runner.asyncAlways { [self] engine in
            guard runner.inSyncWatches.removeValue(forKey: ObjectIdentifier(self)) != nil else { return }
            if let number = number.withLock({ $0 }) { engine?.removeSnapshotsInSyncObserver(number) }
        }
    }
}
