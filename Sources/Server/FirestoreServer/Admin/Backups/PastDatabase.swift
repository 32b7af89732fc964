// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import Foundation

/// A database as it was at a moment that its own log does not have any more, for one reader.
struct PastDatabase: Sendable {
    let database: DatabaseID
    let moment: DocumentVersion
    let backups: any DatabaseBackups
    /// A path at which there is no file.
    let path: String
    let clock: any WallClock

    /// Restores it into a file, which is removed afterwards.
    func read(_ body: (Engine) async throws(FirestoreError) -> Void) async throws(FirestoreError) {
        defer {
            for suffix in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }
        var restoration = DatabaseRestoration(.moment(database, moment), as: database, file: path, scratch: path + ".part.sqlite")
        restoration.keepsTimes = true
        do throws(FirestoreError) {
            try await backups.restore(restoration)
        } catch {
            throw error.code == .outOfRange ? .beyondArchive(error) : error
        }
        let engine = try Engine.open(
            EngineConfiguration(location: .file(path: path), durability: .relaxed, databaseID: database, clock: clock))
        let result: Result<Void, FirestoreError>
        do throws(FirestoreError) { result = .success(try await body(engine)) } catch { result = .failure(error) }
        await engine.shutdown()
        try result.get()
    }
}
