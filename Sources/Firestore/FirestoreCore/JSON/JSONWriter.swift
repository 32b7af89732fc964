// SPDX-License-Identifier: Apache-2.0

/// Writes JSON.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private let layout: JSON.Layout

    init(layout: JSON.Layout) { self.layout = layout }

    /// Calls itself for each level: indices in place of iterators keep its frame small.
    mutating func write(_ json: JSON, level: Int) {
        switch json {
        case .null: append("null")
        case .boolean(let flag): append(flag ? "true" : "false")
        case .number(let text): append(text)
        case .string(let text): write(text)
        case .array(let elements):
            append("[")
            for index in elements.indices {
                separate(index, level: level + 1)
                write(elements[index], level: level + 1)
            }
            close("]", isEmpty: elements.isEmpty, level: level)
        case .object(let members):
            append("{")
            for index in members.indices {
                separate(index, level: level + 1)
                begin(members[index].name)
                write(members[index].value, level: level + 1)
            }
            close("}", isEmpty: members.isEmpty, level: level)
        }
    }

    private mutating func begin(_ name: String) {
        write(name)
        append(layout == .compact ? ":" : ": ")
    }

    private mutating func separate(_ index: Int, level: Int) {
        if index > 0 { append(layout == .spaced ? ", " : ",") }
        newLine(level)
    }

    private mutating func close(_ bracket: String, isEmpty: Bool, level: Int) {
        if !isEmpty { newLine(level) }
        append(bracket)
    }

    private mutating func newLine(_ level: Int) {
        if layout == .indented { append("\n" + String(repeating: "  ", count: level)) }
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\\"): append("\\\\")
            case 0x0A: append("\\n")
            case 0x0D: append("\\r")
            case 0x09: append("\\t")
            case 0..<0x20: append("\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
