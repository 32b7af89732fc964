// SPDX-License-Identifier: Apache-2.0

extension Expression {
    public func unixMicrosToTimestamp() -> FunctionExpression { call("unix_micros_to_timestamp") }
    public func timestampToUnixMicros() -> FunctionExpression { call("timestamp_to_unix_micros") }
    public func unixMillisToTimestamp() -> FunctionExpression { call("unix_millis_to_timestamp") }
    public func timestampToUnixMillis() -> FunctionExpression { call("timestamp_to_unix_millis") }
    public func unixSecondsToTimestamp() -> FunctionExpression { call("unix_seconds_to_timestamp") }
    public func timestampToUnixSeconds() -> FunctionExpression { call("timestamp_to_unix_seconds") }
    public func timestampTruncate(granularity: TimeGranularity) -> FunctionExpression { call("timestamp_trunc", granularity) }
    public func timestampTruncate(granularity: any Sendable) -> FunctionExpression { call("timestamp_trunc", granularity) }
    public func timestampTruncate(granularity: TimeGranularity, timezone: any Sendable) -> FunctionExpression {
        call("timestamp_trunc", granularity, timezone)
    }
    public func timestampTruncate(granularity: any Sendable, timezone: any Sendable) -> FunctionExpression {
        call("timestamp_trunc", granularity, timezone)
    }
    public func timestampDiff(_ start: any Expression, _ unit: TimeUnit) -> FunctionExpression { call("timestamp_diff", start, unit) }
    public func timestampDiff(_ start: any Expression, _ unit: any Sendable) -> FunctionExpression { call("timestamp_diff", start, unit) }
    public func timestampExtract(part: TimePart) -> FunctionExpression { call("timestamp_extract", part) }
    public func timestampExtract(part: any Sendable) -> FunctionExpression { call("timestamp_extract", part) }
    public func timestampExtract(part: TimePart, timezone: any Sendable) -> FunctionExpression { call("timestamp_extract", part, timezone) }
    public func timestampExtract(part: any Sendable, timezone: any Sendable) -> FunctionExpression {
        call("timestamp_extract", part, timezone)
    }
    public func timestampAdd(_ amount: Int, _ unit: TimeUnit) -> FunctionExpression { call("timestamp_add", unit, amount) }
    public func timestampAdd(amount: any Expression, unit: any Sendable) -> FunctionExpression { call("timestamp_add", unit, amount) }
    public func timestampSubtract(_ amount: Int, _ unit: TimeUnit) -> FunctionExpression { call("timestamp_subtract", unit, amount) }
    public func timestampSubtract(amount: any Expression, unit: any Sendable) -> FunctionExpression {
        call("timestamp_subtract", unit, amount)
    }
}
