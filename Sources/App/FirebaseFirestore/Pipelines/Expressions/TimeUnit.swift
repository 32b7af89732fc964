// SPDX-License-Identifier: Apache-2.0

/// A unit of time, for additions to times and differences between them.
public struct TimeUnit: Sendable, Equatable, Hashable, PipelineWord {
    /// The name of the unit.
    public let rawValue: String

    /// A millionth of a second.
    public static let microsecond = TimeUnit(rawValue: "microsecond")
    /// A thousandth of a second.
    public static let millisecond = TimeUnit(rawValue: "millisecond")
    /// A second.
    public static let second = TimeUnit(rawValue: "second")
    /// 60 seconds.
    public static let minute = TimeUnit(rawValue: "minute")
    /// 60 minutes.
    public static let hour = TimeUnit(rawValue: "hour")
    /// 24 hours.
    public static let day = TimeUnit(rawValue: "day")
}

/// The period to whose beginning a time is truncated.
public struct TimeGranularity: Sendable, Equatable, Hashable, PipelineWord {
    /// The name of the period.
    public let rawValue: String

    /// A millionth of a second.
    public static let microsecond = TimeGranularity(rawValue: "microsecond")
    /// A thousandth of a second.
    public static let millisecond = TimeGranularity(rawValue: "millisecond")
    /// A second.
    public static let second = TimeGranularity(rawValue: "second")
    /// A minute.
    public static let minute = TimeGranularity(rawValue: "minute")
    /// An hour.
    public static let hour = TimeGranularity(rawValue: "hour")
    /// A day.
    public static let day = TimeGranularity(rawValue: "day")
    /// A week, which begins on Sunday.
    public static let week = TimeGranularity(rawValue: "week")
    /// A week that begins on Monday.
    public static let weekMonday = TimeGranularity(rawValue: "week(monday)")
    /// A week that begins on Tuesday.
    public static let weekTuesday = TimeGranularity(rawValue: "week(tuesday)")
    /// A week that begins on Wednesday.
    public static let weekWednesday = TimeGranularity(rawValue: "week(wednesday)")
    /// A week that begins on Thursday.
    public static let weekThursday = TimeGranularity(rawValue: "week(thursday)")
    /// A week that begins on Friday.
    public static let weekFriday = TimeGranularity(rawValue: "week(friday)")
    /// A week that begins on Saturday.
    public static let weekSaturday = TimeGranularity(rawValue: "week(saturday)")
    /// A week that begins on Sunday.
    public static let weekSunday = TimeGranularity(rawValue: "week(sunday)")
    /// A week of ISO 8601, which begins on Monday.
    public static let isoweek = TimeGranularity(rawValue: "isoweek")
    /// A month.
    public static let month = TimeGranularity(rawValue: "month")
    /// A quarter of a year.
    public static let quarter = TimeGranularity(rawValue: "quarter")
    /// A year.
    public static let year = TimeGranularity(rawValue: "year")
    /// A year of ISO 8601, which begins on the Monday of its first week.
    public static let isoyear = TimeGranularity(rawValue: "isoyear")
}

/// A part of a time that can be extracted.
public struct TimePart: Sendable, Equatable, Hashable, PipelineWord {
    /// The name of the part.
    public let rawValue: String

    /// The microseconds within the second.
    public static let microsecond = TimePart(rawValue: "microsecond")
    /// The milliseconds within the second.
    public static let millisecond = TimePart(rawValue: "millisecond")
    /// The second of the minute.
    public static let second = TimePart(rawValue: "second")
    /// The minute of the hour.
    public static let minute = TimePart(rawValue: "minute")
    /// The hour of the day.
    public static let hour = TimePart(rawValue: "hour")
    /// The day of the month.
    public static let day = TimePart(rawValue: "day")
    /// The week of the year; weeks begin on Sunday.
    public static let week = TimePart(rawValue: "week")
    /// The week of the year; weeks begin on Monday.
    public static let weekMonday = TimePart(rawValue: "week(monday)")
    /// The week of the year; weeks begin on Tuesday.
    public static let weekTuesday = TimePart(rawValue: "week(tuesday)")
    /// The week of the year; weeks begin on Wednesday.
    public static let weekWednesday = TimePart(rawValue: "week(wednesday)")
    /// The week of the year; weeks begin on Thursday.
    public static let weekThursday = TimePart(rawValue: "week(thursday)")
    /// The week of the year; weeks begin on Friday.
    public static let weekFriday = TimePart(rawValue: "week(friday)")
    /// The week of the year; weeks begin on Saturday.
    public static let weekSaturday = TimePart(rawValue: "week(saturday)")
    /// The week of the year; weeks begin on Sunday.
    public static let weekSunday = TimePart(rawValue: "week(sunday)")
    /// The week of the year, of ISO 8601.
    public static let isoweek = TimePart(rawValue: "isoweek")
    /// The month of the year.
    public static let month = TimePart(rawValue: "month")
    /// The quarter of the year.
    public static let quarter = TimePart(rawValue: "quarter")
    /// The year.
    public static let year = TimePart(rawValue: "year")
    /// The year to which ISO 8601 assigns the week.
    public static let isoyear = TimePart(rawValue: "isoyear")
    /// The day of the week: 1 is Sunday, 7 is Saturday.
    public static let dayOfWeek = TimePart(rawValue: "dayofweek")
    /// The day of the year.
    public static let dayOfYear = TimePart(rawValue: "dayofyear")
}
