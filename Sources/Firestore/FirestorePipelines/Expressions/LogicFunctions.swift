// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Functions of conditions: they evaluate only what decides.
enum LogicFunctions {
    static let all: [FunctionDefinition] = [
        .lazy("and", arity: 1...FunctionDefinition.many) { (arguments) throws(FirestoreError) in try decide(arguments, by: false) },
        .lazy("or", arity: 1...FunctionDefinition.many) { (arguments) throws(FirestoreError) in try decide(arguments, by: true) },
        .lazy("nor", arity: 1...FunctionDefinition.many) { (arguments) throws(FirestoreError) in
            negation(of: try decide(arguments, by: true))
        },
        .values("xor", .boolean, arity: 1...FunctionDefinition.many) { arguments, _ in
            .boolean(arguments.reduce(false) { $0 != $1.isTrue })
        },
        .one("not", .boolean) { value, _ in negation(of: value) },
        .lazy("conditional", arity: 3...3, conditional),
        .lazy("switch_on", arity: 2...FunctionDefinition.many, choice),
    ]

    /// The first argument that is `deciding`; else a failure, else `null`, else the opposite.
    private static func decide(_ arguments: LazyArguments, by deciding: Bool) throws(FirestoreError) -> EvaluatedValue {
        var failure: EvaluatedValue?
        var isNull = false
        for index in 0..<arguments.count {
            let value = try arguments[index]
            if let boolean = value.boolean {
                if boolean == deciding { return .boolean(deciding) }
            } else if value.isNothing {
                isNull = true
            } else if failure == nil {
                failure = noCondition(value)
            }
        }
        return failure ?? (isNull ? .null : .boolean(!deciding))
    }

    private static func noCondition(_ value: EvaluatedValue) -> EvaluatedValue {
        value.failure == nil ? .fail("a condition is of the type \(value.type.name), not boolean") : value
    }

    private static func negation(of value: EvaluatedValue) -> EvaluatedValue { value.boolean.map { .boolean(!$0) } ?? value }

    private static func conditional(_ arguments: LazyArguments) throws(FirestoreError) -> EvaluatedValue {
        let condition = try arguments[0]
        if let boolean = condition.boolean { return try arguments[boolean ? 1 : 2] }
        if condition.isNothing { return try arguments[2] }
        return noCondition(condition)
    }

    /// Conditions and results in turns, and perhaps a last result for everything else.
    private static func choice(_ arguments: LazyArguments) throws(FirestoreError) -> EvaluatedValue {
        for index in stride(from: 0, to: arguments.count - 1, by: 2) {
            let condition = try arguments[index]
            if condition.isTrue { return try arguments[index + 1] }
            guard condition.boolean != nil || condition.isNothing else { return noCondition(condition) }
        }
        return arguments.count.isMultiple(of: 2)
            ? .fail("all switch cases evaluate to false, and no default provided") : try arguments[arguments.count - 1]
    }
}
