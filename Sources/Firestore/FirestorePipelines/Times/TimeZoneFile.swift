// SPDX-License-Identifier: Apache-2.0

/// Reads a file of the time zone database (TZif, RFC 8536).
struct TimeZoneFile {
    private static let headerCount = 44

    private struct Header {
        let version: UInt8
        /// Numbers of: indicators of UTC and of standard time, leap seconds, transitions, types, characters of names.
        let counts: [Int]

        /// The size of the data behind it, whose times take so many bytes.
        func size(timeWidth: Int) -> Int {
            counts[3] * (timeWidth + 1) + counts[4] * 6 + counts[5] + counts[2] * (timeWidth + 4) + counts[1] + counts[0]
        }
    }

    private let bytes: [UInt8]

    /// nil for a file that is damaged, or counts leap seconds.
    static func rules(_ bytes: [UInt8]) -> TimeZoneRules? { TimeZoneFile(bytes: bytes).rules() }

    private func rules() -> TimeZoneRules? {
        guard let first = header(at: 0) else { return nil }
        // The first block has times of 32 bits. Since version 2 one with 64 bits follows.
        guard first.version >= UInt8(ascii: "2") else { return rules(first, at: Self.headerCount, timeWidth: 4, footer: nil) }
        let start = Self.headerCount + first.size(timeWidth: 4)
        guard let second = header(at: start) else { return nil }
        let end = start + Self.headerCount + second.size(timeWidth: 8)
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\n"), let last = bytes.lastIndex(of: UInt8(ascii: "\n")), last > end else {
            return nil
        }
        return rules(second, at: start + Self.headerCount, timeWidth: 8, footer: bytes[(end + 1)..<last])
    }

    private func header(at start: Int) -> Header? {
        guard start + Self.headerCount <= bytes.count, bytes[start...].starts(with: "TZif".utf8) else { return nil }
        let counts = (0..<6).map { Int(number(at: start + 20 + $0 * 4, width: 4)) }
        guard counts.allSatisfy({ $0 >= 0 && $0 < 1 << 20 }), counts[4] > 0, counts[2] == 0 else { return nil }
        return Header(version: bytes[start + 4], counts: counts)
    }

    private func rules(_ header: Header, at start: Int, timeWidth: Int, footer: ArraySlice<UInt8>?) -> TimeZoneRules? {
        guard start + header.size(timeWidth: timeWidth) <= bytes.count else { return nil }
        let (transitionCount, typeCount) = (header.counts[3], header.counts[4])
        let indexes = start + transitionCount * timeWidth
        let types = indexes + transitionCount
        func offset(ofType type: Int) -> Int64 { number(at: types + type * 6, width: 4) }
        var transitions: [Int64] = []
        var offsets: [Int64] = []
        for index in 0..<transitionCount {
            let type = Int(bytes[indexes + index])
            guard type < typeCount else { return nil }
            transitions.append(number(at: start + index * timeWidth, width: timeWidth))
            offsets.append(offset(ofType: type))
        }
        guard zip(transitions, transitions.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
        var later: RecurringOffsets?
        if let footer, !footer.isEmpty {
            guard let recurring = RecurringOffsets(footer) else { return nil }
            later = recurring
        }
        return TimeZoneRules(initial: offset(ofType: 0), transitions: transitions, offsets: offsets, later: later)
    }

    /// A signed number, the highest byte first.
    private func number(at start: Int, width: Int) -> Int64 {
        let value = bytes[start..<(start + width)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return width == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
    }
}
