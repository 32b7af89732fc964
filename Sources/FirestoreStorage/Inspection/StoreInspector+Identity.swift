package import FirestoreCore
import Foundation
import GRDB

extension StoreInspector {
    /// Which database a file holds, of whatever version; nil if there is no such file, or nothing in it yet. Fails if it is
    /// not one of ours, or if a process has it open.
    package static func identity(of path: String) throws(FirestoreError) -> DatabaseID? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let path = try StorePath(preparing: path)
        let errors = StoreErrors(file: path.path)
        let lock = try FileLock(for: path)
        defer { withExtendedLifetime(lock) {} }
        do {
            var configuration = SQLiteSettings.configuration()
            configuration.readonly = true
            let connection = try DatabaseQueue(path: path.path, configuration: configuration)
            defer { try? connection.close() }
            return try connection.unsafeRead { database in
                // A file that was made and never written to.
                guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") != 0 else { return nil }
                return try StoreSchema.identity(of: database, errors: errors).0
            }
        } catch {
            throw errors.translate(error)
        }
    }
}
