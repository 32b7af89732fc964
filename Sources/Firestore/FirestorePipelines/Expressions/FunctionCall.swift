// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A function and its arguments. An object: an expression is passed on for every row, and a function has several parts to retain.
final class FunctionCall: Sendable {
    let function: FunctionDefinition
    let arguments: [Expression]
    /// The first two arguments, and the types that the function takes there.
    private let first: Expression
    private let second: Expression
    private let firstType: ValueTypes
    private let secondType: ValueTypes

    init(_ function: FunctionDefinition, _ arguments: [Expression]) {
        (self.function, self.arguments) = (function, arguments)
        (first, second) = (arguments.first ?? .absent, arguments.dropFirst().first ?? .absent)
        firstType = function.parameters.first ?? .any
        secondType = function.parameters.dropFirst().first ?? firstType
    }

    func evaluate(_ row: Row, _ execution: Execution) throws(FirestoreError) -> EvaluatedValue {
        switch function.body {
        case .lazy(let body): return try body(LazyArguments(expressions: arguments, row: row, execution: execution))
        case .one(let body):
            let value = try first.evaluate(row, execution)
            if let result = substitute(for: value, at: 0) { return result }
            try execution.step(over: value)
            var hold = ValueHold(execution)
            try hold.add(value)
            return try made(try body(value, execution), execution)
        case .two(let body):
            let first = try self.first.evaluate(row, execution)
            let early = substitute(for: first, at: 0)
            if let early, early.failure != nil { return early }
            var hold = ValueHold(execution)
            try hold.add(first)
            let second = try self.second.evaluate(row, execution)
            // A failure of the second argument comes before `null` of the first.
            if let result = substitute(for: second, at: 1) { return result }
            if let early { return early }
            try execution.step(over: first)
            try execution.step(over: second)
            try hold.add(second)
            return try made(try body(first, second, execution), execution)
        case .fold(let body): return try fold(row, execution, body)
        case .values(let body):
            var values: [EvaluatedValue] = []
            values.reserveCapacity(arguments.count)
            var hold = ValueHold(execution)
            var isNull = false
            for (index, argument) in arguments.enumerated() {
                let value = try argument.evaluate(row, execution)
                if let result = substitute(for: value, at: index) {
                    if result.failure != nil { return result }
                    isNull = true
                }
                try execution.step(over: value)
                try hold.add(value)
                values.append(value)
            }
            return isNull ? .null : try made(try body(values, execution), execution)
        }
    }

    /// A value that was made of others, which are there as long as it is made: functions that make much of little look before they do.
    @inline(__always)
    private func made(_ value: EvaluatedValue, _ execution: Execution) throws(FirestoreError) -> EvaluatedValue {
        if value.ownedBytes >= ValueHold.large { try execution.budget.admit(value.ownedBytes) }
        return value
    }

    private func fold(
        _ row: Row, _ execution: Execution, _ body: (EvaluatedValue, EvaluatedValue) -> EvaluatedValue
    ) throws(FirestoreError) -> EvaluatedValue {
        var result = try first.evaluate(row, execution)
        let early = substitute(for: result, at: 0)
        if let early, early.failure != nil { return early }
        var isNull = early != nil
        for index in 1..<arguments.count {
            let value = try (index == 1 ? second : arguments[index]).evaluate(row, execution)
            if let early = substitute(for: value, at: index) {
                if early.failure != nil { return early }
                isNull = true
            }
            if isNull { continue }
            result = body(result, value)
            if result.failure != nil { return result }
        }
        return isNull ? .null : result
    }

    /// The result that an argument determines, whatever the others are: a failure, or `null`. nil for an argument that the body takes.
    @inline(__always)
    private func substitute(for value: EvaluatedValue, at index: Int) -> EvaluatedValue? {
        let type = value.type
        let wanted = index == 0 ? firstType : index == 1 ? secondType : function.parameters[min(index, function.parameters.count - 1)]
        if wanted.contains(type), !type.isEmpty { return nil }
        return substitute(for: value, of: type, at: index)
    }

    private func substitute(for value: EvaluatedValue, of type: ValueTypes, at index: Int) -> EvaluatedValue {
        if type == .failure { return value }
        if type == .null || type == .absent { return .null }
        return .fail("\(function.name) takes no \(type.name) as argument \(index + 1)")
    }
}

/// The arguments of a function that evaluates only what it needs.
struct LazyArguments {
    let expressions: [Expression]
    let row: Row
    let execution: Execution

    var count: Int { expressions.count }

    subscript(_ index: Int) -> EvaluatedValue {
        get throws(FirestoreError) { try expressions[index].evaluate(row, execution) }
    }
}
