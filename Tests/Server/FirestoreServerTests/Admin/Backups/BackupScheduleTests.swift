// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase
import TestSupport
import Testing

@testable import FirestoreServer

/// When backups are due (OP-60).
struct BackupScheduleTests {
    private static let day: Int64 = 86_400_000_000

    private static func time(_ text: String) throws -> Int64 { try #require(TimestampValue(text: text)).microsecondsSince1970 }

    private static func schedule(_ recurrence: BackupSchedule.Recurrence, created: String) throws -> BackupSchedule {
        BackupSchedule(id: "s", recurrence, retention: 604_800, now: try time(created))
    }

    @Test func `a daily backup is due when it is scheduled, and when a day begins in UTC`() throws {
        var schedule = try Self.schedule(.daily, created: "2026-11-26T23:10:00Z")
        #expect(schedule.isDue(at: try Self.time("2026-11-26T23:10:00Z")))
        schedule.lastBackup = try Self.time("2026-11-26T23:10:00Z")
        #expect(!schedule.isDue(at: try Self.time("2026-11-26T23:59:59.999999Z")))
        #expect(schedule.next(from: try Self.time("2026-11-26T23:30:00Z")) == (try Self.time("2026-11-27T00:00:00Z")))
        #expect(schedule.isDue(at: try Self.time("2026-11-27T00:00:00Z")))
    }

    // The 26th of November 2026 is a Thursday.
    @Test(arguments: [
        (0, "2026-11-30"), (1, "2026-12-01"), (2, "2026-12-02"), (3, "2026-11-26"), (4, "2026-11-27"), (5, "2026-11-28"), (6, "2026-11-29"),
    ])
    func `a weekly backup is due on its day`(weekday: Int64, first: String) throws {
        var schedule = try Self.schedule(.weekly(day: weekday), created: "2026-11-26T10:00:00Z")
        let now = try Self.time("2026-11-26T10:00:00Z")
        #expect(schedule.isDue(at: now) == (weekday == 3))
        let start = try Self.time(first + "T00:00:00Z")
        #expect(schedule.next(from: now) == max(start, now))
        schedule.lastBackup = max(start, now)
        #expect(schedule.next(from: start + Self.day) == start + 7 * Self.day)
        #expect(!schedule.isDue(at: start + 7 * Self.day - 1) && schedule.isDue(at: start + 7 * Self.day))
    }

    @Test func `a weekly backup that no server made on its day is made later, once`() throws {
        var schedule = try Self.schedule(.weekly(day: 0), created: "2026-11-24T00:00:00Z")
        schedule.lastBackup = try Self.time("2026-11-30T00:05:00Z")
        let late = try Self.time("2026-12-09T12:00:00Z")
        #expect(schedule.isDue(at: late) && schedule.next(from: late) == late)
        schedule.lastBackup = late
        #expect(schedule.next(from: late) == (try Self.time("2026-12-14T00:00:00Z")))
    }

    @Test(arguments: [
        #"{"dailyRecurrence":{}}"#, #"{"retention":"604800s"}"#, #"{"dailyRecurrence":{},"retention":"0s"}"#,
        #"{"dailyRecurrence":{},"retention":"8467201s"}"#, #"{"dailyRecurrence":{},"retention":"-1s"}"#,
        #"{"dailyRecurrence":{},"retention":"1.5s"}"#, #"{"weeklyRecurrence":{},"retention":"604800s"}"#,
        #"{"weeklyRecurrence":{"day":"DAY_OF_WEEK_UNSPECIFIED"},"retention":"604800s"}"#,
    ])
    func `a schedule has a recurrence, and a retention of at most 14 weeks`(message: String) throws {
        #expect(throws: FirestoreError.self) { try BackupSchedule(try JSON(message.utf8), id: "s", now: 0) }
    }

    @Test func `a backup of the longest retention stays for 14 weeks`() throws {
        let schedule = try BackupSchedule(try JSON(#"{"dailyRecurrence":{},"retention":"8467200s"}"#.utf8), id: "s", now: 0)
        #expect(schedule.expiry(ofBackupAt: 1) == 98 * Self.day + 1)
    }

    @Test(arguments: [
        (#"database_uid="abc""#, "abc"), ("databaseUid = abc", "abc"), ("  ", nil), (#"DATABASE_UID = "a-b""#, "a-b"),
    ] as [(String, String?)])
    func `lists of backups are filtered by the uid of the database`(filter: String, uid: String?) throws {
        #expect(try BackupFilter.uid(filter) == uid)
    }

    @Test(arguments: ["database=x", "database_uid>x", "database_uid", "state:READY"])
    func `lists of backups have no other filter`(filter: String) {
        #expect(throws: FirestoreError.self) { try BackupFilter.uid(filter) }
    }
}
