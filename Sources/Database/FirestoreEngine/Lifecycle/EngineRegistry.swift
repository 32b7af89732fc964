// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

/// One engine per file, or per database of a cluster, in this process.
final class EngineRegistry: Sendable {
    static let shared = EngineRegistry()

    private struct Entry {
        let core: EngineCore
        var durability: Durability
    }

    private enum Place: Hashable {
        case file(StorePath)
        case cluster(ObjectIdentifier, DatabaseID)
    }

    private let engines = Mutex<[Place: Entry]>([:])

    /// Returns the engine of a file, opening it if necessary. The caller makes exactly one handle on it.
    func open(_ path: String, _ configuration: EngineConfiguration) throws(FirestoreError) -> EngineCore {
        let path = try StorePath(preparing: path)
        return try open(.file(path), configuration) { () throws(FirestoreError) in
            try Self.openStore(path, configuration)
        } join: { entry throws(FirestoreError) in
            try Self.join(&entry, configuration, at: path)
        }
    }

    /// Returns the engine of a database of a cluster, opening it if necessary, creating the database if it does not exist. The caller makes
    /// exactly one handle on it.
    func open(_ cluster: any StoreCluster, _ configuration: EngineConfiguration) throws(FirestoreError) -> EngineCore {
        try open(.cluster(ObjectIdentifier(cluster), configuration.databaseID), configuration) { () throws(FirestoreError) in
            guard let store = try cluster.open(configuration.databaseID, creating: true) else {
                throw FirestoreError(.internal, "the database was not created", at: configuration.databaseID.databaseID)
            }
            return store
        } join: { entry in
            entry.core.retain()
        }
    }

    private func open(
        _ place: Place, _ configuration: EngineConfiguration, store: () throws(FirestoreError) -> any InspectableStore,
        join: (inout Entry) throws(FirestoreError) -> Void
    ) throws(FirestoreError) -> EngineCore {
        let result: Result<EngineCore, FirestoreError> = engines.withLock { engines in
            Result { () throws(FirestoreError) in
                // One whose history was cut is left to its present users.
                guard var entry = engines[place], !entry.core.end.hasEnded else {
                    let core = EngineCore(store: try store(), configuration: configuration)
                    try core.start()
                    core.retain()
                    engines[place] = Entry(core: core, durability: configuration.durability)
                    return core
                }
                try join(&entry)
                engines[place] = entry
                return entry.core
            }
        }
        return try result.get()
    }

    private static func openStore(_ path: StorePath, _ configuration: EngineConfiguration) throws(FirestoreError) -> SQLiteStore {
        if configuration.isReadOnly { return try SQLiteStore.openReadOnly(path, databaseID: configuration.databaseID) }
        return try SQLiteStore.open(
            path, durability: configuration.durability, databaseID: configuration.databaseID, opening: configuration.opening)
    }

    private static func join(
        _ entry: inout Entry, _ configuration: EngineConfiguration, at path: StorePath
    ) throws(FirestoreError) {
        let open = entry.core.databaseID
        guard open == configuration.databaseID else {
            throw FirestoreError(
                .failedPrecondition,
                "the file is open as database \(open.databaseID) of project \(open.projectID); "
                    + "open it under that name or give another path", at: path.path, cause: StoreReason.holdsAnotherDatabase)
        }
        guard !entry.core.isReadOnly || configuration.isReadOnly else {
            throw FirestoreError(
                .failedPrecondition, "the file is open for reading only in this process; close it before it is opened for writing",
                at: path.path)
        }
        // The strictest durability among the users of a file applies.
        if configuration.durability > entry.durability {
            try entry.core.file("durability").setDurability(configuration.durability)
            entry.durability = configuration.durability
        }
        entry.core.retain()
    }

    /// Closes an engine that has handles. The next opener of its file does not find it.
    func abandon(_ core: EngineCore) {
        engines.withLock { engines in
            if let place = engines.first(where: { $0.value.core === core })?.key { engines[place] = nil }
            core.close()
        }
    }

    /// Releases a handle and closes the engine after the last one. Closes under the lock, so that a new opener finds either the
    /// engine in use or the file free.
    func releaseOne(_ core: EngineCore) {
        guard core.drop() else { return }
        engines.withLock { engines in
            // The file may have been opened again in the meantime.
            guard !core.isInUse else { return }
            // An engine in memory is not in the table.
            if let place = engines.first(where: { $0.value.core === core })?.key { engines[place] = nil }
            core.close()
        }
    }
}
