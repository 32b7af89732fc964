// SPDX-License-Identifier: Apache-2.0

/// Reads the escapes of a string or bytes literal (SR-7).
struct StringLiteral {
    private let text: ArraySlice<UInt8>
    private let isBytes: Bool
    private let start: Int
    private var position: Int
    private var bytes: [UInt8] = []
    /// The first half of a surrogate pair, which the next escape may complete.
    private var highSurrogate: UInt32?

    /// - Parameter range: The literal with its quotes, without the `b` of bytes.
    private init(_ text: [UInt8], range: SourceRange, isBytes: Bool) {
        self.text = text[(range.start + 1)..<(range.end - 1)]
        self.isBytes = isBytes
        start = range.start
        position = self.text.startIndex
    }

    static func string(_ text: [UInt8], range: SourceRange) throws(RulesIssue) -> String {
        String(decoding: try content(text, range: range, isBytes: false), as: UTF8.self)
    }

    static func bytes(_ text: [UInt8], range: SourceRange) throws(RulesIssue) -> [UInt8] {
        try content(text, range: SourceRange(range.start + 1, range.end), isBytes: true)
    }

    private static func content(_ text: [UInt8], range: SourceRange, isBytes: Bool) throws(RulesIssue) -> [UInt8] {
        var literal = StringLiteral(text, range: range, isBytes: isBytes)
        while literal.position < literal.text.endIndex { try literal.readOne() }
        literal.flushSurrogate()
        return literal.bytes
    }

    private mutating func readOne() throws(RulesIssue) {
        let byte = text[position]
        position += 1
        guard byte == UInt8(ascii: "\\") else {
            flushSurrogate()
            bytes.append(byte)
            return
        }
        let escape = position < text.endIndex ? text[position] : UInt8(ascii: "\\")
        position += 1
        switch escape {
        case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): append(UInt32(escape))
        case UInt8(ascii: "n"): append(0x0A)
        case UInt8(ascii: "r"): append(0x0D)
        case UInt8(ascii: "t"): append(0x09)
        case UInt8(ascii: "b"): append(0x08)
        case UInt8(ascii: "f"): append(0x0C)
        case UInt8(ascii: "x"): append(try number(digits: 2, radix: 16))
        case UInt8(ascii: "u") where !isBytes: append(try number(digits: 4, radix: 16))
        case UInt8(ascii: "0")...UInt8(ascii: "3"):
            position -= 1
            append(try number(digits: 3, radix: 8))
        default: throw problem()
        }
    }

    private func problem() -> RulesIssue {
        let end = min(position, text.endIndex)
        var begin = max(text.startIndex, end - 1)
        while begin > text.startIndex, text[begin] != UInt8(ascii: "\\") { begin -= 1 }
        let escapes = isBytes ? "\\\\ \\' \\\" \\n \\r \\t \\b \\f \\xFF \\377" : "\\\\ \\' \\\" \\n \\r \\t \\b \\f \\u00FF \\xFF \\377"
        return .error(
            "Unknown escape in a string. Expected one of \(escapes); a backslash itself is written '\\\\'.",
            at: SourceRange(begin, end))
    }

    private mutating func number(digits: Int, radix: UInt32) throws(RulesIssue) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard position < text.endIndex, let digit = Self.digit(text[position]), digit < radix else { throw problem() }
            value = value * radix + digit
            position += 1
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    private mutating func append(_ code: UInt32) {
        if isBytes {
            bytes.append(UInt8(truncatingIfNeeded: code))
            return
        }
        if let high = highSurrogate, (0xDC00...0xDFFF).contains(code) {
            highSurrogate = nil
            appendScalar(0x10000 + (high - 0xD800) << 10 + (code - 0xDC00))
            return
        }
        flushSurrogate()
        if (0xD800...0xDBFF).contains(code) { highSurrogate = code } else { appendScalar(code) }
    }

    /// A surrogate without its other half cannot be written in UTF-8.
    private mutating func flushSurrogate() {
        guard highSurrogate != nil else { return }
        highSurrogate = nil
        appendScalar(0xFFFD)
    }

    private mutating func appendScalar(_ code: UInt32) {
        bytes.append(contentsOf: String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
    }
}
