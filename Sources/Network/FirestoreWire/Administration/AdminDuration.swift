// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A `google.protobuf.Duration` as JSON writes it: `604800s`, `1.5s`.
package struct AdminDuration: Sendable, Equatable {
    package let seconds: Int64
    package let nanoseconds: Int32

    package init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// nil if the text is not a duration, or exceeds 10,000 years.
    package init?(text: String) {
        guard text.utf8.last == UInt8(ascii: "s") else { return nil }
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let parts = text.dropLast().dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = Self.digits(parts[0], upTo: 12), whole <= 315_576_000_000 else { return nil }
        var fraction: Int64 = 0
        if parts.count == 2 {
            guard let digits = Self.digits(parts[1], upTo: 9) else { return nil }
            fraction = (parts[1].utf8.count..<9).reduce(digits) { number, _ in number * 10 }
        }
        seconds = isNegative ? -whole : whole
        nanoseconds = Int32(isNegative ? -fraction : fraction)
    }

    private static func digits(_ text: Substring, upTo count: Int) -> Int64? {
        guard (1...count).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }

    package var text: String {
        // The fraction as in times, with 0, 3, 6 or 9 digits.
        let fraction = TimestampValue(seconds: 0, nanoseconds: abs(nanoseconds)).text.dropFirst("1970-01-01T00:00:00".count).dropLast()
        return (seconds < 0 || nanoseconds < 0 ? "-" : "") + "\(seconds.magnitude)\(fraction)s"
    }
}
