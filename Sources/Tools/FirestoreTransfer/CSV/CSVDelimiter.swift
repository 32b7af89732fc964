// SPDX-License-Identifier: Apache-2.0

/// The separator of the cells of a row.
package enum CSVDelimiter: String, CaseIterable, Sendable {
    case comma, semicolon, tab

    /// A name, or the character itself.
    package init?(text: String) {
        let isCharacter = { (one: Self) in text.utf8.elementsEqual([one.byte]) }
        guard let found = Self(rawValue: text.lowercased()) ?? Self.allCases.first(where: isCharacter) else { return nil }
        self = found
    }

    var byte: UInt8 {
        switch self {
        case .comma: UInt8(ascii: ",")
        case .semicolon: UInt8(ascii: ";")
        case .tab: UInt8(ascii: "\t")
        }
    }

    var plural: String { self == .comma ? "commas" : rawValue + "s" }

    /// The one that a first row has most of, outside of double quotes; the comma if it has none.
    init(firstRow bytes: ArraySlice<UInt8>) {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == UInt8(ascii: "\n") { break }
            counts[byte, default: 0] += 1
        }
        var best = Self.comma
        for one in Self.allCases where counts[one.byte, default: 0] > counts[best.byte, default: 0] { best = one }
        self = best
    }
}
