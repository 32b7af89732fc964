// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreServer

/// OT-54: per user, per address, per database, 100,001 callers.
struct QuotaTableTests {
    private static let now: Int64 = 20_000 * QuotaUse.dayLength
    private static let database = QuotaSubject.database(DatabaseName(DatabaseID(projectID: "p")))
    private static let ada = QuotaSubject.user(project: "p", id: "ada")

    private func table(capacity: Int = 100, _ change: (inout QuotaLimits) -> Void) -> QuotaTable {
        var limits = QuotaLimits()
        change(&limits)
        return QuotaTable(limits, capacity: capacity)
    }

    @Test func `each subject has a share of its own, and a database one for all`() {
        var table = table { limits in
            limits.user.reads.minute = 2
            limits.anonymous.reads.minute = 1
            limits.database.reads.minute = 5
        }
        func read(_ subject: QuotaSubject) -> QuotaSubject? {
            table.admit([.reads: 1], for: [subject, Self.database], now: Self.now)?.subject
        }
        #expect(read(Self.ada) == nil)
        #expect(read(Self.ada) == nil)
        #expect(read(Self.ada) == Self.ada)
        #expect(read(.user(project: "p", id: "bob")) == nil)
        #expect(read(.user(project: "q", id: "ada")) == nil)
        #expect(read(.address("192.0.2.1")) == nil)
        #expect(read(.address("192.0.2.1")) != nil)
        // Five were admitted.
        #expect(read(.address("192.0.2.2")) == Self.database)
    }

    @Test func `a refused call is counted for none of its subjects`() {
        var table = table { limits in
            limits.user.reads.minute = 10
            limits.database.writes.minute = 1
        }
        let subjects = [Self.ada, Self.database]
        #expect(table.admit([.reads: 5, .writes: 1], for: subjects, now: Self.now) == nil)
        #expect(table.admit([.reads: 5, .writes: 1], for: subjects, now: Self.now)?.reason == .rate(.writes))
        #expect(table.admit([.reads: 5], for: subjects, now: Self.now) == nil)
        #expect(table.admit([.reads: 1], for: subjects, now: Self.now)?.reason == .rate(.reads))
    }

    @Test func `of several reasons the one that lasts longest is given`() {
        var table = table { limits in
            limits.user.reads = QuotaLimits.Rate(minute: 1, day: 1)
            limits.database.reads.minute = 1
        }
        let noon = Self.now + QuotaUse.dayLength / 2
        #expect(table.admit([.reads: 1], for: [Self.ada, Self.database], now: noon) == nil)
        let refusal = table.admit([.reads: 1], for: [Self.ada, Self.database], now: noon)
        #expect(refusal == QuotaTable.Refusal(reason: .rate(.reads), subject: Self.ada, wait: QuotaUse.dayLength / 2))
    }

    @Test func `the table holds 100,000 callers, and the one seen longest ago makes room`() {
        var table = table(capacity: 100_000) { $0.anonymous.reads.minute = 1 }
        func isAdmitted(_ number: Int) -> Bool { table.admit([.reads: 1], for: [.address("\(number)")], now: Self.now) == nil }
        #expect((0..<100_000).allSatisfy { isAdmitted($0) })
        #expect(!isAdmitted(0))
        #expect(isAdmitted(100_000))
        #expect(table.count == 100_000)
        #expect(!isAdmitted(0))
        // The second one has made room, and begins anew.
        #expect(isAdmitted(1))
    }

    @Test func `without limits nothing is kept`() {
        var table = table { $0.user.reads.minute = 1 }
        _ = table.admit([.writes: 1], for: [Self.ada, Self.database], now: Self.now)
        #expect(table.count == 0)
    }

    @Test func `listeners are counted while they last`() {
        var table = table { $0.user.listeners = 2 }
        #expect(table.addListener(for: [Self.ada, Self.database]) == nil)
        #expect(table.addListener(for: [Self.ada, Self.database]) == nil)
        #expect(table.addListener(for: [Self.ada, Self.database]) == QuotaTable.Refusal(reason: .listeners, subject: Self.ada))
        #expect(table.addListener(for: [.user(project: "p", id: "bob"), Self.database]) == nil)
        table.removeListener(for: [Self.ada, Self.database])
        #expect(table.addListener(for: [Self.ada, Self.database]) == nil)
    }

    @Test func `other limits keep what was used`() {
        var table = table { $0.user.reads.minute = 10 }
        #expect(table.admit([.reads: 10], for: [Self.ada], now: Self.now) == nil)
        table.limits.user.reads.minute = 20
        #expect(table.admit([.reads: 10], for: [Self.ada], now: Self.now) == nil)
        #expect(table.admit([.reads: 1], for: [Self.ada], now: Self.now) != nil)
    }

    @Test func `daily sums are read as they were written, and those of another day are not used`() throws {
        var table = table { limits in
            limits.user.reads.day = 3
            limits.database.writes.day = 10
            limits.anonymous.reads.minute = 5
        }
        let day = Self.now / QuotaUse.dayLength
        for subject in [Self.ada, .address("2001:db8:1:2::/64")] { _ = table.admit([.reads: 2, .writes: 1], for: [subject, Self.database], now: Self.now) }
        let sums = QuotaSums(day: day, entries: table.dailySums(of: day))
        #expect(sums.entries.count == 2)
        let read = try #require(QuotaSums(sums.bytes))
        #expect(read.day == day)
        #expect(Set(read.entries.map(\.subject)) == [Self.ada, Self.database])
        var next = self.table { limits in
            limits.user.reads.day = 3
            limits.database.writes.day = 10
        }
        next.restore(read.entries, of: day)
        #expect(next.admit([.reads: 2], for: [Self.ada], now: Self.now) != nil)
        #expect(next.admit([.reads: 1], for: [Self.ada], now: Self.now) == nil)
        #expect(next.admit([.writes: 8], for: [Self.database], now: Self.now) == nil)
        #expect(next.admit([.writes: 1], for: [Self.database], now: Self.now) != nil)
        #expect(next.admit([.reads: 3], for: [Self.ada], now: Self.now + QuotaUse.dayLength) == nil)
        #expect(QuotaSums(sums.bytes.dropLast()) == nil)
    }
}
