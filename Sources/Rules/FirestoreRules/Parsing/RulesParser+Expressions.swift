// SPDX-License-Identifier: Apache-2.0

/// Expressions, by precedence climbing (SR-13).
extension RulesParser {
    /// From loose to tight. Ternaries are looser than all of these, unary and postfix operators tighter.
    private enum Precedence {
        static let or = 1, and = 2, membership = 3, typeTest = 4, equality = 5, comparison = 6, sum = 7, product = 8
    }

    private static let binaryOperators: [String: (BinaryOperator, precedence: Int)] = [
        "||": (.or, Precedence.or), "&&": (.and, Precedence.and), "in": (.in, Precedence.membership),
        "==": (.equal, Precedence.equality), "!=": (.notEqual, Precedence.equality),
        "<": (.less, Precedence.comparison), "<=": (.lessOrEqual, Precedence.comparison),
        ">": (.greater, Precedence.comparison), ">=": (.greaterOrEqual, Precedence.comparison),
        "+": (.add, Precedence.sum), "-": (.subtract, Precedence.sum),
        "*": (.multiply, Precedence.product), "/": (.divide, Precedence.product), "%": (.remainder, Precedence.product),
    ]

    private static let tooComplex = "Expression is too complex to evaluate safely."

    /// An expression whose depth is within the limit.
    func checked(_ kind: Expression.Kind, _ range: SourceRange) throws(RulesIssue) -> Expression {
        let expression = Expression(kind, at: range)
        guard expression.depth <= RulesLimits.expressionDepth, expression.height <= RulesLimits.expressionHeight else {
            throw .error(Self.tooComplex, at: range)
        }
        return expression
    }

    mutating func expression() throws(RulesIssue) -> Expression {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= RulesLimits.expressionDepth else { throw .error(Self.tooComplex, at: token.range) }
        let condition = try operation(atLeast: Precedence.or)
        guard try take("?") else { return condition }
        let then = try expression()
        try expect(":", "between the two results of '?'")
        let otherwise = try expression()
        return try checked(
            .conditional(condition, then: then, otherwise: otherwise), condition.range.through(otherwise.range))
    }

    private mutating func operation(atLeast minimum: Int) throws(RulesIssue) -> Expression {
        var left = try unary()
        while true {
            if minimum <= Precedence.typeTest, token.isWord("is") {
                left = try typeTest(left)
                continue
            }
            guard token.kind == .symbol || token.isWord("in"), let (op, precedence) = Self.binaryOperators[token.text],
                precedence >= minimum
            else { return left }
            if op == .subtract { try rejectDoubleMinus() }
            if op == .divide, isPathStart { throw .error("Missing 'match' keyword before path.", at: token.range) }
            try advance()
            let right = try rightOperand(atLeast: precedence + 1)
            left = try checked(.binary(op, left, right), left.range.through(right.range))
        }
    }

    private mutating func rightOperand(atLeast minimum: Int) throws(RulesIssue) -> Expression {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= RulesLimits.expressionDepth else { throw .error(Self.tooComplex, at: token.range) }
        return try operation(atLeast: minimum)
    }

    private mutating func typeTest(_ operand: Expression) throws(RulesIssue) -> Expression {
        try advance()
        let names = ValueType.allCases.filter(\.isName).map(\.rawValue)
        guard token.kind == .word, let type = ValueType(rawValue: token.text), type.isName else {
            throw unexpected("the name of a type: \(names.joined(separator: ", "))")
        }
        let range = operand.range.through(token.range)
        try advance()
        return try checked(.typeTest(operand, type), range)
    }

    // MARK: Unary and postfix

    private mutating func unary() throws(RulesIssue) -> Expression {
        var operators: [Token] = []
        while token.isSymbol("!") || token.isSymbol("-") {
            try rejectDoubleMinus()
            operators.append(token)
            guard operators.count <= RulesLimits.expressionDepth else { throw .error(Self.tooComplex, at: token.range) }
            try advance()
        }
        var operand: Expression
        if let sign = operators.last, sign.isSymbol("-"), token.kind == .integer, let lowest = lowestInteger {
            // The only integer whose sign cannot be applied afterwards (SR-6).
            operators.removeLast()
            operand = Expression(.integer(lowest), at: sign.range.through(token.range))
            try advance()
        } else {
            operand = try postfix()
        }
        for sign in operators.reversed() {
            operand = try checked(sign.isSymbol("!") ? .not(operand) : .negate(operand), sign.range.through(operand.range))
        }
        return operand
    }

    /// `--` is not two operators.
    private func rejectDoubleMinus() throws(RulesIssue) {
        guard token.isSymbol("-"), lexer.byte(at: token.range.end) == UInt8(ascii: "-") else { return }
        throw .error("Unexpected '--'. Expected a value; put a blank between two signs.", at: token.range)
    }

