// SPDX-License-Identifier: Apache-2.0
import HearthBase

/// A length of time that always has the same number of microseconds.
enum TimeUnit: String {
    case microsecond, millisecond, second, minute, hour, day

    var microseconds: Int64 {
        switch self {
        case .microsecond: 1
        case .millisecond: 1_000
        case .second: 1_000_000
        case .minute: 60_000_000
        case .hour: 3_600_000_000
        case .day: 86_400_000_000
        }
    }
}

/// What a time can be truncated to: a unit shorter than a day, or a span of days of the calendar.
enum TimeGranularity {
    enum Span {
        case day, month, quarter, year, isoYear
        /// Monday is 1, Sunday is 7.
        case week(first: Int64)
    }

    case unit(TimeUnit)
    case days(Span)

    /// nil for a text that names none.
    init?(_ name: String) {
        switch name {
        case "day": self = .days(.day)
        case "week": self = .days(.week(first: 7))
        case "isoweek": self = .days(.week(first: 1))
        case "month": self = .days(.month)
        case "quarter": self = .days(.quarter)
        case "year": self = .days(.year)
        case "isoyear": self = .days(.isoYear)
        default:
            if let unit = TimeUnit(rawValue: name) {
                self = .unit(unit)
            } else if let first = Self.weekdays.firstIndex(where: { name == "week(\($0))" }) {
                self = .days(.week(first: Int64(first + 1)))
            } else {
                return nil
            }
        }
    }

    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
}

extension TimeGranularity.Span {
    /// The first day of the span that contains a day, in days since 1970-01-01.
    func firstDay(of day: Int64) -> Int64 {
        let date = CivilDate(days: day)
        switch self {
        case .day: return day
        case .week(let first): return day - (CivilDate.dayOfWeek(day) - first + 7) % 7
        case .month: return CivilDate.days(beforeMonth: date.month, year: date.year)
        case .quarter: return CivilDate.days(beforeMonth: date.month - (date.month - 1) % 3, year: date.year)
        case .year: return CivilDate.days(beforeMonth: 1, year: date.year)
        case .isoYear:
            // The fourth of January is always in the first week.
            let fourth = CivilDate.days(beforeMonth: 1, year: ISOWeek(day).year) + 3
            return fourth - CivilDate.dayOfWeek(fourth) + 1
        }
    }
}

/// A week of ISO 8601: it begins on Monday and belongs to the year of its Thursday.
struct ISOWeek {
    let year: Int64
    /// From 1 to 53.
    let number: Int64

    /// The week of a day.
    init(_ day: Int64) {
        let thursday = day - CivilDate.dayOfWeek(day) + 4
        year = CivilDate(days: thursday).year
        number = (CivilDate.dayOfYear(thursday) - 1) / 7 + 1
    }
}
