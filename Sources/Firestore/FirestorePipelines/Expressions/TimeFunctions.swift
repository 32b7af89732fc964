// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Functions of timestamps, which count microseconds from the year 1 to the year 9999.
enum TimeFunctions {
    static let all: [FunctionDefinition] =
        [
            .values("current_timestamp", arity: 0...0, isPure: false) { _, execution in
                .timestamp(execution.time.truncatedToMicroseconds)
            },
            .values("timestamp_trunc", .timestamp, .string, .string, arity: 2...3, truncated),
            .values("timestamp_extract", .timestamp, .string, .string, arity: 2...3, extracted),
            .values("timestamp_diff", .timestamp, .timestamp, .string) { arguments, _ in difference(arguments) },
            moving("timestamp_add") { $0.addingReportingOverflow($1) },
            moving("timestamp_subtract") { $0.subtractingReportingOverflow($1) },
            moving("timestamp_sub") { $0.subtractingReportingOverflow($1) },
        ] + conversions(.microsecond, "micros") + conversions(.millisecond, "millis") + conversions(.second, "seconds")

    // MARK: Numbers

    private static func conversions(_ unit: TimeUnit, _ name: String) -> [FunctionDefinition] {
        let from = "unix_\(name)_to_timestamp"
        return [
            .one(from, .integer) { value, _ in
                let (result, overflow) = (value.integer ?? 0).multipliedReportingOverflow(by: unit.microseconds)
                return timestamp(overflow ? nil : result, of: from)
            },
            .one("timestamp_to_unix_\(name)", .timestamp) { value, _ in
                .integer((value.timestamp?.microsecondsSince1970 ?? 0).floorDivided(by: unit.microseconds).quotient)
            },
        ]
    }

    private static func timestamp(_ microseconds: Int64?, of name: String) -> EvaluatedValue {
        guard let microseconds else { return outside(name) }
        let time = TimestampValue(microsecondsSince1970: microseconds)
        return time.isValid ? .timestamp(time) : outside(name)
    }

    private static func outside(_ name: String) -> EvaluatedValue { .fail("the result of \(name) is not in the years 1 to 9999") }

    // MARK: Lengths of time

    private static func moving(
        _ name: String, _ move: @escaping @Sendable (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
    ) -> FunctionDefinition {
        .values(name, .timestamp, .string, .integer) { arguments, _ in
            guard let time = arguments[0].timestamp, let amount = arguments[2].integer else { return .null }
            guard let unit = TimeUnit(rawValue: arguments[1].string ?? "") else { return unknownUnit(name) }
            let (length, tooLong) = amount.multipliedReportingOverflow(by: unit.microseconds)
            let (result, overflow) = move(time.microsecondsSince1970, length)
            return timestamp(tooLong || overflow ? nil : result, of: name)
        }
    }

    /// Whole units from the second time to the first one, rounded toward zero.
    private static func difference(_ arguments: [EvaluatedValue]) -> EvaluatedValue {
        guard let end = arguments[0].timestamp, let start = arguments[1].timestamp else { return .null }
        guard let unit = TimeUnit(rawValue: arguments[2].string ?? "") else { return unknownUnit("timestamp_diff") }
        return .integer((end.microsecondsSince1970 - start.microsecondsSince1970) / unit.microseconds)
    }

    private static func unknownUnit(_ name: String) -> EvaluatedValue {
        .fail("the units of \(name) are microsecond, millisecond, second, minute, hour and day")
    }

    // MARK: The calendar

    private static func truncated(_ arguments: [EvaluatedValue], _ execution: Execution) -> EvaluatedValue {
        guard let time = arguments[0].timestamp?.microsecondsSince1970 else { return .null }
        guard let granularity = TimeGranularity(arguments[1].string ?? "") else {
            return .fail("timestamp_trunc takes a granularity such as \"day\", \"week(monday)\", \"isoweek\" or \"month\"")
        }
        guard let zone = zone(arguments, execution) else { return unknownZone }
        let second = TimeUnit.second.microseconds
        let local = time + zone.offset(at: time.floorDivided(by: second).quotient) * second
        let result: Int64
        switch granularity {
        case .unit(let unit): result = time - local.floorDivided(by: unit.microseconds).remainder
        case .days(let span):
            let day = span.firstDay(of: local.floorDivided(by: TimeUnit.day.microseconds).quotient)
            result = zone.firstMoment(ofLocal: day * 86_400) * second
        }
        return timestamp(result, of: "timestamp_trunc")
    }

    private static func extracted(_ arguments: [EvaluatedValue], _ execution: Execution) -> EvaluatedValue {
        guard let time = arguments[0].timestamp?.microsecondsSince1970 else { return .null }
        guard let part = TimePart(arguments[1].string ?? "") else {
            return .fail("timestamp_extract takes a part such as \"day\", \"dayofweek\", \"isoweek\" or \"hour\"")
        }
        guard let zone = zone(arguments, execution) else { return unknownZone }
        let second = TimeUnit.second.microseconds
        return .integer(part.number(of: time + zone.offset(at: time.floorDivided(by: second).quotient) * second))
    }

    /// The zone that the third argument names, or UTC; nil if there is no such zone.
    private static func zone(_ arguments: [EvaluatedValue], _ execution: Execution) -> TimeZoneRules? {
        guard arguments.count == 3 else { return .utc }
        guard let name = arguments[2].utf8 else { return nil }
        return execution.zones[name, { TimeZones.system[String(decoding: $0, as: UTF8.self)] }]
    }

    private static var unknownZone: EvaluatedValue {
        .fail("the time zone is not known here; use a name such as \"Europe/Berlin\", \"UTC\" or \"GMT+05:30\"")
    }
}
