// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSQLite
package import FirestoreStorage

/// Databases in memory that several engines of this process share, each through a node of its own: what several processes see of a server,
/// without one.
package final class SharedCluster: Sendable {
    private let stores = Mutex<[DatabaseID: SharedDatabase]>([:])
    /// Waits for the server that real nodes would have made.
    package let roundTrips = Mutex(0)
    /// Called on the thread of a node that is about to look for the last commit because nothing is watched there.
    package let beforeEnd = Mutex<(@Sendable () -> Void)?>(nil)
    /// Whether followers are notified of commits. If not, they find them when they look for another reason.
    package let givesHints = Mutex(true)

    package init() {}

    package func node() -> SharedNode { SharedNode(self) }

    func database(_ id: DatabaseID) throws(FirestoreError) -> SharedDatabase {
        try stores.withLock { (stores) throws(FirestoreError) in
            if let known = stores[id] { return known }
            let database = SharedDatabase(try SQLiteStore.openInMemory(databaseID: id), self)
            stores[id] = database
            return database
        }
    }

    /// Has all nodes look into the logs, as a poll does.
    package func wakeAll() {
        for database in stores.withLock({ Array($0.values) }) { database.wakeAll() }
    }

    /// Cuts the history of all databases behind what the nodes have seen, as a fail-over that loses commits does.
    package func endHistories() {
        for database in stores.withLock({ Array($0.values) }) { database.endHistory() }
    }

    var all: [DatabaseID] { stores.withLock { Array($0.keys) } }
}

/// The view of one process.
package final class SharedNode: StoreCluster {
    private let cluster: SharedCluster

    init(_ cluster: SharedCluster) { self.cluster = cluster }

    package func open(_ database: DatabaseID, creating: Bool) throws(FirestoreError) -> (any InspectableStore)? {
        SharedStore(try cluster.database(database), node: self)
    }

    package func exists(_ database: DatabaseID) throws(FirestoreError) -> Bool { cluster.all.contains(database) }

    package func databases() throws(FirestoreError) -> [DatabaseID] { cluster.all }

    package func databases(with fact: String) throws(FirestoreError) -> [DatabaseID] {
        var found: [DatabaseID] = []
        for database in cluster.all {
            let store = try cluster.database(database).store
            if try store.read({ (snapshot: any StoreSnapshot) throws(FirestoreError) in try snapshot.fact(fact) }) != nil {
                found.append(database)
            }
        }
        return found
    }

    package func delete(_ database: DatabaseID) throws(FirestoreError) {}

    package var nodes: (any ClusterNodes)? { nil }

    package func tables(named name: String, lock: String, creation: String?) throws(FirestoreError) -> (any ClusterTables)? { nil }

    package func close() {}

    func count() { cluster.roundTrips.withLock { $0 += 1 } }
}

/// A database and the processes that follow its log.
final class SharedDatabase: Sendable {
    struct State {
        var followers: [Int: @Sendable () -> Void] = [:]
        var ends: [Int: @Sendable (FirestoreError) -> Void] = [:]
        /// Counts the histories that were cut.
        var generation = 0
        var last = 0
        var leases: [String: ObjectIdentifier] = [:]
    }

    let store: SQLiteStore
    let state = Mutex(State())

    let cluster: SharedCluster

    init(_ store: SQLiteStore, _ cluster: SharedCluster) {
        self.store = store
        self.cluster = cluster
    }

    func endHistory() {
        let ends = state.withLock { state in
            state.generation += 1
            return Array(state.ends.values)
        }
        for end in ends { end(.historyEnded) }
    }

    func wakeAll() {
        guard cluster.givesHints.withLock({ $0 }) else { return }
        for wake in state.withLock({ Array($0.followers.values) }) { wake() }
    }
}

extension FirestoreError {
    static let historyEnded = FirestoreError(.unavailable, "commits were lost; the database has to be opened again")
}
