// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The rounding of a timestamp by `Date`, without Foundation: a date is a double of seconds since 2001.
enum DateRounding {
    private static let epoch = 978_307_200.0

    private static func date(_ time: TimestampValue) -> Double {
        Double(time.seconds) + Double(time.nanoseconds) / 1e9 - epoch
    }

    /// Whether the timestamp is the same one, to the microsecond, after `Date` and back.
    static func survives(_ time: TimestampValue) -> Bool {
        let date = date(time)
        let interval = date + epoch
        let seconds = interval.rounded(.down)
        guard let whole = Int64(exactly: seconds) else { return false }
        let back = TimestampValue(seconds: whole, nanoseconds: Int32(min((interval - seconds) * 1e9, 999_999_999)))
        let expected = time.truncatedToMicroseconds
        if back.truncatedToMicroseconds == expected { return true }
        // The decoder treats a date that is the date of the next microsecond as that microsecond.
        let above = TimestampValue(microsecondsSince1970: back.microsecondsSince1970 + 1)
        return above == expected && self.date(above) == date && self.date(back.truncatedToMicroseconds) != date
    }
}
