// SPDX-License-Identifier: Apache-2.0

/// Reads the text of a ruleset into its syntax. Stops at the first error and reports the expected symbol.
///
/// A descent over the grammar with one token of look-ahead. Nesting is bounded, so that no text exhausts the stack.
struct RulesParser {
    var lexer: Lexer
    var token: Token
    /// The end of the token before the current one.
    var previousEnd = 0
    /// Levels of expressions that are being read.
    var nesting = 0

    static func parse(_ source: RulesSource) throws(RulesIssue) -> RulesetSyntax {
        guard source.text.count <= RulesLimits.textBytes else {
            throw .error("The ruleset is larger than \(RulesLimits.textBytes / 1024) KiB.", at: nil)
        }
        if let offset = invalidUTF8(in: source.text) {
            throw .error("The ruleset is not valid UTF-8.", at: SourceRange(offset, offset + 1))
        }
        var lexer = Lexer(source.text)
        let first = try lexer.next()
        var parser = RulesParser(lexer: lexer, token: first)
        return try parser.ruleset()
    }

    private static func invalidUTF8(in text: [UInt8]) -> Int? {
        var parser = Unicode.UTF8.ForwardParser()
        var bytes = text.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &bytes) {
            case .valid(let scalar): offset += scalar.count
            case .error: return offset
            case .emptyInput: return nil
            }
        }
    }

    // MARK: Tokens

    mutating func advance() throws(RulesIssue) {
        previousEnd = token.range.end
        token = try lexer.next()
    }

    mutating func take(_ symbol: String) throws(RulesIssue) -> Bool {
        guard token.isSymbol(symbol) else { return false }
        try advance()
        return true
    }

    mutating func takeWord(_ word: String) throws(RulesIssue) -> Bool {
        guard token.isWord(word) else { return false }
        try advance()
        return true
    }

    mutating func expect(_ symbol: String, _ where: String) throws(RulesIssue) {
        guard try take(symbol) else { throw unexpected("'\(symbol)' \(`where`)") }
    }

    /// The issue that names the current token and the expected one.
    func unexpected(_ expected: String) -> RulesIssue {
        let range = token.range
        let what =
            switch token.kind {
            case .end: "Unexpected end of the ruleset."
            default: "Unexpected '\(String(decoding: lexer.text[range.start..<range.end].prefix(40), as: UTF8.self))'."
            }
        return .error("\(what) Expected \(expected).", at: range)
    }

    /// A name that is not reserved.
    mutating func name(_ what: String) throws(RulesIssue) -> Name {
        guard token.kind == .word else { throw unexpected(what) }
        guard !ReservedWords.all.contains(token.text) else {
            throw .error("Unexpected '\(token.text)'. It is a reserved word; expected \(what).", at: token.range)
        }
        let name = Name(text: token.text, range: token.range)
        try advance()
        return name
    }

    // MARK: Ruleset and services

    private mutating func ruleset() throws(RulesIssue) -> RulesetSyntax {
        guard token.kind != .end else { throw .error("Rules content empty.", at: token.range) }
        var ruleset = RulesetSyntax()
        if token.isWord("rules_version") { ruleset.version = try version() }
        while token.kind != .end {
            if token.isWord("function") {
                ruleset.functions.append(try function())
            } else if token.isWord("service") {
                ruleset.services.append(try service())
            } else if token.isWord("rules_version") {
                throw .error("'rules_version' must be the first statement.", at: token.range)
            } else if token.isWord("import") {
                throw .error("Unexpected 'import'. Imports are not supported.", at: token.range)
            } else {
                throw unexpected("'service' or 'function'")
            }
        }
        guard !ruleset.services.isEmpty else { throw unexpected("'service'") }
        return ruleset
    }

    private mutating func version() throws(RulesIssue) -> Int {
        try advance()
        try expect("=", "after 'rules_version'")
        let literal = token
        guard literal.kind == .string else { throw unexpected("'1' or '2' in quotes") }
        let text = try StringLiteral.string(lexer.text, range: literal.range)
        try advance()
        _ = try take(";")
        guard let version = Int(text), version == 1 || version == 2, text == String(version) else {
            throw .error("Unsupported rules version \(text). Expected '1' or '2'.", at: literal.range)
        }
        return version
    }

    private mutating func service() throws(RulesIssue) -> ServiceSyntax {
        try advance()
        let first = try name("the name of a service, such as cloud.firestore")
        var text = first.text
        while try take(".") { text += "." + (try name("a part of the service's name")).text }
        var service = ServiceSyntax(name: Name(text: text, range: SourceRange(first.range.start, previousEnd)))
        try expect("{", "after the name of the service")
        repeat {
            if token.isWord("function") {
                service.functions.append(try function())
            } else if token.isWord("match") {
                service.matches.append(try match(level: 1))
            } else {
                throw unexpected("'match' or 'function'")
            }
        } while !token.isSymbol("}")
        try advance()
        return service
    }

    // MARK: Matches

    private mutating func match(level: Int) throws(RulesIssue) -> MatchSyntax {
        let start = token.range.start
        guard level <= RulesLimits.matchDepth else {
            throw .error("Maximum allowed resource rule depth of 10 is reached.", at: token.range)
        }
        try advance()
        let pathStart = token.range.start
        let path = try matchPath()
        let pathRange = SourceRange(pathStart, previousEnd)
        try expect("{", "after the path of the match")
        var functions: [FunctionSyntax] = []
        var statements: [MatchSyntax.Statement] = []
        repeat {
            if token.isWord("function") {
                functions.append(try function())
            } else if token.isWord("match") {
                statements.append(.match(try match(level: level + 1)))
            } else if token.isWord("allow") {
                statements.append(.allow(try allow()))
            } else if token.isSymbol("/") {
                throw .error("Missing 'match' keyword before path.", at: token.range)
            } else {
                throw unexpected("'allow', 'match' or 'function'")
            }
        } while !token.isSymbol("}")
        try advance()
        return MatchSyntax(
            range: SourceRange(start, previousEnd), pathRange: pathRange, path: path, functions: functions, statements: statements)
    }

    private mutating func allow() throws(RulesIssue) -> AllowSyntax {
        let start = token.range.start
        try advance()
        var methods: [Name] = []
        repeat {
            methods.append(try name("a method: read, write, get, list, create, update or delete"))
        } while try take(",")
        var condition: Expression?
        if try take(":") {
            guard token.isWord("if") else { throw .error("Missing 'if' before the condition.", at: token.range) }
            try advance()
            condition = try expression()
        } else if token.isWord("if") {
            throw .error("Missing ':' before 'if'.", at: token.range)
        }
        _ = try take(";")
        return AllowSyntax(range: SourceRange(start, previousEnd), methods: methods, condition: condition)
    }

    // MARK: Functions

    private mutating func function() throws(RulesIssue) -> FunctionSyntax {
        try advance()
        let functionName = try name("the name of the function")
        try expect("(", "after the name of the function")
        var parameters: [Name] = []
        if !token.isSymbol(")") {
            repeat { parameters.append(try name("the name of a parameter")) } while try take(",")
        }
        try expect(")", "after the parameters")
        try expect("{", "before the body of the function")
        var variables: [(name: Name, value: Expression)] = []
        while try takeWord("let") {
            let variable = try name("the name of a variable")
            try expect("=", "after the name of the variable")
            let value = try expression()
            try expect(";", "after the value of the variable")
            variables.append((variable, value))
        }
        guard try takeWord("return") else { throw unexpected("'let' or 'return'") }
        let result = try expression()
        _ = try take(";")
        try expect("}", "after the result of the function: its body consists of 'let' statements and one 'return'")
        return FunctionSyntax(name: functionName, parameters: parameters, variables: variables, result: result)
    }
}
