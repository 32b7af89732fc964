// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore

/// The instances that `Firestore.firestore()` returns: one per app and database, until terminated.
enum FirestoreRegistry {
    private struct Key: Hashable {
        let app: ObjectIdentifier
        let database: String
    }

    private struct State {
        var instances: [Key: Firestore] = [:]
        var watchesApps = false
    }

    private static let state = Mutex(State())

    static func instance(app: FirebaseApp, database: String) -> Firestore {
        let key = Key(app: ObjectIdentifier(app), database: database)
        let (instance, isFirst) = state.withLock { state in
            let isFirst = !state.watchesApps
            state.watchesApps = true
            if let instance = state.instances[key] { return (instance, isFirst) }
            let instance = Firestore(
                app: app, databaseID: Firestore.databaseID(app, database, SettingsValues()), composition: compose)
            state.instances[key] = instance
            return (instance, isFirst)
        }
        if isFirst { FirebaseApp.onDeletion { await terminateInstances(of: $0) } }
        return instance
    }

    static func forget(_ instance: Firestore) {
        let key = Key(app: ObjectIdentifier(instance.app), database: instance.databaseID.databaseID)
        state.withLock { state in
            if state.instances[key] === instance { state.instances[key] = nil }
        }
    }

    /// Whether an instance of this process has the file open.
    static func isOpen(_ location: DatabaseLocation) -> Bool {
        guard location != .memory else { return false }
        let instances = state.withLock { Array($0.instances.values) }
        return instances.contains { $0.openLocation == location }
    }

    private static func terminateInstances(of app: FirebaseApp) async {
        let instances = state.withLock { $0.instances.values.filter { $0.app === app } }
        for instance in instances { await instance.shutDown() }
    }
}
