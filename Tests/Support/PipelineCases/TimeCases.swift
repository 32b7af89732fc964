// SPDX-License-Identifier: Apache-2.0

extension PipelineCase {
    /// Timestamps.
    package static let times: [PipelineCase] = lengthsOfTime + calendar + zones

    private static func time(_ text: String) -> String { "timestamp(\"\(text)\")" }
    private static let leapDay = time("2024-02-29T23:59:59.987654Z")

    private static let lengthsOfTime: [PipelineCase] = [
        .value("PT-129", "timestamp_add(\(leapDay), \"day\", 366)", time("2025-03-01T23:59:59.987654Z")),
        .value("PT-130", "timestamp_subtract(\(leapDay), \"microsecond\", -346)", time("2024-02-29T23:59:59.988Z")),
        .value("PT-131", "timestamp_add(\(leapDay), \"week\", 1)", "fail the units of timestamp_add are"),
        .value("PT-131", "timestamp_add(\(leapDay), \"day\", 9000000)", "fail not in the years 1 to 9999"),
        .value("§5.7", "timestamp_sub(\(leapDay), \"hour\", 24)", time("2024-02-28T23:59:59.987654Z")),
        .value("§5.7", "timestamp_add(\(leapDay), \"day\", 9223372036854775807)", "fail"),
        .value("§5.7", "timestamp_subtract(\(leapDay), \"microsecond\", -9223372036854775808)", "fail"),
        .value("§5.7", "timestamp_add(\(leapDay), \"day\", 1.0)", "fail"),
        .value("§5.7", "timestamp_add(n, \"day\", 1)", "fail timestamp_add takes no integer as argument 1"),
        .value("§5.7", "timestamp_add(t, \"day\", 1)", "null"),
        .value("PT-132", "timestamp_diff(\(leapDay), timestamp_add(\(leapDay), \"second\", 90), \"minute\")", "-1"),
        .value("PT-132", "timestamp_diff(timestamp_add(\(leapDay), \"second\", 90), \(leapDay), \"second\")", "90"),
        .value("§5.7", "timestamp_diff(timestamp_subtract(\(leapDay), \"second\", 9296), \(leapDay), \"hour\")", "-2"),
        .value("§5.7", "timestamp_diff(\(leapDay), \(leapDay), \"month\")", "fail"),
        .value("§5.7", "timestamp_diff(\(time("9999-12-31T23:59:59.999999Z")), \(time("0001-01-01T00:00:00Z")), \"microsecond\")", "315537897599999999"),
        .value("PT-133", "timestamp_to_unix_millis(\(time("1969-12-31T23:59:59.9995Z")))", "-1"),
        .value("§5.7", "timestamp_to_unix_seconds(\(time("1969-12-31T23:59:59.9995Z")))", "-1"),
        .value("§5.7", "timestamp_to_unix_micros(\(leapDay))", "1709251199987654"),
        .value("§5.7", "timestamp_to_unix_micros(miss)", "null"),
        .value("PT-134", "unix_micros_to_timestamp(-1)", time("1969-12-31T23:59:59.999999Z")),
        .value("PT-134", "unix_seconds_to_timestamp(1.0)", "fail"),
        .value("§5.7", "unix_millis_to_timestamp(1500)", time("1970-01-01T00:00:01.5Z")),
        .value("§5.7", "unix_seconds_to_timestamp(253402300800)", "fail"),
        .value("§5.7", "unix_seconds_to_timestamp(9223372036854775807)", "fail"),
        .value("PT-209", "equal(current_timestamp(), current_timestamp())", "true"),
        .value("PT-209", #"is_type(current_timestamp(), "timestamp")"#, "true"),
    ]

    private static let calendar: [PipelineCase] = [
        .value("PT-135", "timestamp_trunc(\(leapDay), \"month\")", time("2024-02-01T00:00:00Z")),
        .value("PT-135", "timestamp_trunc(\(leapDay), \"quarter\")", time("2024-01-01T00:00:00Z")),
        .value("PT-135", "timestamp_trunc(\(leapDay), \"week\")", time("2024-02-25T00:00:00Z")),
        .value("PT-135", "timestamp_trunc(\(leapDay), \"isoweek\")", time("2024-02-26T00:00:00Z")),
        .value("§5.7", "timestamp_trunc(\(leapDay), \"week(thursday)\")", time("2024-02-29T00:00:00Z")),
        .value("§5.7", "timestamp_trunc(\(leapDay), \"week(friday)\")", time("2024-02-23T00:00:00Z")),
        .value("§5.7", "timestamp_trunc(\(leapDay), \"year\")", time("2024-01-01T00:00:00Z")),
        .value("§5.7", "timestamp_trunc(\(leapDay), \"millisecond\")", time("2024-02-29T23:59:59.987Z")),
        .value("§5.7", "timestamp_trunc(\(leapDay), \"microsecond\")", leapDay),
        .value("§5.7", "timestamp_trunc(\(time("1969-12-31T23:59:59.5Z")), \"minute\")", time("1969-12-31T23:59:00Z")),
        .value("§5.7", "timestamp_trunc(\(time("0001-01-01T00:00:00Z")), \"week\")", "fail not in the years 1 to 9999"),
        .value("PT-138", "timestamp_trunc(\(time("2027-01-02T00:00:00Z")), \"isoyear\")", time("2025-12-29T00:00:00Z")),
        .value("PT-140", "timestamp_trunc(\(leapDay), \"fortnight\")", "fail timestamp_trunc takes a granularity"),
        .value("§5.7", "timestamp_trunc(\(leapDay), \"dayofweek\")", "fail"),
        .value("§5.7", "timestamp_trunc(\(leapDay), \"week(noday)\")", "fail"),
        .value("§5.7", "timestamp_trunc(miss, \"day\")", "null"),
        .value("PT-139", "timestamp_extract(\(leapDay), \"dayofweek\")", "5"),
        .value("PT-139", "timestamp_extract(\(leapDay), \"dayofyear\")", "60"),
        .value("PT-139", "timestamp_extract(\(leapDay), \"isoweek\")", "9"),
        .value("PT-139", "timestamp_extract(\(leapDay), \"microsecond\")", "987654"),
        .value("§5.7", "timestamp_extract(\(leapDay), \"millisecond\")", "987"),
        .value("§5.7", "timestamp_extract(\(leapDay), \"second\")", "59"),
        .value("§5.7", "timestamp_extract(\(leapDay), \"minute\")", "59"),
        .value("§5.7", "timestamp_extract(\(leapDay), \"hour\")", "23"),
        .value("§5.7", "timestamp_extract(\(leapDay), \"day\")", "29"),
        .value("§5.7", "timestamp_extract(\(leapDay), \"month\")", "2"),
        .value("§5.7", "timestamp_extract(\(leapDay), \"quarter\")", "1"),
        .value("§5.7", "timestamp_extract(\(leapDay), \"year\")", "2024"),
        .value("§5.7", "timestamp_extract(\(leapDay), \"week\")", "8"),
        .value("§5.7", "timestamp_extract(\(leapDay), \"week(monday)\")", "9"),
        .value("§5.7", "timestamp_extract(\(time("2024-01-06T00:00:00Z")), \"week\")", "0"),
        .value("§5.7", "timestamp_extract(\(time("2024-01-07T00:00:00Z")), \"week\")", "1"),
        .value("§5.7", "timestamp_extract(\(time("2027-01-02T00:00:00Z")), \"isoyear\")", "2026"),
        .value("§5.7", "timestamp_extract(\(time("2027-01-02T00:00:00Z")), \"isoweek\")", "53"),
        .value("§5.7", "timestamp_extract(\(leapDay), \"era\")", "fail"),
        .value("§5.7", "timestamp_extract(t, \"day\")", "null"),
    ]

    private static let zones: [PipelineCase] = [
        .value("PT-136", "timestamp_trunc(\(leapDay), \"day\", \"Asia/Kolkata\")", time("2024-02-29T18:30:00Z")),
        .value("PT-137", "timestamp_trunc(\(time("2024-03-10T12:00:00Z")), \"day\", \"America/New_York\")", time("2024-03-10T05:00:00Z")),
        .value("PT-139", "timestamp_extract(\(leapDay), \"hour\", \"Asia/Tokyo\")", "8"),
        .value("PT-140", "timestamp_trunc(\(leapDay), \"day\", \"Mars/Base\")", "fail the time zone is not known"),
        .value("PL-120", "timestamp_trunc(\(time("2026-01-24T20:00:00Z")), \"month\", \"GMT+06:32:43\")", time("2026-01-01T06:32:43Z")),
        .value("PL-120", "timestamp_extract(\(leapDay), \"hour\", \"GMT-05:30\")", "5"),
        .value("PL-120", "timestamp_extract(\(leapDay), \"hour\", \"UTC\")", "23"),
        .value("PL-120", "timestamp_extract(\(leapDay), \"hour\", \"GMT+5\")", "fail"),
        .value("PL-120", "timestamp_extract(\(leapDay), \"hour\", \"GMT+05:60\")", "fail"),
        .value("PL-105", "timestamp_extract(\(leapDay), \"hour\", \"../zoneinfo/UTC\")", "fail"),
        .value("PL-105", "timestamp_extract(\(leapDay), \"hour\", \"/usr/share/zoneinfo/UTC\")", "fail"),
        .value("PL-105", "timestamp_extract(\(leapDay), \"hour\", \"\")", "fail"),
        .value("PL-105", "timestamp_extract(\(leapDay), \"hour\", \"America\")", "fail"),
        .value("PL-105", "timestamp_extract(\(leapDay), \"hour\", t)", "null"),
        // Behind the last change that the files list.
        .value("PL-105", "timestamp_extract(\(time("2500-07-01T12:00:00Z")), \"hour\", \"Europe/Berlin\")", "14"),
        .value("PL-105", "timestamp_extract(\(time("2500-01-01T12:00:00Z")), \"hour\", \"Europe/Berlin\")", "13"),
        // The clocks skipped midnight.
        .value("PL-105", "timestamp_trunc(\(time("2018-11-04T12:00:00Z")), \"day\", \"America/Sao_Paulo\")", time("2018-11-04T03:00:00Z")),
        // The year of the zone is 10000.
        .value("PL-105", "timestamp_extract(\(time("9999-12-31T23:00:00Z")), \"year\", \"Asia/Tokyo\")", "10000"),
    ]
}
