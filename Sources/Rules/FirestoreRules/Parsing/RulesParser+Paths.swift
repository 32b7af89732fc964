// SPDX-License-Identifier: Apache-2.0

/// Paths, of matches and in expressions. Their segments follow separate rules (SR-9, SR-10), so they are read from the text.
extension RulesParser {
    /// Whether a path begins at the slash that is the current token: its segment follows directly.
    var isPathStart: Bool {
        guard token.isSymbol("/"), let next = lexer.byte(at: token.range.end) else { return false }
        return Lexer.isPathCharacter(next) || next == UInt8(ascii: "{") || next == UInt8(ascii: "(")
            || next == UInt8(ascii: "$") && lexer.byte(at: token.range.end + 1) == UInt8(ascii: "(")
    }

    mutating func matchPath() throws(RulesIssue) -> [MatchSegment] {
        guard token.isSymbol("/") else { throw unexpected("a path, such as /users/{user}") }
        var segments: [MatchSegment] = []
        while token.isSymbol("/") { segments.append(try matchSegment()) }
        return segments
    }

    private mutating func matchSegment() throws(RulesIssue) -> MatchSegment {
        let slash = token.range.end
        if let literal = try literalSegment(after: slash) { return .literal(literal) }
        try advance()
        if token.isSymbol("{"), token.range.start == slash {
            try advance()
            let wildcard = try name("the name of a wildcard")
            var isGlob = false
            if try take("=") {
                guard token.isSymbol("*") else { throw unexpected("'*' or '**'") }
                isGlob = lexer.byte(at: token.range.end) == UInt8(ascii: "*")
                if isGlob { try advance() }
                try advance()
            }
            try expect("}", "after the wildcard")
            return isGlob ? .glob(wildcard) : .single(wildcard)
        }
        if token.isSymbol("("), token.range.start == slash { return .literal(try quotedSegment()) }
        throw unexpected("a segment of the path: a name, {wildcard} or {wildcard=**}")
    }

    /// The unquoted segment after a slash; nil if another kind of segment follows. Moves past it.
    private mutating func literalSegment(after slash: Int) throws(RulesIssue) -> String? {
        var end = slash
        while let byte = lexer.byte(at: end), Lexer.isPathCharacter(byte) { end += 1 }
        guard end > slash else { return nil }
        lexer.move(to: end)
        token = Token(kind: .word, range: SourceRange(slash, end), text: "")
        try advance()
        return String(decoding: lexer.text[slash..<end], as: UTF8.self)
    }

    /// `(default)`: the parentheses belong to the segment.
    private mutating func quotedSegment() throws(RulesIssue) -> String {
        let start = token.range.start
        try advance()
        guard token.kind == .word else { throw unexpected("a name in parentheses, such as (default)") }
        try advance()
        try expect(")", "after the name of the segment")
        return String(decoding: lexer.text[start..<previousEnd], as: UTF8.self)
    }

    // MARK: In expressions

    mutating func pathExpression() throws(RulesIssue) -> Expression {
        let start = token.range.start
        var parts: [PathPart] = []
        repeat { parts.append(try pathPart()) } while isPathStart
        if token.isSymbol("/"), token.range.start == previousEnd {
            throw .error("A path cannot end with a slash. Expected a segment: a name or $(expression).", at: token.range)
        }
        return try checked(.path(parts), SourceRange(start, previousEnd))
    }

    private mutating func pathPart() throws(RulesIssue) -> PathPart {
        let slash = token.range.end
        if let literal = try literalSegment(after: slash) { return .literal(literal) }
        try advance()
        guard token.range.start == slash else { throw unexpected("a segment of the path: a name or $(expression)") }
        if try take("$") {
            try expect("(", "after '$'")
            let value = try expression()
            try expect(")", "after the expression of the segment")
            return .expression(value)
        }
        if try take("{") {
            let capture = try name("the name of a capture")
            var isGlob = false
            if try take("=") {
                guard token.isSymbol("*"), lexer.byte(at: token.range.end) == UInt8(ascii: "*") else { throw unexpected("'**'") }
                try advance()
                try advance()
                isGlob = true
            }
            try expect("}", "after the capture")
            return .capture(capture.text, isGlob: isGlob)
        }
        if token.isSymbol("(") { return .literal(try quotedSegment()) }
        throw unexpected("a segment of the path: a name or $(expression)")
    }
}
