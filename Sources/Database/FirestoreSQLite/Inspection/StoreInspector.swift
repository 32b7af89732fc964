// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Foundation
import GRDB

/// A database file opened for inspection: nothing in it changes, and no other process can open it meanwhile.
package final class StoreInspector: Sendable {
    private let connection: DatabaseQueue
    private let lock: Mutex<FileLock?>
    private let errors: StoreErrors
    /// The canonical path of the file.
    package var file: String { errors.file }
    package let databaseID: DatabaseID
    package let formatVersion: Int64
    /// nil for a database.
    package let cache: CacheIdentity?

    /// Unlike `SQLiteStore.open`, it does not create a file and needs no database name. `cacheVersion`: the file is a cache, of at most
    /// this version; nil: it is a database.
    package convenience init(
        _ path: String, cacheVersion: Int64? = nil, advice: String = "stop that process, then try again"
    ) throws(FirestoreError) {
        try self.init(path, cacheVersion, advice: advice)
    }

    /// Opens a closed database file that only this process knows: without a lock, and with no other file beside it.
    package convenience init(copy path: String) throws(FirestoreError) { try self.init(path, nil, advice: nil) }

    /// - Parameter advice: What to do if another process has the file open; nil if none knows it.
    private init(_ path: String, _ cacheVersion: Int64?, advice: String?) throws(FirestoreError) {
        var isDirectory = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue else {
            throw FirestoreError(
                .notFound, isDirectory.boolValue ? "this is a directory; name the database file in it" : "there is no such file",
                at: path)
        }
        let path = try StorePath(preparing: path)
        errors = StoreErrors(file: path.path)
        do {
            let kind: StoreKind = cacheVersion == nil ? .database : .cache
            let (connection, lock) =
                try advice.map { try ReadOnlyFile.connection(to: path, kind, advice: $0) }
                ?? (ReadOnlyFile.unwritableConnection(to: path), nil)
            self.connection = connection
            self.lock = Mutex(lock)
            if let cacheVersion {
                let identity = try connection.unsafeRead { [errors] in
                    try StoreSchema.cacheIdentity(of: $0, newest: cacheVersion, errors: errors)
                }
                (databaseID, formatVersion, cache) = (identity.databaseID, identity.formatVersion, identity)
            } else {
                (databaseID, formatVersion) = try connection.unsafeRead { [errors] in
                    try StoreSchema.identity(of: $0, errors: errors)
                }
                cache = nil
            }
            guard (StoreSchema.firstInspected...StoreSchema.formatVersion).contains(formatVersion) else {
                throw StoreSchema.otherVersion(formatVersion, errors)
            }
        } catch {
            throw errors.translate(error)
        }
    }

    /// See `SQLiteStore.inspectConsistency`.
    package func inspectConsistency() throws(FirestoreError) -> ConsistencyReport {
        do {
            return try connection.read { try ConsistencyCheck.run(on: $0, errors: errors, isCache: cache != nil) }
        } catch {
            throw errors.translate(error)
        }
    }

    /// Reads as of one moment.
    package func read<R>(_ body: (ReadTransaction) throws(FirestoreError) -> R) throws(FirestoreError) -> R {
        do {
            let caches = StoreCaches()
            return try connection.read { try body(ReadTransaction($0, caches: caches, errors: errors)) }
        } catch {
            throw errors.translate(error)
        }
    }

    /// Copies the database into a new file, which is not synced. Ends early, with `cancelled`, when the task is cancelled.
    package func copy(to path: String) throws(FirestoreError) {
        let copy = try access { try StoreCopy(of: $0, to: path) }
        while try !access({ _ in try copy.step() }) {
            guard !Task.isCancelled else { throw FirestoreError(.cancelled, "the copy was cancelled") }
        }
    }

    package func documentCount() throws(FirestoreError) -> Int { try value("SELECT count(*) FROM documents") }

    /// The size of the file, without its log.
    package func byteCount() throws(FirestoreError) -> Int64 {
        Int64(try value("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"))
    }

    private func value(_ sql: String) throws(FirestoreError) -> Int { try access { try Int.fetchOne($0, sql: sql) ?? 0 } }

    private func access<R>(_ body: (Database) throws -> R) throws(FirestoreError) -> R {
        do {
            return try connection.writeWithoutTransaction(body)
        } catch {
            throw errors.translate(error)
        }
    }

    package func close() {
        try? connection.close()
        lock.withLock { $0 = nil }
    }
}
