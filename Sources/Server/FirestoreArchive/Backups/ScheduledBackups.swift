// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreServer
import Logging

/// Makes the backups of schedules when they are due, one after the other. A database that is closed is opened for it.
actor ScheduledBackups {
    /// After a failure, in microseconds: five minutes.
    private static let pause: Int64 = 300_000_000

    private let clock: any WallClock
    private let log: Logger
    private let makeID: @Sendable () -> String
    /// When the next backup of a database is due, of those with a schedule. They are known from the last time they were open.
    private var next: [DatabaseID: Int64] = [:]
    private(set) var isMaking = false
    /// The backups that are being made.
    private(set) var unfinished: [DatabaseBackup] = []

    init(clock: any WallClock, log: Logger, makeID: @escaping @Sendable () -> String) {
        self.clock = clock
        self.log = log
        self.makeID = makeID
    }

    /// Reads the schedules of a database.
    func note(_ database: DatabaseID, _ engine: Engine) async {
        guard let schedules = try? await BackupSchedule.all(in: engine) else { return }
        let now = clock.now()
        next[database] = schedules.map { $0.next(from: now) }.min()
    }

    /// Makes what is due.
    func makeDue(_ databases: DatabaseRegistry, _ archiver: @Sendable (DatabaseID) -> DatabaseArchiver?) async {
        guard !isMaking else { return }
        isMaking = true
        defer { isMaking = false }
        let now = clock.now()
        for database in next.filter({ $0.value <= now }).sorted(by: { $0.value < $1.value }).map(\.key) {
            if Task.isCancelled { return }
            do throws(FirestoreError) {
                // Stays open as long.
                let service = try await databases.openExisting(database)
                guard let archiver = archiver(database) else { continue }
                try await makeDue(database, archiver)
                withExtendedLifetime(service) {}
            } catch {
                next[database] = error.code == .notFound ? nil : now + Self.pause
                guard error.code != .notFound else { continue }
                log.warning("a backup failed; it is tried again in five minutes", metadata: Self.metadata(database, ["error": "\(error)"]))
            }
        }
    }

    private func makeDue(_ database: DatabaseID, _ archiver: DatabaseArchiver) async throws(FirestoreError) {
        let settings = try await AdminDatabase.stored(in: archiver.engine)
        for schedule in try await BackupSchedule.all(in: archiver.engine) where schedule.isDue(at: clock.now()) {
            let now = clock.now()
            var kept = KeptBase(id: makeID(), history: "", base: "", until: schedule.expiry(ofBackupAt: now), created: now)
            (kept.uid, kept.place) = (settings?.uid ?? "", settings?.place ?? AdminDatabase.localPlace)
            let made = try await making(kept, of: database) { () throws(FirestoreError) in try await archiver.keep(kept) }
            try await schedule.store(backupAt: now, in: archiver.engine)
            log.info("a backup was made", metadata: Self.metadata(database, ["backup": "\(made.id)", "documents": "\(made.documents)"]))
        }
        await note(database, archiver.engine)
    }

    /// The backup is shown while it is made.
    private func making(
        _ kept: KeptBase, of database: DatabaseID, _ body: () async throws(FirestoreError) -> KeptBase
    ) async throws(FirestoreError) -> KeptBase {
        var backup = kept.backup(of: database)
        backup.content = nil
        unfinished.append(backup)
        defer { unfinished.removeAll { $0.id == kept.id } }
        return try await body()
    }

    private static func metadata(_ database: DatabaseID, _ more: Logger.Metadata) -> Logger.Metadata {
        more.merging(database.metadata) { first, _ in first }
    }
}
