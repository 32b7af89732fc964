// SPDX-License-Identifier: Apache-2.0

/// The text that replaces a match: text with references to captures, in the style of Java.
///
/// `$1` is a capture, `$0` the whole match, `${name}` a capture with a name. Digits are used as long as there is such a capture, so
/// that `$10` is the first capture and a zero if there are fewer than ten. A backslash makes the next character literal. A dollar
/// sign or a backslash that is the last character is literal, and so is a dollar sign before anything else.
struct ReplacementTemplate: Sendable {
    enum Part: Hashable, Sendable {
        case text([UInt8])
        case capture(Int)
    }

    private(set) var parts: [Part] = []

    init(_ template: String, captureNames: [String?]) throws(RegularExpressionError) {
        let bytes = Array(template.utf8)
        var literal: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            guard index < bytes.count, byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "$") else {
                literal.append(byte)
                continue
            }
            if byte == UInt8(ascii: "\\") {
                literal.append(bytes[index])
                index += 1
                continue
            }
            let capture: Int
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                capture = try Self.number(bytes, &index, captureCount: captureNames.count)
            case UInt8(ascii: "{"):
                capture = try Self.name(bytes, &index, captureNames)
            default:
                literal.append(byte)
                continue
            }
            if !literal.isEmpty { parts.append(.text(literal)) }
            literal = []
            parts.append(.capture(capture))
        }
        if !literal.isEmpty { parts.append(.text(literal)) }
    }

    private static func number(_ bytes: [UInt8], _ index: inout Int, captureCount: Int) throws(RegularExpressionError) -> Int {
        var number = Int(bytes[index] - UInt8(ascii: "0"))
        index += 1
        guard number <= captureCount else { throw .invalidReplacement("the pattern has no group \(number)") }
        while index < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[index] {
            let longer = number * 10 + Int(bytes[index] - UInt8(ascii: "0"))
            if longer > captureCount { break }
            number = longer
            index += 1
        }
        return number
    }

    private static func name(_ bytes: [UInt8], _ index: inout Int, _ names: [String?]) throws(RegularExpressionError) -> Int {
        guard let end = bytes[index...].firstIndex(of: UInt8(ascii: "}")) else {
            throw .invalidReplacement("the name behind ${ does not end with }")
        }
        let name = String(decoding: bytes[index + 1..<end], as: UTF8.self)
        guard let position = names.firstIndex(of: name) else { throw .invalidReplacement("the pattern has no group named \(name)") }
        index = end + 1
        return position + 1
    }
}
