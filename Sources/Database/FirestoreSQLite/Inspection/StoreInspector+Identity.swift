// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Foundation
import GRDB

extension StoreInspector {
    /// Which database a file of any version holds; nil if the file does not exist or is empty. Fails if it is not a Hearth
    /// database, or if a process has it open.
    package static func identity(of path: String) throws(FirestoreError) -> DatabaseID? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let path = try StorePath(preparing: path)
        let errors = StoreErrors(file: path.path)
        do {
            let (connection, lock) = try ReadOnlyFile.connection(to: path)
            defer { withExtendedLifetime(lock) { try? connection.close() } }
            return try connection.unsafeRead { database in
                // A file that was created but never written.
                guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") != 0 else { return nil }
                return try StoreSchema.identity(of: database, errors: errors).0
            }
        } catch {
            throw errors.translate(error)
        }
    }

    /// Removes a database file that never contained a document, together with the files beside it. Any other file is retained, and so
    /// is one that a process has open.
    package static func removeIfEmpty(_ path: String, besides fact: String) {
        guard FileManager.default.fileExists(atPath: path), let path = try? StorePath(preparing: path),
            let lock = try? FileLock(for: path)
        else { return }
        defer { withExtendedLifetime(lock) {} }
        guard (try? isEmpty(path, besides: fact)) == true else { return }
        for suffix in ["-wal", "-shm", "", ".lock"] { unlink(path.path + suffix) }
    }

    private static func isEmpty(_ path: StorePath, besides fact: String) throws -> Bool {
        let connection = try DatabaseQueue(path: CheckedFiles.uri(path.path), configuration: ReadOnlyFile.configuration)
        defer { try? connection.close() }
        return try connection.unsafeRead { database in
            guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") != 0 else { return true }
            _ = try StoreSchema.identity(of: database, errors: StoreErrors(file: path.path))
            // Collections stay in the table when their last document is deleted.
            return try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM collections
                    UNION ALL SELECT count(*) FROM facts WHERE key NOT IN (CAST(? AS BLOB), CAST(? AS BLOB))
                    ORDER BY 1 DESC LIMIT 1
                    """, arguments: [fact, StoredRuns.fact]) == 0
        }
    }

    /// Whether a file exists that can only be read.
    package static func isReadOnly(_ path: String) throws(FirestoreError) -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return false }
        return ReadOnlyFile.isNecessary(for: try StorePath(preparing: path))
    }
}
