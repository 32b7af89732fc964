// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Testing

/// Times: every overload, as an app calls it, and what it sends.
@Suite struct TimeTests {
    @Test func `numbers and times`() {
        check(Field("n").unixMicrosToTimestamp(), "unix_micros_to_timestamp(n)")
        check(Field("n").unixMillisToTimestamp(), "unix_millis_to_timestamp(n)")
        check(Field("n").unixSecondsToTimestamp(), "unix_seconds_to_timestamp(n)")
        check(Field("t").timestampToUnixMicros(), "timestamp_to_unix_micros(t)")
        check(Field("t").timestampToUnixMillis(), "timestamp_to_unix_millis(t)")
        check(Field("t").timestampToUnixSeconds(), "timestamp_to_unix_seconds(t)")
    }

    @Test func `periods and parts`() {
        check(Field("t").timestampTruncate(granularity: .day), "timestamp_trunc(t, \"day\")")
        check(Field("t").timestampTruncate(granularity: "day"), "timestamp_trunc(t, \"day\")")
        check(Field("t").timestampTruncate(granularity: Field("g")), "timestamp_trunc(t, g)")
        check(Field("t").timestampTruncate(granularity: .weekMonday, timezone: "UTC"), "timestamp_trunc(t, \"week(monday)\", \"UTC\")")
        check(Field("t").timestampTruncate(granularity: "day", timezone: Field("z")), "timestamp_trunc(t, \"day\", z)")
        check(Field("t").timestampExtract(part: .dayOfWeek), "timestamp_extract(t, \"dayofweek\")")
        check(Field("t").timestampExtract(part: "hour"), "timestamp_extract(t, \"hour\")")
        check(Field("t").timestampExtract(part: .hour, timezone: "Asia/Tokyo"), "timestamp_extract(t, \"hour\", \"Asia/Tokyo\")")
        check(Field("t").timestampExtract(part: Field("p"), timezone: "UTC"), "timestamp_extract(t, p, \"UTC\")")
    }

    @Test func `the unit comes before the amount on the wire`() {
        check(Field("t").timestampAdd(3, .hour), "timestamp_add(t, \"hour\", 3)")
        check(Field("t").timestampAdd(amount: Field("n"), unit: "hour"), "timestamp_add(t, \"hour\", n)")
        check(Field("t").timestampAdd(amount: Field("n"), unit: TimeUnit.day), "timestamp_add(t, \"day\", n)")
        check(Field("t").timestampSubtract(3, .minute), "timestamp_subtract(t, \"minute\", 3)")
        check(Field("t").timestampSubtract(amount: Constant(1), unit: Field("u")), "timestamp_subtract(t, u, 1)")
        check(Field("t").timestampDiff(Field("start"), .second), "timestamp_diff(t, start, \"second\")")
        check(Field("t").timestampDiff(Field("start"), "day"), "timestamp_diff(t, start, \"day\")")
    }

    @Test func `names of units, periods and parts`() {
        let units: [TimeUnit] = [.microsecond, .millisecond, .second, .minute, .hour, .day]
        #expect(units.map(\.rawValue) == ["microsecond", "millisecond", "second", "minute", "hour", "day"])
        let periods: [TimeGranularity] = [
            .microsecond, .millisecond, .second, .minute, .hour, .day, .week, .weekMonday, .weekTuesday, .weekWednesday, .weekThursday,
            .weekFriday, .weekSaturday, .weekSunday, .isoweek, .month, .quarter, .year, .isoyear,
        ]
        let names = [
            "microsecond", "millisecond", "second", "minute", "hour", "day", "week", "week(monday)", "week(tuesday)", "week(wednesday)",
            "week(thursday)", "week(friday)", "week(saturday)", "week(sunday)", "isoweek", "month", "quarter", "year", "isoyear",
        ]
        #expect(periods.map(\.rawValue) == names)
        let parts: [TimePart] = [
            .microsecond, .millisecond, .second, .minute, .hour, .day, .week, .weekMonday, .weekTuesday, .weekWednesday, .weekThursday,
            .weekFriday, .weekSaturday, .weekSunday, .isoweek, .month, .quarter, .year, .isoyear, .dayOfWeek, .dayOfYear,
        ]
        #expect(parts.map(\.rawValue) == names + ["dayofweek", "dayofyear"])
    }
}