    private var lowestInteger: Int64? {
        lexer.text[token.range.start..<token.range.end].elementsEqual("9223372036854775808".utf8) ? Int64.min : nil
    }

    private mutating func postfix() throws(RulesIssue) -> Expression {
        var base = try primary()
        while true {
            if try take(".") {
                let member = try memberName()
                if try take("(") {
                    let arguments = try arguments()
                    base = try checked(.methodCall(base, member, arguments), base.range.through(SourceRange(0, previousEnd)))
                } else {
                    base = try checked(.member(base, member), base.range.through(member.range))
                }
            } else if try take("[") {
                base = try subscripted(base)
            } else {
                return base
            }
        }
    }

    /// A name after a point. Reserved words are not names there either.
    private mutating func memberName() throws(RulesIssue) -> Name { try name("the name of a field or method") }

    private mutating func subscripted(_ base: Expression) throws(RulesIssue) -> Expression {
        func range() -> SourceRange { SourceRange(base.range.start, previousEnd) }
        if try take(":") {
            let to = token.isSymbol("]") ? nil : try expression()
            try expect("]", "after the range")
            return try checked(.slice(base, from: nil, to: to), range())
        }
        let first = try expression()
        if try take(":") {
            let to = token.isSymbol("]") ? nil : try expression()
            try expect("]", "after the range")
            return try checked(.slice(base, from: first, to: to), range())
        }
        try expect("]", "after the index")
        return try checked(.index(base, first), range())
    }

    private mutating func arguments() throws(RulesIssue) -> [Expression] {
        var arguments: [Expression] = []
        while !token.isSymbol(")") {
            arguments.append(try expression())
            guard try take(",") else { break }
        }
        try expect(")", "after the arguments")
        return arguments
    }

    // MARK: Primary

    private mutating func primary() throws(RulesIssue) -> Expression {
        let start = token
        switch start.kind {
        case .integer:
            guard let value = Int64(text(of: start)) else {
                throw .error("Integer value is out of the [\(Int64.min), \(Int64.max)] range.", at: start.range)
            }
            try advance()
            return Expression(.integer(value), at: start.range)
        case .float:
            let value = Double("0" + text(of: start) + "0") ?? .nan
            try advance()
            return Expression(.float(value), at: start.range)
        case .string:
            let value = try StringLiteral.string(lexer.text, range: start.range)
            try advance()
            return Expression(.string(value), at: start.range)
        case .bytes:
            let value = try StringLiteral.bytes(lexer.text, range: start.range)
            try advance()
            return Expression(.bytes(value), at: start.range)
        case .word: return try word(start)
        case .symbol: return try bracketed(start)
        case .end: throw unexpected("an expression")
        }
    }

    private func text(of token: Token) -> String { String(decoding: lexer.text[token.range.start..<token.range.end], as: UTF8.self) }

    private mutating func word(_ start: Token) throws(RulesIssue) -> Expression {
        switch start.text {
        case "true", "false":
            try advance()
            return Expression(.boolean(start.text == "true"), at: start.range)
        case "null":
            try advance()
            return Expression(.null, at: start.range)
        default:
            let name = try name("an expression")
            guard try take("(") else { return Expression(.variable(name), at: start.range) }
            let arguments = try arguments()
            return try checked(.call(name, arguments), SourceRange(start.range.start, previousEnd))
        }
    }

    private mutating func bracketed(_ start: Token) throws(RulesIssue) -> Expression {
        switch start.text {
        case "(":
            try advance()
            let inner = try expression()
            try expect(")", "after the expression")
            guard inner.depth < RulesLimits.expressionDepth else { throw .error(Self.tooComplex, at: start.range) }
            return inner.parenthesized()
        case "[":
            try advance()
            var elements: [Expression] = []
            while !token.isSymbol("]") {
                elements.append(try expression())
                guard try take(",") else { break }
            }
            try expect("]", "after the elements of the list")
            return try checked(.list(elements), SourceRange(start.range.start, previousEnd))
        case "{": return try mapLiteral(start)
        case "/" where isPathStart: return try pathExpression()
        default: throw unexpected("an expression")
        }
    }

    private mutating func mapLiteral(_ start: Token) throws(RulesIssue) -> Expression {
        try advance()
        var entries: [(key: Expression, value: Expression)] = []
        while !token.isSymbol("}") {
            let key = try expression()
            try expect(":", "between key and value")
            entries.append((key, try expression()))
            guard try take(",") else { break }
        }
        try expect("}", "after the entries of the map")
        return try checked(.map(entries), SourceRange(start.range.start, previousEnd))
    }
}
