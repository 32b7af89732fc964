// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Dates of the Gregorian calendar in UTC (SR-70).
enum Calendar {
    struct Date {
        var year: Int64
        var month: Int64
        var day: Int64
    }

    static let secondsPerDay: Int64 = 86_400
    private static let nanosecondsPerSecond: Int64 = 1_000_000_000

    /// A timestamp of seconds and any number of nanoseconds; nil outside of the years 1 to 9999.
    static func timestamp(seconds: Int64, nanoseconds: Int64) -> TimestampValue? {
        var (carry, rest) = nanoseconds.quotientAndRemainder(dividingBy: nanosecondsPerSecond)
        if rest < 0 {
            carry -= 1
            rest += nanosecondsPerSecond
        }
        let (sum, overflow) = seconds.addingReportingOverflow(carry)
        let time = TimestampValue(seconds: sum, nanoseconds: Int32(rest))
        return !overflow && time.isValid ? time : nil
    }

    /// Days since 1970-01-01 that lie before a time.
    static func days(_ time: TimestampValue) -> Int64 {
        let (quotient, rest) = time.seconds.quotientAndRemainder(dividingBy: secondsPerDay)
        return rest < 0 ? quotient - 1 : quotient
    }

    static func secondsOfDay(_ time: TimestampValue) -> Int64 { time.seconds - days(time) * secondsPerDay }

    /// Counted in eras of 400 years that begin in March.
    static func date(days: Int64) -> Date {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return Date(year: year, month: month < 10 ? month + 3 : month - 9, day: dayOfYear - (153 * month + 2) / 5 + 1)
    }

    /// Nil if there is no such date in the years 1 to 9999.
    static func days(year: Int64, month: Int64, day: Int64) -> Int64? {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1, day <= length(ofMonth: month, year) else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    static func dayOfYear(_ days: Int64) -> Int64 {
        days - (Self.days(year: date(days: days).year, month: 1, day: 1) ?? days) + 1
    }

    /// Monday is 1, Sunday is 7. The first of January 1970 was a Thursday.
    static func dayOfWeek(_ days: Int64) -> Int64 {
        let rest = (days + 3) % 7
        return (rest < 0 ? rest + 7 : rest) + 1
    }

    private static func length(ofMonth month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
