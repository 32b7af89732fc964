// SPDX-License-Identifier: Apache-2.0

/// A date of the Gregorian calendar, counted in eras of 400 years that begin in March.
package struct CivilDate: Sendable {
    package let year: Int64
    package let month: Int64
    package let day: Int64

    /// The date that lies so many days after 1970-01-01.
    package init(days: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        self.month = month < 10 ? month + 3 : month - 9
        day = dayOfYear - (153 * month + 2) / 5 + 1
    }

    /// The days from 1970-01-01 to a date; nil if there is no such date in the years 1 to 9999.
    package static func days(year: Int64, month: Int64, day: Int64) -> Int64? {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1, day <= length(ofMonth: month, year) else { return nil }
        return days(beforeMonth: month, year: year) + day - 1
    }

    /// The days from 1970-01-01 to the first day of a month of any year.
    package static func days(beforeMonth month: Int64, year: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The number of a day in its year, from 1 on.
    package static func dayOfYear(_ days: Int64) -> Int64 { days - Self.days(beforeMonth: 1, year: CivilDate(days: days).year) + 1 }

    /// Monday is 1, Sunday is 7. The first of January 1970 was a Thursday.
    package static func dayOfWeek(_ days: Int64) -> Int64 {
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
