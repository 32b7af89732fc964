// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// Schedules of backups. They are settings of their database.
extension AdminService {
    func createBackupSchedule(_ request: JSON) async throws(FirestoreError) -> JSON {
        let database = try AdminName.database(request.text("parent"))
        let backups = try requiredBackups()
        let schedule = try BackupSchedule(request["backupSchedule"] ?? .empty, id: AutoID.make(), now: clock.now())
        // Backups name the database by its uid.
        _ = try await settings(of: database)
        let (_, facts) = try await opened(database)
        return try await turn.run { () async throws(FirestoreError) -> JSON in
            let others = try await BackupSchedule.all(in: facts)
            guard !others.contains(where: { $0.isDaily == schedule.isDaily }) else {
                throw FirestoreError(
                    .alreadyExists, "the database has a \(schedule.isDaily ? "daily" : "weekly") schedule; change or delete that one",
                    at: database.resourceName)
            }
            try await schedule.store(in: facts)
            await backups.schedulesChanged(of: database)
            return schedule.message(in: database)
        }
    }

    func getBackupSchedule(_ request: JSON) async throws(FirestoreError) -> JSON {
        let (database, id) = try AdminName.backupSchedule(request.text("name"))
        return try await schedule(id, of: database).message(in: database)
    }

    func listBackupSchedules(_ request: JSON) async throws(FirestoreError) -> JSON {
        let database = try AdminName.database(request.text("parent"))
        let (_, facts) = try await opened(database)
        let schedules = try await BackupSchedule.all(in: facts).map { $0.message(in: database) }
        return .members([("backupSchedules", schedules.isEmpty ? nil : .array(schedules))])
    }

    /// Backups that are made already stay as long as they were to stay.
    func updateBackupSchedule(_ request: JSON) async throws(FirestoreError) -> JSON {
        let message = request["backupSchedule"] ?? .empty
        let (database, id) = try AdminName.backupSchedule(message.text("name"))
        let mask = AdminMask.paths(request.text("updateMask"))
        guard mask.allSatisfy({ $0 == "retention" }) else {
            throw .invalidArgument("of a schedule only the retention can be changed; delete it, and create another one", at: "updateMask")
        }
        let (retention, now) = (try BackupSchedule.retention(of: message), clock.now())
        let (_, facts) = try await opened(database)
        let changed = try await BackupSchedule.change(id, in: facts) { schedule in
            schedule.retention = retention
            schedule.updated = max(now, schedule.updated)
        }
        guard let changed else { throw Self.noSchedule(id, database) }
        return changed.message(in: database)
    }

    func deleteBackupSchedule(_ request: JSON) async throws(FirestoreError) -> JSON {
        let (database, id) = try AdminName.backupSchedule(request.text("name"))
        _ = try await schedule(id, of: database)
        let (_, facts) = try await opened(database)
        try await BackupSchedule.remove(id, from: facts)
        await backups?.schedulesChanged(of: database)
        return .empty
    }

    private func schedule(_ id: String, of database: DatabaseID) async throws(FirestoreError) -> BackupSchedule {
        let (_, facts) = try await opened(database)
        guard let schedule = try await BackupSchedule.all(in: facts).first(where: { equalUTF8($0.id, id) }) else {
            throw Self.noSchedule(id, database)
        }
        return schedule
    }

    private static func noSchedule(_ id: String, _ database: DatabaseID) -> FirestoreError {
        FirestoreError(.notFound, "the database has no such backup schedule", at: "\(database.resourceName)/backupSchedules/\(id)")
    }
}

extension BackupSchedule {
    /// A database has one daily and one weekly schedule at most.
    fileprivate var isDaily: Bool { recurrence == .daily }
}
