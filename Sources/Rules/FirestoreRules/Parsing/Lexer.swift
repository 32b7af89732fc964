// SPDX-License-Identifier: Apache-2.0

/// Cuts the text of a ruleset into tokens. The parser drives it, because a slash begins a path in some places and divides in
/// others.
struct Lexer {
    let text: [UInt8]
    private(set) var position = 0

    init(_ text: [UInt8]) { self.text = text }

    /// Continues at an offset that was read before.
    mutating func move(to offset: Int) { position = offset }

    func byte(at offset: Int) -> UInt8? { offset < text.count ? text[offset] : nil }

    // MARK: Tokens

    mutating func next() throws(RulesIssue) -> Token {
        try skipBlanks()
        let start = position
        guard let first = byte(at: start) else { return Token(kind: .end, range: SourceRange(start, start), text: "") }
        if first == UInt8(ascii: "b"), let quote = byte(at: start + 1), Self.isQuote(quote) {
            try skipString(from: start + 1)
            return token(.bytes, from: start)
        }
        if Self.isNameStart(first) {
            while let byte = byte(at: position), Self.isNamePart(byte) { position += 1 }
            return token(.word, from: start)
        }
        if Self.isQuote(first) {
            try skipString(from: start)
            return token(.string, from: start)
        }
        if Self.isDigit(first) || first == UInt8(ascii: ".") && byte(at: start + 1).map(Self.isDigit) == true {
            return try number(from: start)
        }
        return try symbol(from: start)
    }

    private func token(_ kind: Token.Kind, from start: Int) -> Token {
        let hasText = kind == .word || kind == .symbol
        return Token(
            kind: kind, range: SourceRange(start, position),
            text: hasText ? String(decoding: text[start..<position], as: UTF8.self) : "")
    }

    private static let symbols: [[UInt8]] = [
        "&&", "||", "==", "!=", "<=", ">=", "{", "}", "(", ")", "[", "]", ",", ";", ":", ".", "?", "!", "<", ">", "=", "+", "-", "*", "/",
        "%", "$",
    ].map { Array($0.utf8) }

    private mutating func symbol(from start: Int) throws(RulesIssue) -> Token {
        for symbol in Self.symbols where text[start...].starts(with: symbol) {
            position = start + symbol.count
            return token(.symbol, from: start)
        }
        // The whole character, even if it takes several bytes.
        var end = start + 1
        while let byte = byte(at: end), byte & 0xC0 == 0x80 { end += 1 }
        let character = String(decoding: text[start..<end], as: UTF8.self)
        throw .error("Unexpected '\(character)'.", at: SourceRange(start, end))
    }

    // MARK: Blanks and comments (SR-1)

    private mutating func skipBlanks() throws(RulesIssue) {
        while let byte = byte(at: position) {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D, 0x0C: position += 1
            case UInt8(ascii: "/") where self.byte(at: position + 1) == UInt8(ascii: "/"):
                while let byte = self.byte(at: position), byte != 0x0A { position += 1 }
            case UInt8(ascii: "/") where self.byte(at: position + 1) == UInt8(ascii: "*"):
                try skipBlockComment()
            default: return
            }
        }
    }

    private mutating func skipBlockComment() throws(RulesIssue) {
        let start = position
        position += 2
        while let byte = byte(at: position) {
            if byte == UInt8(ascii: "*"), self.byte(at: position + 1) == UInt8(ascii: "/") {
                position += 2
                return
            }
            position += 1
        }
        throw .error("The comment is not closed: '*/' is missing.", at: SourceRange(start, start + 2))
    }

    // MARK: Literals

    /// Decimal digits, at most one point, no exponent (SR-6).
    private mutating func number(from start: Int) throws(RulesIssue) -> Token {
        var points = 0
        while let byte = byte(at: position), Self.isDigit(byte) || byte == UInt8(ascii: ".") && points == 0 {
            // `1.size()` does not exist, but `[1].size()` does, and `5.` is a number.
            if byte == UInt8(ascii: ".") { points += 1 }
            position += 1
        }
        if let byte = byte(at: position), Self.isNamePart(byte) {
            while let byte = self.byte(at: position), Self.isNamePart(byte) { position += 1 }
            let written = String(decoding: text[start..<position], as: UTF8.self)
            throw .error(
                "Unexpected '\(written)'. A number consists of decimal digits and at most one point.", at: SourceRange(start, position))
        }
        if points == 0, position - start > 1, text[start] == UInt8(ascii: "0") {
            throw .error("Integers are written without leading zeros.", at: SourceRange(start, position))
        }
        return token(points == 0 ? .integer : .float, from: start)
    }

    /// Moves past a string that begins with a quote; escapes are read by `StringLiteral`.
    private mutating func skipString(from quote: Int) throws(RulesIssue) {
        position = quote + 1
        while let byte = byte(at: position) {
            switch byte {
            case text[quote]:
                position += 1
                return
            case 0x0A, 0x0D: throw .error("The string is not closed on its line.", at: SourceRange(quote, position))
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        position = min(position, text.count)
        throw .error("The string is not closed on its line.", at: SourceRange(quote, position))
    }

    // MARK: Characters

    static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") }
    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// SR-5
    static func isNameStart(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || byte == UInt8(ascii: "_")
    }

    static func isNamePart(_ byte: UInt8) -> Bool { isNameStart(byte) || isDigit(byte) || byte == UInt8(ascii: "$") }

    /// Whether an unquoted segment of a path may contain a byte (SR-10).
    static func isPathCharacter(_ byte: UInt8) -> Bool {
        isNameStart(byte) || isDigit(byte) || "-.~%:@+&*".utf8.contains(byte)
    }
}
