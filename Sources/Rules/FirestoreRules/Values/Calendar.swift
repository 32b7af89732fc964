// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Times and days in UTC (SR-70).
enum Calendar {
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
}
