// SPDX-License-Identifier: Apache-2.0
import HearthBase

/// The offsets of a zone in all years that its table does not list: the `TZ` string of POSIX at the end of its file, such as
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
struct RecurringOffsets: Sendable {
    /// A day of the year, and seconds behind its midnight.
    struct Change: Sendable {
        enum Day: Sendable {
            /// From 1 to 365, without February 29.
            case julian(Int64)
            /// From 0 to 365.
            case ordinal(Int64)
            /// A day of the week, 0 for Sunday, in the first to the last (5) week of a month.
            case weekday(month: Int64, week: Int64, day: Int64)
        }

        let day: Day
        let time: Int64
    }

    struct DaylightSaving: Sendable {
        let offset: Int64
        let start: Change
        let end: Change
    }

    let standard: Int64
    let saving: DaylightSaving?

    func offset(at time: Int64) -> Int64 {
        guard let saving else { return standard }
        let local = time + standard
        let year = CivilDate(days: (local >= 0 ? local : local - 86_399) / 86_400).year
        let start = saving.start.seconds(in: year) - standard
        let end = saving.end.seconds(in: year) - saving.offset
        let isSaving = start < end ? start <= time && time < end : time < end || start <= time
        return isSaving ? saving.offset : standard
    }
}

extension RecurringOffsets.Change {
    /// The local time of the change in a year, as seconds since 1970.
    fileprivate func seconds(in year: Int64) -> Int64 { dayNumber(in: year) * 86_400 + time }

    private func dayNumber(in year: Int64) -> Int64 {
        let first = CivilDate.days(beforeMonth: 1, year: year)
        switch day {
        case .julian(let number):
            let isLeap = CivilDate.days(beforeMonth: 1, year: year + 1) - first == 366
            return first + number - 1 + (isLeap && number > 59 ? 1 : 0)
        case .ordinal(let number): return first + number
        case .weekday(let month, let week, let weekday):
            let monthStart = CivilDate.days(beforeMonth: month, year: year)
            let monthEnd = month == 12 ? CivilDate.days(beforeMonth: 1, year: year + 1) : CivilDate.days(beforeMonth: month + 1, year: year)
            let day = monthStart + (weekday - CivilDate.dayOfWeek(monthStart) + 14) % 7 + (week - 1) * 7
            return day < monthEnd ? day : day - 7
        }
    }
}

// MARK: The text

extension RecurringOffsets {
    /// nil if the text is not a `TZ` string with rules.
    init?(_ text: ArraySlice<UInt8>) {
        var reader = TimeZoneReader(rest: text)
        guard reader.name(), let standard = reader.offset() else { return nil }
        self.standard = -standard
        guard !reader.rest.isEmpty else {
            saving = nil
            return
        }
        guard reader.name() else { return nil }
        var offset = self.standard + 3_600
        if reader.rest.first != UInt8(ascii: ",") {
            guard let written = reader.offset() else { return nil }
            offset = -written
        }
        guard let start = reader.change(), let end = reader.change(), reader.rest.isEmpty else { return nil }
        saving = DaylightSaving(offset: offset, start: start, end: end)
    }
}

/// Reads a `TZ` string from left to right.
private struct TimeZoneReader {
    var rest: ArraySlice<UInt8>

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func number() -> Int64? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...4).contains(digits.count) else { return nil }
        rest.removeFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// Letters, or anything in angle brackets.
    mutating func name() -> Bool {
        if take("<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            rest = rest[(end + 1)...]
            return true
        }
        let letters = rest.prefix { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }
        rest.removeFirst(letters.count)
        return !letters.isEmpty
    }

    /// Hours, minutes and seconds, as seconds.
    mutating func offset() -> Int64? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard var seconds = number().map({ $0 * 3_600 }) else { return nil }
        for unit: Int64 in [60, 1] where take(":") {
            guard let part = number() else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }

    mutating func change() -> RecurringOffsets.Change? {
        guard take(","), let day = day() else { return nil }
        var time: Int64 = 7_200
        if take("/") {
            guard let written = offset() else { return nil }
            time = written
        }
        return RecurringOffsets.Change(day: day, time: time)
    }

    private mutating func day() -> RecurringOffsets.Change.Day? {
        if take("J") { return number().flatMap { (1...365).contains($0) ? .julian($0) : nil } }
        guard take("M") else { return number().flatMap { $0 <= 365 ? .ordinal($0) : nil } }
        guard let month = number(), (1...12).contains(month), take("."), let week = number(), (1...5).contains(week), take("."),
            let day = number(), day <= 6
        else { return nil }
        return .weekday(month: month, week: week, day: day)
    }
}
