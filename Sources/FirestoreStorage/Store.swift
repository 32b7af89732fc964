package import FirestoreCore
import GRDB
import Synchronization

/// A database on disk or in memory: opens it, reads it, writes it, checks it.
///
/// One writer, several readers on snapshots that never wait for it. Knows tables, not rules: what a write means and
/// what a query returns is decided above.
package final class Store: Sendable {
    private let connections: any DatabaseWriter
    private let directory = CollectionDirectory()
    /// Let go when the store closes; nil for memory.
    private let lock: Mutex<FileLock?>
    package let errors: StoreErrors

    private init(connections: any DatabaseWriter, lock: FileLock?, errors: StoreErrors) {
        self.connections = connections
        self.lock = Mutex(lock)
        self.errors = errors
    }

    /// Opens a file, making it if it is not there. One process at a time, one store per file.
    package static func open(
        _ path: StorePath, durability: Durability, databaseID: DatabaseID
    ) throws(FirestoreError) -> Store {
        let errors = StoreErrors(file: path.path)
        let lock = try FileLock(for: path)
        do {
            let pool = try DatabasePool(path: path.path, configuration: SQLiteSettings.configuration())
            let store = Store(connections: pool, lock: lock, errors: errors)
            try store.prepare(databaseID)
            try store.setDurability(durability)
            return store
        } catch {
            throw errors.translate(error)
        }
    }

    package static func openInMemory(databaseID: DatabaseID) throws(FirestoreError) -> Store {
        let errors = StoreErrors(file: "memory")
        do {
            let queue = try DatabaseQueue(configuration: SQLiteSettings.configuration())
            let store = Store(connections: queue, lock: nil, errors: errors)
            try store.prepare(databaseID)
            return store
        } catch {
            throw errors.translate(error)
        }
    }

    private func prepare(_ databaseID: DatabaseID) throws {
        try connections.writeWithoutTransaction { database in
            try StoreSchema.prepare(database, databaseID: databaseID, errors: errors)
        }
    }

    package func setDurability(_ durability: Durability) throws(FirestoreError) {
        do {
            try SQLiteSettings.setDurability(durability, of: connections)
        } catch {
            throw errors.translate(error)
        }
    }

    /// Caps the size of the database; what does not fit fails with `resourceExhausted`. nil lifts the cap.
    package func limitSize(toPages pages: Int?) throws(FirestoreError) {
        do {
            try connections.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA max_page_count = \(pages ?? 0x7FFF_FFFE)")
            }
        } catch {
            throw errors.translate(error)
        }
    }

    // MARK: Transactions

    /// Reads on the calling thread, which may wait for a free reader. Not for the cooperative pool.
    package func read<R>(_ body: (ReadTransaction) throws(FirestoreError) -> R) throws(FirestoreError) -> R {
        do {
            return try connections.read { database in
                try body(ReadTransaction(database, directory: directory, errors: errors))
            }
        } catch {
            throw errors.translate(error)
        }
    }

    /// Reads on a thread of the database.
    package func read<R: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        let result: Result<R, FirestoreError> = await withCheckedContinuation { continuation in
            startRead(body) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Reads on a thread of the database and tells `completion` there.
    package func startRead<R: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws(FirestoreError) -> R,
        completion: @escaping @Sendable (Result<R, FirestoreError>) -> Void
    ) {
        connections.asyncRead { [directory, errors] access in
            let result: Result<R, FirestoreError>
            do {
                result = .success(
                    try body(ReadTransaction(access.get(), directory: directory, errors: errors)))
            } catch {
                result = .failure(errors.translate(error))
            }
            completion(result)
        }
    }

    /// Runs one transaction on the writer, which the calling thread waits for. Either all of it is durable when this
    /// returns, or it throws and nothing of it remains.
    package func write<R>(_ body: (WriteTransaction) throws(FirestoreError) -> R) throws(FirestoreError) -> R {
        do {
            return try connections.writeWithoutTransaction { database in
                var result: R?
                var numbers: [CollectionPath: Int64] = [:]
                try database.inTransaction(.immediate) {
                    let transaction = try WriteTransaction(database, directory: directory, errors: errors)
                    result = try body(transaction)
                    if let lost = transaction.lostTo { throw lost }
                    numbers = transaction.numbers
                    return .commit
                }
                for (path, number) in numbers { directory.remember(path, number: number) }
                guard let result else { throw FirestoreError(.internal, "a transaction came to no result") }
                return result
            }
        } catch {
            throw errors.translate(error)
        }
    }

    /// Waits for what runs, then closes every file and lets other processes in. Later calls fail.
    package func close() throws(FirestoreError) {
        do {
            try connections.close()
        } catch {
            throw errors.translate(error)
        }
        lock.withLock { $0 = nil }
    }

    /// The connections themselves, for inspection.
    func inspect<R>(_ body: (Database) throws -> R) throws(FirestoreError) -> R {
        do {
            return try connections.writeWithoutTransaction(body)
        } catch {
            throw errors.translate(error)
        }
    }
}
