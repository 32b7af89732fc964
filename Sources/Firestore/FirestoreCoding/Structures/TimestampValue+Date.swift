// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import Foundation

extension TimestampValue {
    /// A date, truncated to nanoseconds; nil if it is infinite or not a number. The years are not checked.
    ///
    /// A `Date` is a double with a resolution of about a quarter of a microsecond for current dates, so the date of a
    /// stored microsecond is often slightly earlier than that. Rounding down alone would make a value that is read and
    /// written back earlier by a microsecond each time (R85); a date that is the date of the next microsecond is
    /// therefore treated as that microsecond.
    package init?(_ date: Date) {
        let interval = date.timeIntervalSince1970
        let seconds = interval.rounded(.down)
        guard let whole = Int64(exactly: seconds) else { return nil }
        self.init(seconds: whole, nanoseconds: Int32(min((interval - seconds) * 1e9, 999_999_999)))
        guard nanoseconds % 1_000 != 0, truncatedToMicroseconds.date != date else { return }
        let above = nextMicrosecond
        if above.date == date { self = above }
    }

    /// Creates a timestamp to be stored from a date; nil outside the years 1 to 9999 (R29).
    init?(storing date: Date) {
        guard let value = TimestampValue(date), value.isValid else { return nil }
        self = value
    }

    /// The nearest date.
    package var date: Date { Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9) }

    private var nextMicrosecond: TimestampValue {
        let next = nanoseconds - nanoseconds % 1_000 + 1_000
        return next < 1_000_000_000
            ? TimestampValue(seconds: seconds, nanoseconds: next)
            : TimestampValue(seconds: seconds &+ 1, nanoseconds: 0)
    }
}
