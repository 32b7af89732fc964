// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The header `Retry-After`: seconds, or a date of HTTP.
enum RetryAfter {
    /// A receiver cannot ask for more.
    private static let longest = 86_400.0

    /// nil for a text that is neither. `now`: in microseconds since 1970.
    static func duration(_ text: String, now: Int64) -> Duration? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let seconds = UInt64(text) { return .seconds(min(Double(seconds), longest)) }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        guard let date = format.date(from: text) else { return nil }
        return .seconds(min(max(date.timeIntervalSince1970 - Double(now) / 1_000_000, 0), longest))
    }
}
