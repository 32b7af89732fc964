// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSchema

/// Conversions lose nothing, or are rejected: MP-69.
@Suite struct FieldConversionTests {
    @Test(arguments: ["0", "7", "-7", "9223372036854775807", "-9223372036854775808"]) func `the digits of an integer are an integer`(text: String) {
        #expect(FieldConversion.integer.convert(.string(text)).map { ValueBytes($0) } == Int64(text).map { ValueBytes(.integer($0)) })
    }

    @Test(arguments: ["007", "+5", "-0", "00", "", " 7", "7 ", "1.0", "1e3", "0x10", "9223372036854775808", "٣"]) func `other spellings are not`(text: String) {
        #expect(FieldConversion.integer.convert(.string(text)) == nil)
    }

    @Test(arguments: [
        "0", "0.0", "1.50", "-2.5", "100", "1e3", "1E+3", "1.5e-7", "1e-07", "0.1", "0.10000", "9007199254740992", "1e22", "5e-324", "1.7976931348623157e+308",
        "0.30000000000000004", "0e9",
    ]) func `a number that a double represents exactly is a double`(text: String) throws {
        #expect(FieldConversion.double.convert(.string(text)).map { ValueBytes($0) } == ValueBytes(.double(try #require(Double(text)))))
    }

    @Test(arguments: [
        "007", "+5", "-0", "-0.0", "00", ".5", "5.", "1e", "0x1p3", "nan", "inf", "infinity", "1e400", "1e-400", "1e9999999999999999999", "0.1000000000000000055",
        "12345678901234567890", "9007199254740993", "", "1 ", "1,5", "--1",
    ]) func `a number that a double would round, and other spellings are not`(text: String) {
        #expect(FieldConversion.double.convert(.string(text)) == nil)
    }

    @Test func `a negative zero is not an integer`() {
        #expect(FieldConversion.integer.convert(.double(-0.0)) == nil)
        #expect(FieldConversion.integer.convert(.double(0.0)) != nil)
        #expect(FieldConversion.seconds.convert(.double(-0.0)) == nil)
    }

    @Test func `the text of a double is the double, and that of an integer the integer`() {
        var random = SeededGenerator(seed: 1)
        for round in 0..<TestScale.pick(quick: 5_000, full: 200_000) {
            let number = Double(bitPattern: .random(in: 0...UInt64.max, using: &random))
            if number.isFinite, number != 0 {
                #expect(FieldConversion.double.convert(.string(String(number))).map { ValueBytes($0) } == ValueBytes(.double(number)), "\(number)")
            }
            let integer = Int64.random(in: .min ... .max, using: &random) >> Int64(round % 60)
            #expect(FieldConversion.integer.convert(.string(String(integer))).map { ValueBytes($0) } == ValueBytes(.integer(integer)))
        }
    }

    static let times: [(conversion: FieldConversion, value: Value, microseconds: Int64?)] = [
        (.timestamp, .string("1970-01-01T00:00:01.123456Z"), 1_123_456), (.timestamp, .string("1970-01-01T00:00:01.123456000Z"), 1_123_456),
        (.timestamp, .string("1970-01-01T00:00:01.1234567Z"), nil), (.timestamp, .string("1970-01-01T00:00:01.000000001Z"), nil),
        (.timestamp, .string("1970-01-01T01:00:01+01:00"), 1_000_000), (.timestamp, .string("1970-01-02"), 86_400_000_000), (.timestamp, .string("1970/01/02"), 86_400_000_000),
        (.timestamp, .string("1970-01-01 00:00:01"), 1_000_000), (.timestamp, .string("1970-01-01T00:01"), 60_000_000), (.timestamp, .string("1970-01-01T01:00:01+0100"), 1_000_000),
        (.timestamp, .string("1970-01-01T01:00+01:00"), 0), (.timestamp, .string("1970/01/02 00:00:01.5"), 86_401_500_000), (.timestamp, .string("1970-02-30"), nil),
        (.timestamp, .string("1970-1-1"), nil), (.timestamp, .string("01/02/1970"), nil), (.timestamp, .string("1970/01-02"), nil), (.timestamp, .string("1970-01-01T00:00:01+1"), nil),
        (.timestamp, .string("1970-01-01T0"), nil), (.timestamp, .string("1970-01-01T00:00:"), nil), (.seconds, .double(1.5), 1_500_000), (.seconds, .double(-1.000001), -1_000_001),
        (.seconds, .double(1_700_000_000.123456), 1_700_000_000_123_456), (.seconds, .double(1e-6), 1), (.seconds, .double(1e-9), nil),
        (.seconds, .double(1.12345678), nil), (.seconds, .double(1e300), nil), (.seconds, .double(.nan), nil), (.seconds, .double(0), 0),
        (.seconds, .integer(.max), nil), (.seconds, .integer(-2), -2_000_000), (.milliseconds, .double(1.5), 1_500), (.milliseconds, .double(0.001), 1),
        (.milliseconds, .double(0.0001), nil), (.milliseconds, .integer(1_500), 1_500_000), (.milliseconds, .double(1e12), 1_000_000_000_000_000),
    ]

    // What the hints of `hearth schema` recommend is what is accepted.
    @Test(arguments: ["2012-05-31", "2012/05/31", "2012-05-31T10:00", "2012-05-31 10:00:00", "2012-05-31T10:00:00.25", "2012-05-31T10:00:00Z", "2012-05-31T10:00:00+02:00", "2012-05-31T10:00+0200"])
    func `a text that a timestamp is recommended for becomes one`(text: String) throws {
        let rows = SchemaRow.all(of: try tree(documents(["Year": .string(text)])))
        #expect(rows.map(\.notes).contains { $0.contains("a timestamp would sort and compare") })
        #expect(FieldConversion.timestamp.convert(.string(text)) != nil)
    }

    @Test(arguments: times.indices) func `a time preserves all of its digits, or is rejected`(row: Int) {
        let (conversion, value, microseconds) = Self.times[row]
        let expected = microseconds.map { ValueBytes(.timestamp(TimestampValue(microsecondsSince1970: $0))) }
        #expect(conversion.convert(value).map { ValueBytes($0) } == expected)
    }
}
