// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

/// One engine per file in this process.
final class EngineRegistry: Sendable {
    static let shared = EngineRegistry()

    private struct Entry {
        let core: EngineCore
        var durability: Durability
    }

    private let engines = Mutex<[StorePath: Entry]>([:])

    /// Returns the engine of a file, opening it if necessary. The caller makes exactly one handle on it.
    func open(_ path: String, _ configuration: EngineConfiguration) throws(FirestoreError) -> EngineCore {
        let path = try StorePath(preparing: path)
        let result: Result<EngineCore, FirestoreError> = engines.withLock { engines in
            do {
                guard var entry = engines[path] else {
                    let store = try Self.openStore(path, configuration)
                    let core = EngineCore(store: store, configuration: configuration)
                    try core.start()
                    core.retain()
                    engines[path] = Entry(core: core, durability: configuration.durability)
                    return .success(core)
                }
                try Self.join(&entry, configuration, at: path)
                engines[path] = entry
                return .success(entry.core)
            } catch let error as FirestoreError {
                return .failure(error)
            } catch {
                return .failure(FirestoreError(.internal, "the database cannot be opened", at: path.path, cause: error))
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
                    + "open it under that name or give another path", at: path.path)
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

    /// Releases a handle and closes the engine after the last one. Closes under the lock, so that a new opener finds either the
    /// engine in use or the file free.
    func releaseOne(_ core: EngineCore) {
        guard core.drop() else { return }
        engines.withLock { engines in
            // The file may have been opened again in the meantime.
            guard !core.isInUse else { return }
            // An engine in memory is not in the table.
            if let path = engines.first(where: { $0.value.core === core })?.key { engines[path] = nil }
            core.close()
        }
    }
}
