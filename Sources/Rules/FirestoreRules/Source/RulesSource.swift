// SPDX-License-Identifier: Apache-2.0

/// The text of a ruleset, and where its lines begin.
package struct RulesSource: Sendable {
    /// The name of the file in messages, such as `firestore.rules`.
    package let name: String
    package let text: [UInt8]
    /// The offset of the first byte of each line, and the number of Unicode scalars before it.
    private let lineStarts: [(offset: Int, scalars: Int)]

    package init(_ text: some Sequence<UInt8>, name: String = "firestore.rules") {
        self.name = name
        self.text = Array(text)
        var starts = [(offset: 0, scalars: 0)]
        var scalars = 0
        for (offset, byte) in self.text.enumerated() {
            if byte & 0xC0 != 0x80 { scalars += 1 }
            if byte == UInt8(ascii: "\n") { starts.append((offset + 1, scalars)) }
        }
        lineStarts = starts
    }

    package init(_ text: String, name: String = "firestore.rules") { self.init(text.utf8, name: name) }

    /// The line and the column of an offset, both from 1. Columns count Unicode scalars, as the official tools do.
    package func position(of offset: Int) -> SourcePosition {
        let offset = min(max(offset, 0), text.count)
        let line = line(of: offset)
        return SourcePosition(line: line + 1, column: 1 + scalars(in: lineStarts[line].offset..<offset))
    }

    /// The line of an offset, from 0.
    private func line(of offset: Int) -> Int {
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle].offset <= offset { low = middle } else { high = middle }
        }
        return low
    }

    package func position(of range: SourceRange) -> SourcePosition { position(of: range.start) }

    /// The number of Unicode scalars before an offset: offsets in the emulator's JSON count them.
    func scalarOffset(of offset: Int) -> Int {
        let offset = min(max(offset, 0), text.count)
        let start = lineStarts[line(of: offset)]
        return start.scalars + scalars(in: start.offset..<offset)
    }

    private func scalars(in range: Range<Int>) -> Int {
        // Continuation bytes do not begin a scalar.
        text[range].reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }

    /// The text of a range, for messages.
    package func excerpt(_ range: SourceRange) -> String {
        let end = min(range.end, text.count)
        return String(decoding: text[min(range.start, end)..<end], as: UTF8.self)
    }
}

/// A part of a ruleset's text, in bytes.
package struct SourceRange: Sendable, Hashable {
    package var start: Int
    package var end: Int

    package init(_ start: Int, _ end: Int) {
        self.start = start
        self.end = end
    }

    func through(_ other: SourceRange) -> SourceRange { SourceRange(start, other.end) }
}

package struct SourcePosition: Sendable, Hashable, CustomStringConvertible {
    package var line: Int
    package var column: Int

    /// `L3:12`, as the official tools write it.
    package var description: String { "L\(line):\(column)" }
}
