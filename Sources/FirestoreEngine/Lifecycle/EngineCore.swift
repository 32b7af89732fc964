import Dispatch
import FirestoreCore
import FirestoreStorage

/// What all handles on one database share: the store, the committer, the watches.
final class EngineCore: Sendable {
    let store: Store
    let databaseID: DatabaseID
    let committer: Committer
    let hub: WatchHub
    private let lastHandle = Mutex(0)

    init(store: Store, configuration: EngineConfiguration) {
        self.store = store
        databaseID = configuration.databaseID
        hub = WatchHub(store: store, databaseID: configuration.databaseID)
        committer = Committer(store: store, configuration: configuration, hub: hub)
    }

    /// A number that tells the watches of one handle from those of the others.
    func makeHandle() -> Int {
        lastHandle.withLock { last in
            last += 1
            return last
        }
    }

    /// Ends one handle: its watches stop, what was submitted is finished, and with the last one the files close.
    func release(_ handle: Int) async {
        await committer.settle()
        await hub.cancelAll(owner: handle)
        // Closing waits for transactions that run, which the cooperative pool must not.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                EngineRegistry.shared.releaseOne(self)
                continuation.resume()
            }
        }
    }

    func close() {
        committer.close()
        // Nothing can be done about a failure here, and nothing is lost: what is committed is on the disk.
        try? store.close()
    }
}
