// SPDX-License-Identifier: Apache-2.0
import HearthBase

/// A part of a time that is read as a number.
enum TimePart {
    case granularity(TimeGranularity)
    /// The week of the year, for weeks that do not belong to the year of their Thursday.
    case isoWeek
    case dayOfWeek
    case dayOfYear

    init?(_ name: String) {
        switch name {
        case "dayofweek": self = .dayOfWeek
        case "dayofyear": self = .dayOfYear
        case "isoweek": self = .isoWeek
        default:
            guard let granularity = TimeGranularity(name) else { return nil }
            self = .granularity(granularity)
        }
    }

    /// The part of a local time, given in microseconds as if it were UTC.
    func number(of local: Int64) -> Int64 {
        let (day, time) = local.floorDivided(by: TimeUnit.day.microseconds)
        switch self {
        case .isoWeek: return ISOWeek(day).number
        // Sunday is 1.
        case .dayOfWeek: return CivilDate.dayOfWeek(day) % 7 + 1
        case .dayOfYear: return CivilDate.dayOfYear(day)
        case .granularity(.unit(let unit)): return Self.number(unit, of: time)
        case .granularity(.days(let span)): return Self.number(span, of: day)
        }
    }

    private static func number(_ unit: TimeUnit, of time: Int64) -> Int64 {
        switch unit {
        case .microsecond: time % 1_000_000
        case .millisecond: time / 1_000 % 1_000
        case .second: time / 1_000_000 % 60
        case .minute: time / 60_000_000 % 60
        case .hour, .day: time / 3_600_000_000
        }
    }

    private static func number(_ span: TimeGranularity.Span, of day: Int64) -> Int64 {
        let date = CivilDate(days: day)
        switch span {
        case .day: return date.day
        case .month: return date.month
        case .quarter: return (date.month + 2) / 3
        case .year: return date.year
        case .isoYear: return ISOWeek(day).year
        case .week(let first):
            // The days before the first such weekday of the year are week 0.
            let sinceStart = (CivilDate.dayOfWeek(day) - first + 7) % 7
            return (CivilDate.dayOfYear(day) - 1 + 7 - sinceStart) / 7
        }
    }
}

extension Int64 {
    /// The quotient rounded down, and a remainder that is not negative.
    func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
