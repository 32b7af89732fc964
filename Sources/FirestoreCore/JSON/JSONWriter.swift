// SPDX-License-Identifier: Apache-2.0

/// Writes JSON.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private let layout: JSON.Layout

    init(layout: JSON.Layout) { self.layout = layout }

    mutating func write(_ json: JSON, level: Int) {
        switch json {
        case .null: append("null")
        case .boolean(let flag): append(flag ? "true" : "false")
        case .number(let text): append(text)
        case .string(let text): write(text)
        case .array(let elements):
            append("[")
            for (index, element) in elements.enumerated() {
                separate(index, level: level + 1)
                write(element, level: level + 1)
            }
            close("]", isEmpty: elements.isEmpty, level: level)
        case .object(let members):
            append("{")
            for (index, member) in members.enumerated() {
                separate(index, level: level + 1)
                write(member.name)
                append(layout == .compact ? ":" : ": ")
                write(member.value, level: level + 1)
            }
            close("}", isEmpty: members.isEmpty, level: level)
        }
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
