// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import HearthBase

/// Times in the names of objects, as in `20261126T164455.123456Z`: the order of the names is that of the times.
package enum ArchiveTime {
    package static func text(_ time: DocumentVersion) -> String {
        let (days, rest) = time.microseconds.floorDivided(by: 86_400_000_000)
        let date = CivilDate(days: days)
        let (seconds, micros) = rest.floorDivided(by: 1_000_000)
        return "\(digits(date.year, 4))\(digits(date.month, 2))\(digits(date.day, 2))T"
            + "\(digits(seconds / 3_600, 2))\(digits(seconds / 60 % 60, 2))\(digits(seconds % 60, 2)).\(digits(micros, 6))Z"
    }

    /// nil for other texts.
    package static func time(_ text: some StringProtocol) -> DocumentVersion? {
        let bytes = Array(text.utf8)
        guard bytes.count == 23, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "."), bytes[22] == UInt8(ascii: "Z"),
            let year = number(bytes[0..<4]), let month = number(bytes[4..<6]), let day = number(bytes[6..<8]),
            let hour = number(bytes[9..<11]), let minute = number(bytes[11..<13]), let second = number(bytes[13..<15]),
            let micros = number(bytes[16..<22]), hour < 24, minute < 60, second < 60,
            let days = CivilDate.days(year: year, month: month, day: day)
        else { return nil }
        return DocumentVersion(microseconds: ((days * 24 + hour) * 60 + minute) * 60_000_000 + second * 1_000_000 + micros)
    }

    private static func digits(_ value: Int64, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int64(String(decoding: digits, as: UTF8.self))
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let remainder = ((self % divisor) + divisor) % divisor
        return ((self - remainder) / divisor, remainder)
    }
}
