// SPDX-License-Identifier: Apache-2.0

/// Times as text: RFC 3339, written in UTC with 0, 3, 6 or 9 digits after the point (VAL-24).
extension TimestampValue {
    /// `2024-01-02T03:04:05.678Z`; only for valid times.
    package var text: String {
        var bytes: [UInt8] = []
        appendText(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text in ASCII.
    package func appendText(to bytes: inout [UInt8]) {
        let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let rest = Int(seconds - days * 86_400)
        let (year, month, day) = Self.civil(days)
        Self.append(year, 4, UInt8(ascii: "-"), to: &bytes)
        Self.append(month, 2, UInt8(ascii: "-"), to: &bytes)
        Self.append(day, 2, UInt8(ascii: "T"), to: &bytes)
        Self.append(rest / 3_600, 2, UInt8(ascii: ":"), to: &bytes)
        Self.append(rest / 60 % 60, 2, UInt8(ascii: ":"), to: &bytes)
        Self.append(rest % 60, 2, to: &bytes)
        let nanoseconds = Int(nanoseconds)
        if nanoseconds != 0 { bytes.append(UInt8(ascii: ".")) }
        if nanoseconds % 1_000 != 0 {
            Self.append(nanoseconds, 9, to: &bytes)
        } else if nanoseconds % 1_000_000 != 0 {
            Self.append(nanoseconds / 1_000, 6, to: &bytes)
        } else if nanoseconds != 0 {
            Self.append(nanoseconds / 1_000_000, 3, to: &bytes)
        }
        bytes.append(UInt8(ascii: "Z"))
    }

    /// nil if the text is not an RFC 3339 time, or lies outside the years 1 to 9999.
    package init?(text: String) {
        var reader = TimeReader(text)
        guard let value = reader.time(), value.isValid else { return nil }
        self = value
    }

    /// Also dates, and times in other common spellings: `2026-11-21` (midnight), `2026/11/21`, a blank in place of `T`, without seconds,
    /// without a zone (UTC), and zones without a colon (`+0100`).
    package init?(dateOrTime text: String) {
        var bytes = Array(text.utf8)
        guard (10...40).contains(bytes.count) else { return nil }
        if bytes[4] == UInt8(ascii: "/"), bytes[7] == UInt8(ascii: "/") { (bytes[4], bytes[7]) = (UInt8(ascii: "-"), UInt8(ascii: "-")) }
        if bytes.count == 10 {
            bytes += Array("T00:00:00Z".utf8)
        } else {
            if bytes[10] == UInt8(ascii: " ") { bytes[10] = UInt8(ascii: "T") }
            guard bytes.count >= 16 else { return nil }
            if bytes.count == 16 || bytes[16] != UInt8(ascii: ":") { bytes.insert(contentsOf: ":00".utf8, at: 16) }
            Self.completeZone(of: &bytes)
        }
        self.init(text: String(decoding: bytes, as: UTF8.self))
    }

    private static func completeZone(of bytes: inout [UInt8]) {
        switch bytes.dropFirst(19).lastIndex(where: { "Zz+-".utf8.contains($0) }) {
        case nil: bytes.append(UInt8(ascii: "Z"))
        case let sign? where bytes.count - sign == 5: bytes.insert(UInt8(ascii: ":"), at: sign + 3)
        case _?: break
        }
    }

    /// With zeros in front, up to so many digits, and a character behind.
    private static func append(_ number: Int, _ count: Int, _ end: UInt8? = nil, to bytes: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<count { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
        if let end { bytes.append(end) }
    }

    // Days since 1970 and dates of the Gregorian calendar, counted in eras of 400 years that begin in March.

    private static func civil(_ days: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = Int(days) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }

    fileprivate static func days(year: Int, month: Int, day: Int) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468)
    }

    fileprivate static func daysOfMonth(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// Reads `2024-01-02T03:04:05.678+01:00` from left to right.
private struct TimeReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    mutating func time() -> TimestampValue? {
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
            take("T") || take("t"), let hour = number(2), take(":"), let minute = number(2), take(":"),
            let second = number(2), let fraction = fraction(), let offset = offset(), rest.isEmpty,
            year > 0, (1...12).contains(month), day >= 1, day <= TimestampValue.daysOfMonth(month, year),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let days = TimestampValue.days(year: year, month: month, day: day)
        let seconds = days * 86_400 + Int64(hour * 3_600 + minute * 60 + second - offset)
        return TimestampValue(seconds: seconds, nanoseconds: fraction)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func number(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        rest = rest.dropFirst(count)
        return Int(Substring(digits))
    }

    /// Nanoseconds: one to nine digits after a decimal point, or nothing.
    private mutating func fraction() -> Int32? {
        guard take(".") else { return 0 }
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...9).contains(digits.count), let number = Int32(Substring(digits)) else { return nil }
        rest = rest.dropFirst(digits.count)
        return (digits.count..<9).reduce(number) { number, _ in number * 10 }
    }

    /// Seconds east of Greenwich.
    private mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0, let hours = number(2), take(":"), let minutes = number(2), hours < 24, minutes < 60 else {
            return nil
        }
        return sign * (hours * 3_600 + minutes * 60)
    }
}
