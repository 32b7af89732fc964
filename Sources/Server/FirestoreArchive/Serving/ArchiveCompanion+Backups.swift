// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreEngine
package import FirestoreServer
import Logging

extension ArchiveCompanion: DatabaseBackups {
    package func backups(ofProject project: String) async throws(FirestoreError) -> [DatabaseBackup] {
        let unfinished = await scheduled.unfinished.filter { equalUTF8($0.database.projectID, project) }
        let made = try await contents.backups(ofProject: project)
        return unfinished.filter { backup in !made.contains { $0.id == backup.id } } + made
    }

    package func delete(_ backup: DatabaseBackup) async throws(FirestoreError) { try await contents.delete(backup) }

    package func earliestMoment(
        of database: DatabaseID, since time: DocumentVersion
    ) async throws(FirestoreError) -> DocumentVersion? {
        try await contents.earliestMoment(of: database, since: time)
    }

    /// The moment may have passed just now: commits until then are archived first.
    package func restore(_ restoration: DatabaseRestoration) async throws(FirestoreError) {
        if case .moment(let database, let time) = restoration.source, let databases {
            let service = try await databases.openExisting(database)
            try await archiver(of: database)?.reach(time)
            withExtendedLifetime(service) {}
        }
        try await contents.restore(restoration)
    }

    package func schedulesChanged(of database: DatabaseID) async {
        guard let archiver = archiver(of: database) else { return }
        await scheduled.note(database, archiver.engine)
        guard let databases else { return }
        Task { await self.makeDueBackups(databases) }
    }

    /// Makes the backups that are due.
    package func makeDueBackups(_ databases: DatabaseRegistry) async {
        await scheduled.makeDue(databases) { [weak self] in self?.archiver(of: $0) }
    }

    /// Removes the backups that have expired.
    package func removeExpiredBackups() async {
        do throws(FirestoreError) {
            try await contents.removeExpired()
        } catch {
            log.warning("expired backups could not be removed; it is tried again in a day", metadata: ["error": "\(error)"])
        }
    }
}
