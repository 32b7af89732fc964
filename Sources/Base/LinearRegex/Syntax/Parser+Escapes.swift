// SPDX-License-Identifier: Apache-2.0

extension Parser {
    /// A backslash outside brackets.
    mutating func parseBackslash() throws(RegularExpressionError) {
        let assertion: Assertion? =
            switch peek(1) {
            case "A": .textStart
            case "z": .textEnd
            case "b": .wordBoundary
            case "B": .noWordBoundary
            default: nil
            }
        if let assertion {
            position += 2
            append(try tree.add(assertion))
        } else if peek(1) == "Q" {
            try parseQuotation()
        } else {
            var ranges: [ScalarRange] = []
            if try parseNamedClass(into: &ranges) {
                append(try tree.add(ScalarSet(ranges)))
            } else {
                try append(literal: try parseEscape())
            }
        }
    }

    /// `\Q…\E`, or to the end.
    private mutating func parseQuotation() throws(RegularExpressionError) {
        position += 2
        while let scalar = peek() {
            if scalar == "\\", peek(1) == "E" {
                position += 2
                return
            }
            position += 1
            try append(literal: scalar.value)
        }
    }

    /// `\n`, `\x41`, `\x{1F600}`, `\101`, `\.`: an escape that is one scalar, inside and outside brackets.
    mutating func parseEscape() throws(RegularExpressionError) -> UInt32 {
        let start = position
        position += 1
        guard let scalar = peek() else { throw problem(.trailingBackslash, from: start, to: position) }
        position += 1
        switch scalar {
        case "1"..."7":
            // One digit would be a backreference.
            guard let next = peek(), "0"..."7" ~= next else { break }
            return parseOctal(scalar)
        case "0": return parseOctal(scalar)
        case "x": if let value = parseHexadecimal() { return value }
        case "a": return 7
        case "f": return 12
        case "n": return 10
        case "r": return 13
        case "t": return 9
        case "v": return 11
        case "A"..."Z", "a"..."z", "8", "9": break
        default: if scalar.isASCII { return scalar.value }
        }
        throw problem(.badEscape, from: start, to: position)
    }

    /// Up to three digits, the first of which has been read.
    private mutating func parseOctal(_ first: Unicode.Scalar) -> UInt32 {
        var value = first.value - 48
        for _ in 0..<2 {
            guard let digit = peek(), "0"..."7" ~= digit else { break }
            value = value * 8 + digit.value - 48
            position += 1
        }
        return value
    }

    /// Two digits, or any number of them in braces.
    private mutating func parseHexadecimal() -> UInt32? {
        guard take("{") else {
            guard let high = parseHexDigit(), let low = parseHexDigit() else { return nil }
            return high * 16 + low
        }
        guard var value = parseHexDigit() else { return nil }
        while let digit = parseHexDigit() {
            value = value * 16 + digit
            if value > ScalarRange.maximum { return nil }
        }
        return take("}") ? value : nil
    }

    private mutating func parseHexDigit() -> UInt32? {
        guard let scalar = peek(), scalar.properties.isASCIIHexDigit else { return nil }
        position += 1
        return scalar.value <= 57 ? scalar.value - 48 : (scalar.value | 32) - 87
    }
}
