// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreWire

/// When backups of a database are made, and how long they stay. Days begin at midnight, UTC.
package struct BackupSchedule: Sendable, Equatable {
    package enum Recurrence: Sendable, Hashable {
        case daily
        /// 0 is Monday.
        case weekly(day: Int64)
    }

    static let facts = "hearth/admin/backup-schedules/"
    /// 14 weeks, in seconds.
    static let longestRetention: Int64 = 8_467_200
    private static let day: Int64 = 86_400_000_000
    private static let days = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"]

    package let id: String
    package let recurrence: Recurrence
    let created: Int64
    var updated: Int64
    /// In seconds.
    var retention: Int64
    /// When the last backup was begun, in microseconds.
    var lastBackup: Int64?

    package init(id: String, _ recurrence: Recurrence, retention: Int64, now: Int64) {
        self.id = id
        self.recurrence = recurrence
        self.retention = retention
        created = now
        updated = now
    }

    // MARK: Days

    /// The beginning of the last day at a time on which a backup is to be made.
    private func lastDay(at time: Int64) -> Int64 {
        let today = Self.number(ofDay: time)
        switch recurrence {
        case .daily: return today * Self.day
        case .weekly(let day):
            // The first of January 1970 was a Thursday.
            let weekday = Self.remainder(today + 3, 7)
            return (today - Self.remainder(weekday - day, 7)) * Self.day
        }
    }

    /// Whether a day for a backup has begun since the last backup. The first one may be made on the day of the schedule's creation; one
    /// that was missed, because no server ran, is made later.
    package func isDue(at time: Int64) -> Bool {
        lastDay(at: time) > lastBackup ?? Self.number(ofDay: created) * Self.day - 1
    }

    /// When the next backup is due: now, or later.
    package func next(from time: Int64) -> Int64 {
        guard !isDue(at: time) else { return time }
        return lastDay(at: time) + (recurrence == .daily ? Self.day : 7 * Self.day)
    }

    package func expiry(ofBackupAt time: Int64) -> Int64 { time + retention * 1_000_000 }

    private static func number(ofDay time: Int64) -> Int64 { (time - remainder(time, day)) / day }
    private static func remainder(_ number: Int64, _ divisor: Int64) -> Int64 { (number % divisor + divisor) % divisor }

    // MARK: Messages

    /// The recurrence and the retention of a message.
    init(_ message: JSON, id: String, now: Int64) throws(FirestoreError) {
        self.init(id: id, try Self.recurrence(of: message), retention: try Self.retention(of: message), now: now)
    }

    static func retention(of message: JSON) throws(FirestoreError) -> Int64 {
        guard let retention = AdminDuration(text: message.text("retention")), retention.nanoseconds == 0,
            (1...longestRetention).contains(retention.seconds)
        else { throw .invalidArgument("backups stay for at least a second and at most 14 weeks", at: "backupSchedule.retention") }
        return retention.seconds
    }

    private static func recurrence(of message: JSON) throws(FirestoreError) -> Recurrence {
        if message["dailyRecurrence"] != nil { return .daily }
        guard let weekly = message["weeklyRecurrence"] else {
            throw .invalidArgument("a schedule is daily or weekly; set one of the two", at: "backupSchedule.recurrence")
        }
        guard let day = days.firstIndex(of: weekly.text("day")) else {
            throw .invalidArgument("a weekly schedule names a day of the week", at: "backupSchedule.weeklyRecurrence.day")
        }
        return .weekly(day: Int64(day))
    }

    func message(in database: DatabaseID) -> JSON {
        .object([("name", .string("\(database.resourceName)/backupSchedules/\(id)"))] + own)
    }

    private var own: [(name: String, value: JSON)] {
        let recurrence: (name: String, value: JSON) =
            switch recurrence {
            case .daily: ("dailyRecurrence", .object([]))
            case .weekly(let day): ("weeklyRecurrence", .object([("day", .string(Self.days[Int(day)]))]))
            }
        return [
            ("createTime", .time(created)), ("updateTime", .time(updated)), ("retention", .string(AdminDuration(seconds: retention).text)),
            recurrence,
        ]
    }
}

// MARK: - Storing

extension BackupSchedule {
    private var key: String { Self.facts + id }

    private var stored: ByteSlice {
        ByteSlice(JSON.members(own.map { ($0.name, $0.value) } + [("lastBackup", lastBackup.map { .time($0) })]).bytes())
    }

    /// nil if the bytes are damaged.
    private init?(id: String, stored bytes: ByteSlice) {
        guard let json = try? JSON(bytes.array), let recurrence = try? Self.recurrence(of: json),
            let retention = try? Self.retention(of: json), let created = TimestampValue(text: json.text("createTime")),
            let updated = TimestampValue(text: json.text("updateTime"))
        else { return nil }
        self.init(id: id, recurrence, retention: retention, now: created.microsecondsSince1970)
        self.updated = updated.microsecondsSince1970
        lastBackup = TimestampValue(text: json.text("lastBackup"))?.microsecondsSince1970
    }

    /// Sorted by id.
    package static func all(in facts: any FactService) async throws(FirestoreError) -> [BackupSchedule] {
        try await facts.facts(below: Self.facts).compactMap { fact in
            BackupSchedule(id: String(fact.key.dropFirst(Self.facts.count)), stored: fact.value)
        }
    }

    func store(in facts: any FactService) async throws(FirestoreError) { try await facts.setFact(key, stored) }

    static func remove(_ id: String, from facts: any FactService) async throws(FirestoreError) {
        try await facts.setFact(Self.facts + id, nil)
    }

    /// Changes a schedule that exists. Returns it; nil if it is gone.
    static func change(
        _ id: String, in facts: any FactService, _ change: @escaping @Sendable (inout BackupSchedule) -> Void
    ) async throws(FirestoreError) -> BackupSchedule? {
        try await facts.changeFact(Self.facts + id) { (stored) throws(FirestoreError) in
            guard let stored, var schedule = BackupSchedule(id: id, stored: stored) else { return stored }
            change(&schedule)
            return schedule.stored
        }.flatMap { BackupSchedule(id: id, stored: $0) }
    }

    /// Notes that a backup was begun.
    package func store(backupAt time: Int64, in facts: any FactService) async throws(FirestoreError) {
        _ = try await Self.change(id, in: facts) { $0.lastBackup = time }
    }
}
