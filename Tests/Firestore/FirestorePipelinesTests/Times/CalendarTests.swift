// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import FirestorePipelines

/// Counts days, as people do who have only a calendar on the wall.
private struct WallCalendar {
    /// Days since 1970-01-01. The first of January of the year 1 was a Monday.
    private(set) var day: Int64 = -719_162
    private(set) var year: Int64 = 1
    private(set) var month: Int64 = 1
    private(set) var date: Int64 = 1
    /// Monday is 1.
    private(set) var weekday: Int64 = 1
    private(set) var dayOfYear: Int64 = 1
    private(set) var sundays: Int64 = 0
    private(set) var starts = Starts()
    private(set) var isoYear: Int64 = 1
    private(set) var isoWeek: Int64 = 1

    struct Starts {
        var month: Int64 = -719_162
        var quarter: Int64 = -719_162
        var year: Int64 = -719_162
        var monday: Int64 = -719_162
        var sunday: Int64 = -719_163
        var isoYear: Int64 = -719_162
    }

    private var isLeapYear: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private var daysInMonth: Int64 { [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(month) - 1] }

    mutating func advance() {
        day += 1
        date += 1
        dayOfYear += 1
        weekday = weekday % 7 + 1
        if date > daysInMonth { (date, month, starts.month) = (1, month + 1, day) }
        if month > 12 { (month, year, dayOfYear, starts.year, sundays) = (1, year + 1, 1, day, 0) }
        if date == 1, month % 3 == 1 { starts.quarter = day }
        if weekday == 7 { (sundays, starts.sunday) = (sundays + 1, day) }
        guard weekday == 1 else { return }
        starts.monday = day
        isoWeek += 1
        // The first week has the fourth of January.
        if (month == 12 && date >= 29) || (month == 1 && date <= 4) {
            (isoYear, isoWeek, starts.isoYear) = (month == 12 ? year + 1 : year, 1, day)
        }
    }
}

@Suite struct CalendarTests {
    private func part(_ name: String, _ day: Int64) throws -> Int64 {
        try #require(TimePart(name)).number(of: day * TimeUnit.day.microseconds + 1)
    }

    private func start(_ name: String, _ day: Int64) throws -> Int64 {
        guard case .days(let span)? = TimeGranularity(name) else { throw MissingSpan(name: name) }
        return span.firstDay(of: day)
    }

    private struct MissingSpan: Error { let name: String }

    /// PT-135, PT-138, PT-139 for every day of many years.
    @Test func partsAndStartsAreThoseOfCountingDays() throws {
        var wall = WallCalendar()
        let years: [ClosedRange<Int64>] = [1...3, 1899...1905, 1969...1972, 1999...2012, 2019...2029]
        var differences = 0
        while wall.year <= 2029 {
            if years.contains(where: { $0.contains(wall.year) }) {
                let (day, starts) = (wall.day, wall.starts)
                let parts: [(String, Int64)] = [
                    ("year", wall.year), ("month", wall.month), ("day", wall.date), ("quarter", (wall.month - 1) / 3 + 1),
                    ("dayofyear", wall.dayOfYear), ("dayofweek", wall.weekday % 7 + 1), ("week", wall.sundays), ("isoweek", wall.isoWeek),
                    ("isoyear", wall.isoYear),
                ]
                for (name, expected) in parts where try part(name, day) != expected { differences += 1 }
                let spans: [(String, Int64)] = [
                    ("day", day), ("month", starts.month), ("quarter", starts.quarter), ("year", starts.year), ("isoweek", starts.monday),
                    ("week(monday)", starts.monday), ("week", starts.sunday), ("week(sunday)", starts.sunday), ("isoyear", starts.isoYear),
                ]
                for (name, expected) in spans where try start(name, day) != expected { differences += 1 }
            }
            wall.advance()
        }
        #expect(wall.day == 21_915)
        #expect(differences == 0)
    }

    @Test func timesBeforeMidnightOf1970BelongToTheDayBefore() throws {
        #expect(try #require(TimePart("day")).number(of: -1) == 31)
        #expect(try #require(TimePart("hour")).number(of: -1) == 23)
        #expect(try #require(TimePart("microsecond")).number(of: -1) == 999_999)
    }
}
