// SPDX-License-Identifier: Apache-2.0

/// A condition or a part of one, as written.
struct Expression: Sendable {
    let kind: Kind
    let range: SourceRange
    /// Levels of operators, parentheses and arguments. Members and indexes of the same value add none.
    private(set) var depth: Int
    /// Levels of everything, which bounds every recursion over an expression.
    let height: Int

    init(_ kind: Kind, at range: SourceRange) {
        self.kind = kind
        self.range = range
        let children = kind.children
        var depth = children.reduce(0) { max($0, $1.depth) } + 1
        if let base = kind.base {
            depth = children.dropFirst().reduce(base.depth) { max($0, $1.depth + 1) }
        }
        self.depth = depth
        height = children.reduce(0) { max($0, $1.height) } + 1
    }

    /// Returns the expression in parentheses.
    func parenthesized() -> Expression {
        var copy = self
        copy.depth += 1
        return copy
    }

    indirect enum Kind: Sendable {
        case null
        case boolean(Bool)
        case integer(Int64)
        case float(Double)
        case string(String)
        case bytes([UInt8])
        case variable(Name)
        case not(Expression)
        case negate(Expression)
        case binary(BinaryOperator, Expression, Expression)
        case typeTest(Expression, ValueType)
        case conditional(Expression, then: Expression, otherwise: Expression)
        case member(Expression, Name)
        case index(Expression, Expression)
        case slice(Expression, from: Expression?, to: Expression?)
        case call(Name, [Expression])
        case methodCall(Expression, Name, [Expression])
        case list([Expression])
        case map([(key: Expression, value: Expression)])
        case path([PathPart])

        /// The operand of a postfix operator.
        var base: Expression? {
            switch self {
            case .member(let base, _), .index(let base, _), .slice(let base, _, _), .methodCall(let base, _, _): base
            default: nil
            }
        }

        /// The operands, in the order of evaluation.
        var children: [Expression] {
            switch self {
            case .null, .boolean, .integer, .float, .string, .bytes, .variable: []
            case .not(let operand), .negate(let operand), .typeTest(let operand, _), .member(let operand, _): [operand]
            case .binary(_, let left, let right), .index(let left, let right): [left, right]
            case .conditional(let condition, let then, let otherwise): [condition, then, otherwise]
            case .slice(let base, let from, let to): [base] + [from, to].compactMap { $0 }
            case .call(_, let arguments), .list(let arguments): arguments
            case .methodCall(let receiver, _, let arguments): [receiver] + arguments
            case .map(let entries): entries.flatMap { [$0.key, $0.value] }
            case .path(let parts):
                parts.compactMap { part in
                    if case .expression(let expression) = part { expression } else { nil }
                }
            }
        }
    }
}

/// A name and its place.
struct Name: Sendable {
    let text: String
    let range: SourceRange
}

/// A segment of a path in an expression: `/users/$(request.auth.uid)`.
enum PathPart: Sendable {
    case literal(String)
    case expression(Expression)
    /// `{name}` and `{name=**}`: a place that `bind` fills.
    case capture(String, isGlob: Bool)
}

enum BinaryOperator: String, Sendable {
    case or = "||", and = "&&", `in` = "in"
    case equal = "==", notEqual = "!="
    case less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
    case add = "+", subtract = "-", multiply = "*", divide = "/", remainder = "%"
}
