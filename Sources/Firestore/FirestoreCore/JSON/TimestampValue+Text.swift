// SPDX-License-Identifier: Apache-2.0
import HearthBase

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
        let date = CivilDate(days: days)
        Self.append(Int(date.year), 4, UInt8(ascii: "-"), to: &bytes)
        Self.append(Int(date.month), 2, UInt8(ascii: "-"), to: &bytes)
        Self.append(Int(date.day), 2, UInt8(ascii: "T"), to: &bytes)
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
}

/// Reads `2024-01-02T03:04:05.678+01:00` from left to right.
private struct TimeReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    mutating func time() -> TimestampValue? {
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
            take("T") || take("t"), let hour = number(2), take(":"), let minute = number(2), take(":"),
            let second = number(2), let fraction = fraction(), let offset = offset(), rest.isEmpty,
            let days = CivilDate.days(year: Int64(year), month: Int64(month), day: Int64(day)), hour < 24, minute < 60, second < 60
        else { return nil }
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
