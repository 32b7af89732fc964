// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase
import Testing

/// VAL-24: base64 and RFC 3339.
@Suite struct TextFormTests {
    @Test(arguments: [("", []), ("AA==", [0]), ("AAE=", [0, 1]), ("AAEC", [0, 1, 2]), ("+/8=", [0xFB, 0xFF])] as [(String, [UInt8])])
    func `bytes as base64`(text: String, bytes: [UInt8]) {
        #expect(Base64.encode(bytes) == text)
        #expect(Base64.decode(text) == bytes)
        #expect(Base64.decode(text.filter { $0 != "=" }) == bytes)
    }

    @Test func `the URL-safe alphabet is understood`() {
        #expect(Base64.decode("-_8=") == [0xFB, 0xFF])
        #expect(Base64.decode("-_8") == [0xFB, 0xFF])
    }

    @Test(arguments: ["A", "AAAAA", "A=A=", "=", "AA===", "A A=", "ä"])
    func `invalid base64 is rejected`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    static let times: [(text: String, seconds: Int64, nanoseconds: Int32)] = [
        ("1970-01-01T00:00:00Z", 0, 0), ("2024-02-29T12:34:56.789Z", 1_709_210_096, 789_000_000),
        ("1969-12-31T23:59:59.000001Z", -1, 1_000), ("2000-03-01T00:00:00.000000001Z", 951_868_800, 1),
        ("0001-01-01T00:00:00Z", -62_135_596_800, 0), ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999),
        ("1900-02-28T00:00:00Z", -2_203_977_600, 0),
    ]

    @Test(arguments: times)
    func `times are written with as many digits as they need, and read back`(text: String, seconds: Int64, nanoseconds: Int32) {
        let time = TimestampValue(seconds: seconds, nanoseconds: nanoseconds)
        #expect(time.text == text)
        #expect(TimestampValue(text: text) == time)
    }

    @Test func `offsets, small letters and odd numbers of digits are understood`() {
        #expect(TimestampValue(text: "1970-01-01T01:30:00+01:30") == TimestampValue(seconds: 0, nanoseconds: 0))
        #expect(TimestampValue(text: "1969-12-31t19:00:00.5-05:00") == TimestampValue(seconds: 0, nanoseconds: 500_000_000))
        #expect(TimestampValue(text: "1970-01-01T00:00:00.1234z") == TimestampValue(seconds: 0, nanoseconds: 123_400_000))
    }

    @Test(arguments: [
        "", "1970-01-01", "1970-01-01T00:00:00", "1970-13-01T00:00:00Z", "1970-00-01T00:00:00Z", "1970-02-30T00:00:00Z", "1900-02-29T00:00:00Z",
        "1970-01-01T24:00:00Z", "1970-01-01T00:60:00Z", "1970-01-01T00:00:60Z", "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00.1234567890Z",
        "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00", "1970-01-01T00:00:00+1:00", "1970-01-01 00:00:00Z", "1970-01-01T00:00:00Zx",
    ])
    func `an invalid time is rejected`(text: String) {
        #expect(TimestampValue(text: text) == nil)
    }

    @Test func `days of 800 years have texts in their order and come back`() {
        var previous = ""
        for day in stride(from: -146_097, through: 146_097, by: 5) {
            let time = TimestampValue(seconds: Int64(day) * 86_400, nanoseconds: 0)
            let text = time.text
            #expect(text > previous || previous.isEmpty)
            #expect(TimestampValue(text: text) == time)
            previous = text
        }
    }
}
