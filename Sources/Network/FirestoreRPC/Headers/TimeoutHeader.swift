// SPDX-License-Identifier: Apache-2.0

/// The value of `grpc-timeout`: up to eight digits and a unit.
enum TimeoutHeader {
    /// Returns nil if the text is not a timeout.
    static func parse(_ text: String) -> Duration? {
        var digits = Substring(text).utf8
        guard digits.count >= 2, digits.count <= 9, let unit = digits.popLast() else { return nil }
        var amount: Int64 = 0
        for digit in digits {
            guard digit >= 0x30, digit <= 0x39 else { return nil }
            amount = amount * 10 + Int64(digit - 0x30)
        }
        switch unit {
        case UInt8(ascii: "H"): return .seconds(amount * 3600)
        case UInt8(ascii: "M"): return .seconds(amount * 60)
        case UInt8(ascii: "S"): return .seconds(amount)
        case UInt8(ascii: "m"): return .milliseconds(amount)
        case UInt8(ascii: "u"): return .microseconds(amount)
        case UInt8(ascii: "n"): return .nanoseconds(amount)
        default: return nil
        }
    }

    /// Uses the finest unit in which the timeout has eight digits; at least a nanosecond.
    static func format(_ timeout: Duration) -> String {
        let (seconds, attoseconds) = timeout.components
        guard seconds >= 0, attoseconds >= 0 else { return "1n" }
        let most: Int64 = 99_999_999
        let nanoseconds = attoseconds / 1_000_000_000
        if seconds == 0, nanoseconds <= most { return "\(max(1, nanoseconds))n" }
        if seconds < 100 { return "\(min(most, seconds * 1_000_000 + nanoseconds / 1000))u" }
        if seconds < 100_000 { return "\(min(most, seconds * 1000 + nanoseconds / 1_000_000))m" }
        if seconds <= most { return "\(seconds)S" }
        return "\(min(most, seconds / 3600))H"
    }
}
