// SPDX-License-Identifier: Apache-2.0

/// Reads a JSON text token by token, strictly: RFC 8259, UTF-8 without lone surrogates.
///
/// Shared by the reader of trees (`JSON`) and the reader of documents without trees (typed JSON). Borrows the text, which has
/// to outlive it. A copy marks a position to return to.
package struct JSONScanner {
    /// A string as written in the text, without its quotes.
    package struct StringToken {
        package let start: Int
        package let count: Int
        package let hasEscapes: Bool
    }

    /// A number as written in the text.
    package struct NumberToken {
        package let start: Int
        package let count: Int
        /// Whether it has neither a decimal point nor an exponent.
        package let isWhole: Bool
    }

    package let bytes: UnsafeRawBufferPointer
    package private(set) var position = 0

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package func problem(_ what: String) -> JSONProblem { JSONProblem(what, at: position) }

    // MARK: Punctuation

    /// The first byte of the next token; nil at the end.
    package mutating func peek() -> UInt8? {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            position += 1
        }
        return nil
    }

    /// Takes a byte that is a complete token, if it is the next one.
    package mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    package mutating func word(_ word: StaticString) throws(JSONProblem) {
        let count = word.utf8CodeUnitCount
        guard position + count <= bytes.count,
            bytes[position..<(position + count)].elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: count))
        else { throw problem("a value is expected") }
        position += count
    }

    /// Checks that only whitespace is left.
    package mutating func end() throws(JSONProblem) {
        if peek() != nil { throw problem("there is more text after the end") }
    }

    // MARK: Numbers

    package mutating func number() throws(JSONProblem) -> NumberToken {
        let start = position
        var isWhole = true
        _ = takeHere(UInt8(ascii: "-"))
        if !takeHere(UInt8(ascii: "0")) { try digits() }
        if takeHere(UInt8(ascii: ".")) {
            isWhole = false
            try digits()
        }
        if takeHere(UInt8(ascii: "e")) || takeHere(UInt8(ascii: "E")) {
            isWhole = false
            if !takeHere(UInt8(ascii: "-")) { _ = takeHere(UInt8(ascii: "+")) }
            try digits()
        }
        return NumberToken(start: start, count: position - start, isWhole: isWhole)
    }

    package func text(of token: NumberToken) -> String {
        String(decoding: bytes[token.start..<(token.start + token.count)], as: UTF8.self)
    }

    private mutating func takeHere(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func digits() throws(JSONProblem) {
        let start = position
        while position < bytes.count, Self.isDigit(bytes[position]) { position += 1 }
        if position == start { throw problem("a digit is missing") }
    }

    package static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    // MARK: Strings

    /// Reads the string whose quote is next. Escapes are checked when it is decoded.
    package mutating func string() throws(JSONProblem) -> StringToken {
        let start = position + 1
        var index = start
        var hasEscapes = false
        var isASCII = true
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                position = index + 1
                let token = StringToken(start: start, count: index - start, hasEscapes: hasEscapes)
                guard isASCII || isValidUTF8(raw(token)) else {
                    throw JSONProblem("a string is not valid UTF-8", at: start)
                }
                return token
            }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                index += 1
            } else if byte < 0x20 {
                throw JSONProblem("a string contains a control character; escape it", at: index)
            } else if byte >= 0x80 {
                isASCII = false
            }
            index += 1
        }
        throw JSONProblem("a string is not terminated", at: bytes.count)
    }

    /// The bytes between the quotes: the string itself if it has no escapes.
    package func raw(_ token: StringToken) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[token.start..<(token.start + token.count)])
    }

    package func string(of token: StringToken) throws(JSONProblem) -> String {
        guard token.hasEscapes else { return String(decoding: raw(token), as: UTF8.self) }
        var text: [UInt8] = []
        try append(token, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the string with its escapes decoded.
    package func append(_ token: StringToken, to text: inout [UInt8]) throws(JSONProblem) {
        guard token.hasEscapes else { return text.append(contentsOf: raw(token)) }
        var index = token.start
        let end = token.start + token.count
        while index < end {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\\") { try appendEscape(&index, to: &text) } else { text.append(byte) }
        }
    }

    /// `index` is after the back-slash; on return it is after the escape sequence.
    private func appendEscape(_ index: inout Int, to text: inout [UInt8]) throws(JSONProblem) {
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: UTF8.encode(try scalar(&index)) ?? .init())
        default: throw JSONProblem("an escape sequence is unknown", at: index - 1)
        }
    }

    /// The character of `\u0000`, or of a surrogate pair (VAL-26: half a pair is an error).
    private func scalar(_ index: inout Int) throws(JSONProblem) -> Unicode.Scalar {
        let first = try codeUnit(&index)
        if UTF16.isLeadSurrogate(first), index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        {
            index += 2
            let second = try codeUnit(&index)
            if UTF16.isTrailSurrogate(second) {
                let offset = UInt32(first - 0xD800) << 10 | UInt32(second - 0xDC00)
                if let scalar = Unicode.Scalar(0x10000 + offset) { return scalar }
            }
        } else if let scalar = Unicode.Scalar(first) {
            return scalar
        }
        throw JSONProblem("an escape sequence is half of a surrogate pair", at: index)
    }

    private func codeUnit(_ index: inout Int) throws(JSONProblem) -> UInt16 {
        guard index + 4 <= bytes.count else { throw JSONProblem("an escape sequence is incomplete", at: index) }
        var unit: UInt16 = 0
        for byte in bytes[index..<(index + 4)] {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
                throw JSONProblem("an escape sequence needs four hex digits", at: index)
            }
            unit = unit << 4 | UInt16(digit)
        }
        index += 4
        return unit
    }

    // MARK: Whole values

    /// Skips one value of any kind, nested at most `levels` deep.
    package mutating func skipValue(levels: Int) throws(JSONProblem) {
        guard levels > 0 else { throw problem("the values are nested too deeply") }
        switch peek() {
        case UInt8(ascii: "{"):
            position += 1
            if take(UInt8(ascii: "}")) { return }
            repeat {
                _ = try name()
                try skipValue(levels: levels - 1)
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "}")) else { throw problem("a comma or a brace is missing") }
        case UInt8(ascii: "["):
            position += 1
            if take(UInt8(ascii: "]")) { return }
            repeat { try skipValue(levels: levels - 1) } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "]")) else { throw problem("a comma or a bracket is missing") }
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): _ = try number()
        case nil: throw problem("the text ends where a value is expected")
        default: throw problem("a value is expected")
        }
    }

    /// Reads the name of a member and the colon after it.
    package mutating func name() throws(JSONProblem) -> StringToken {
        guard peek() == UInt8(ascii: "\"") else { throw problem("a name in quotes is missing") }
        let token = try string()
        guard take(UInt8(ascii: ":")) else { throw problem("a colon is missing") }
        return token
    }
}

/// An error in a JSON text, and the byte at which it is.
package struct JSONProblem: Error {
    package let what: String
    package let position: Int
    /// The names and indices that lead to the value, from the inside out, where a reader has added them.
    package private(set) var steps: [DocumentViolation.Step] = []

    package init(_ what: String, at position: Int) {
        self.what = what
        self.position = position
    }

    package func inside(_ step: DocumentViolation.Step) -> JSONProblem {
        var copy = self
        copy.steps.append(step)
        return copy
    }
}
