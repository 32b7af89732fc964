// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
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
        // All years of four centuries are all years there are.
        let some: [ClosedRange<Int64>] = [1...3, 1899...1905, 1969...1972, 1999...2012, 2019...2029]
        let years = TestScale.pick(quick: some, full: [1...3, 1600...2029])
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

    /// PT-133 … PT-140: the functions at random times of counted days, in zones east and west of Greenwich.
    @Test func functionsOfTimesAreThoseOfCountingDays() throws {
        var generator = SeededGenerator(seed: 135)
        var wall = WallCalendar()
        var earlier = TimeOfDay(day: 0, microseconds: 0)
        let functions = TimeFunctionCalls()
        let chance = TestScale.pick(quick: 400, full: 8)
        while wall.year < 2030 {
            defer { wall.advance() }
            // The weeks of the first days begin before the first year.
            guard wall.year > 1, Int.random(in: 0..<chance, using: &generator) == 0 else { continue }
            let time = TimeOfDay(day: wall.day, microseconds: .random(in: 0..<86_400_000_000, using: &generator))
            let zone = [("UTC", 0), ("GMT+05:30", -19_800), ("GMT-09:00:15", 32_415)].randomElement(using: &generator) ?? ("UTC", 0)
            try check(functions, wall, time, zone)
            for unit in TimeOfDay.units {
                let (end, start, expected) = (time.timestamp(), earlier.timestamp(), time.units(unit, since: earlier))
                #expect(try functions.number("timestamp_diff", end, start, unit.name) == expected)
                #expect(try functions.number("timestamp_diff", start, end, unit.name) == -expected)
            }
            if Int.random(in: 0..<3, using: &generator) == 0 { earlier = time }
        }
    }

    private func check(
        _ functions: TimeFunctionCalls, _ wall: WallCalendar, _ time: TimeOfDay, _ zone: (name: String, offset: Int)
    ) throws {
        let moment = time.timestamp(offset: zone.offset)
        let parts: [(String, Int64)] = [
            ("year", wall.year), ("month", wall.month), ("day", wall.date), ("dayofweek", wall.weekday % 7 + 1), ("isoweek", wall.isoWeek),
            ("hour", time.microseconds / 3_600_000_000), ("minute", time.microseconds % 3_600_000_000 / 60_000_000),
            ("second", time.microseconds % 60_000_000 / 1_000_000), ("millisecond", time.microseconds % 1_000_000 / 1_000),
        ]
        for (name, expected) in parts {
            #expect(try functions.number("timestamp_extract", moment, name, zone.name) == expected, "\(name) of \(moment) in \(zone.name)")
        }
        let starts: [(String, Int64)] = [
            ("day", wall.day), ("month", wall.starts.month), ("quarter", wall.starts.quarter), ("year", wall.starts.year),
            ("week", wall.starts.sunday), ("isoweek", wall.starts.monday), ("isoyear", wall.starts.isoYear),
        ]
        for (name, day) in starts {
            let expected = TimeOfDay(day: day, microseconds: 0).timestamp(offset: zone.offset)
            #expect(try functions.time("timestamp_trunc", moment, name, zone.name) == expected, "\(name) of \(moment) in \(zone.name)")
        }
        let hour = TimeOfDay(day: time.day, microseconds: time.microseconds / 3_600_000_000 * 3_600_000_000)
        #expect(try functions.time("timestamp_trunc", moment, "hour", zone.name) == hour.timestamp(offset: zone.offset))
    }
}

/// A day since 1970, and the time since its midnight.
private struct TimeOfDay {
    let day: Int64
    let microseconds: Int64

    static let units: [(name: String, perDay: Int64)] = [
        ("day", 1), ("hour", 24), ("minute", 1_440), ("second", 86_400), ("millisecond", 86_400_000), ("microsecond", 86_400_000_000),
    ]

    /// Of a place whose clocks are so many seconds ahead of UTC.
    func timestamp(offset: Int = 0) -> TimestampValue {
        TimestampValue(microsecondsSince1970: day * 86_400_000_000 + microseconds - Int64(offset) * 1_000_000)
    }

    /// Whole units since an earlier time: those of whole days, and those of the rest, of which one may not be whole.
    func units(_ unit: (name: String, perDay: Int64), since earlier: TimeOfDay) -> Int64 {
        guard (earlier.day, earlier.microseconds) <= (day, microseconds) else { return -earlier.units(unit, since: self) }
        let length = 86_400_000_000 / unit.perDay
        let whole = (day - earlier.day) * unit.perDay + microseconds / length - earlier.microseconds / length
        return microseconds % length < earlier.microseconds % length ? whole - 1 : whole
    }
}

/// Calls functions by name.
private struct TimeFunctionCalls {
    private let execution = Execution(
        database: DatabaseID(projectID: "p"), time: TimestampValue(seconds: 0, nanoseconds: 0), budget: PipelineBudget(), source: nil,
        slots: 0)

    private func call(_ name: String, _ arguments: [Value]) throws -> Value {
        let call = FunctionCall(try #require(FunctionTable[name]), arguments.map { .constant(Shared(ValueBytes($0))) })
        defer { withExtendedLifetime(call) {} }
        return try call.evaluate(Row(.empty), execution).withView { try Value($0) }
    }

    func number(_ name: String, _ first: TimestampValue, _ second: String, _ third: String) throws -> Int64? {
        guard case .integer(let number) = try call(name, [.timestamp(first), .string(second), .string(third)]) else { return nil }
        return number
    }

    func number(_ name: String, _ first: TimestampValue, _ second: TimestampValue, _ third: String) throws -> Int64? {
        guard case .integer(let number) = try call(name, [.timestamp(first), .timestamp(second), .string(third)]) else { return nil }
        return number
    }

    func time(_ name: String, _ first: TimestampValue, _ second: String, _ third: String) throws -> TimestampValue? {
        guard case .timestamp(let time) = try call(name, [.timestamp(first), .string(second), .string(third)]) else { return nil }
        return time
    }
}
