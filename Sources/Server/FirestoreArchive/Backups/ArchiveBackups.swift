// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreEngine
package import FirestoreServer
import Foundation

/// The backups and the past of databases, as an archive has them.
package struct ArchiveBackups: DatabaseBackups {
    let store: any ArchiveStore
    let policy: ArchivePolicy
    let traffic: ArchiveTraffic
    let clock: any WallClock

    package init(_ store: any ArchiveStore, policy: ArchivePolicy = ArchivePolicy(), clock: any WallClock = SystemClock()) {
        self.init(store, policy, ArchiveTraffic(objectsPerSecond: policy.objectsPerSecond), clock)
    }

    init(_ store: any ArchiveStore, _ policy: ArchivePolicy, _ traffic: ArchiveTraffic, _ clock: any WallClock) {
        self.store = store
        self.policy = policy
        self.traffic = traffic
        self.clock = clock
    }

    // MARK: DatabaseBackups

    package func backups(ofProject project: String) async throws(FirestoreError) -> [DatabaseBackup] {
        var found: [DatabaseBackup] = []
        for database in try await ArchiveContents.databases(in: store) where equalUTF8(database.projectID, project) {
            let now = clock.now()
            found += try await kept(of: database).filter { $0.until > now }.map { $0.backup(of: database) }
        }
        return found
    }

    package func delete(_ backup: DatabaseBackup) async throws(FirestoreError) {
        try await remove(try await kept(backup), of: backup.database)
    }

    package func earliestMoment(
        of database: DatabaseID, since time: DocumentVersion
    ) async throws(FirestoreError) -> DocumentVersion? {
        try await ArchiveCatalog.load(ArchiveLayout(database), from: store).earliestMoment(since: time, now: clock.now())
    }

    package func restore(_ restoration: DatabaseRestoration) async throws(FirestoreError) {
        let folder = URL(fileURLWithPath: restoration.file).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw FirestoreError(.unavailable, "the directory of the database cannot be created", at: folder, cause: error)
        }
        var restore = ArchiveRestore(from: store, of: restoration.source.database, to: restoration.file)
        switch restoration.source {
        case .backup(let backup): restore.backup = try await kept(backup)
        case .moment(_, let time): restore.moment = time
        }
        restore.name = restoration.name
        restore.scratch = restoration.scratch
        restore.keepsTimes = restoration.keepsTimes
        restore.clock = clock
        restore.adjust = { settings in restoration.adjust(&settings.facts) }
        let percentage = RestorePercentage(until: restore.moment)
        restore.progress = { restoration.progress(percentage.value(of: $0)) }
        _ = try await restore.run()
    }

    package func schedulesChanged(of database: DatabaseID) async {}

    // MARK: Parts

    /// None of a database whose archive cannot be read with this key: it does not hide those of the others.
    private func kept(of database: DatabaseID) async throws(FirestoreError) -> [KeptBase] {
        do throws(FirestoreError) {
            return try await KeptBases(of: database, in: store).all()
        } catch {
            guard error.isOfOtherKey else { throw error }
            return []
        }
    }

    private func kept(_ backup: DatabaseBackup) async throws(FirestoreError) -> KeptBase {
        let all = try await KeptBases(of: backup.database, in: store).all()
        guard let kept = all.first(where: { equalUTF8($0.id, backup.id) }) else {
            throw FirestoreError(.notFound, "the archive has no backup of this id; it was deleted, or has expired", at: backup.id)
        }
        return kept
    }

    /// Removes the backups that have expired, those of databases as well that are gone.
    func removeExpired() async throws(FirestoreError) {
        for database in try await ArchiveContents.databases(in: store) {
            let now = clock.now()
            for kept in try await kept(of: database) where kept.until <= now { try await remove(kept, of: database) }
        }
    }

    private func remove(_ kept: KeptBase, of database: DatabaseID) async throws(FirestoreError) {
        let (bases, now) = (KeptBases(of: database, in: store), clock.now())
        // The setting of a database that is gone is not known.
        let window = max(policy.keep.microseconds, RecoveryWindow.extended)
        let tidying = ArchiveTidying(store: store, layout: bases.layout, policy: policy, traffic: traffic, now: now)
        try await bases.remove(kept, since: DocumentVersion(microseconds: now - window), now: now, tidying)
    }
}
