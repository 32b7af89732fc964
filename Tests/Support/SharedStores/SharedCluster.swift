// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSQLite
package import FirestoreStorage

/// Databases in memory that several engines of this process share, each through a node of its own: what several processes see of a server,
/// without one.
package final class SharedCluster: Sendable {
    private let stores = Mutex<[DatabaseID: SharedDatabase]>([:])
    private let clock: any WallClock
    /// Whether followers are notified of commits. If not, they find them when they look for another reason.
    package let givesHints = Mutex(true)

    package init(clock: any WallClock = SystemClock()) { self.clock = clock }

    package func node() -> SharedNode { SharedNode(self) }

    func database(_ id: DatabaseID) throws(FirestoreError) -> SharedDatabase {
        try stores.withLock { (stores) throws(FirestoreError) in
            if let known = stores[id] { return known }
            let database = SharedDatabase(try SQLiteStore.openInMemory(databaseID: id), self, clock: clock)
            stores[id] = database
            return database
        }
    }

    var all: [DatabaseID] { stores.withLock { Array($0.keys) } }
}

/// The view of one process.
package final class SharedNode: StoreCluster {
    private let cluster: SharedCluster
    /// Waits for the server that a real node would have made.
    package let roundTrips = Mutex(0)

    init(_ cluster: SharedCluster) { self.cluster = cluster }

    package func open(_ database: DatabaseID, creating: Bool) throws(FirestoreError) -> (any InspectableStore)? {
        SharedStore(try cluster.database(database), node: self)
    }

    package func databases(of project: String) throws(FirestoreError) -> [DatabaseID] { cluster.all.filter { $0.projectID == project } }

    package func delete(_ database: DatabaseID) throws(FirestoreError) {}

    package func close() {}

    func count() { roundTrips.withLock { $0 += 1 } }
}

/// A database and the processes that follow its log.
final class SharedDatabase: Sendable {
    struct State {
        var followers: [Int: @Sendable () -> Void] = [:]
        var last = 0
        var leases: [String: ObjectIdentifier] = [:]
    }

    let store: SQLiteStore
    let clock: any WallClock
    let state = Mutex(State())

    private let cluster: SharedCluster

    init(_ store: SQLiteStore, _ cluster: SharedCluster, clock: any WallClock) {
        self.store = store
        self.cluster = cluster
        self.clock = clock
    }

    func wakeAll() {
        guard cluster.givesHints.withLock({ $0 }) else { return }
        for wake in state.withLock({ Array($0.followers.values) }) { wake() }
    }
}
