// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A function of expressions: its name, what it takes, and what it does.
///
/// Most functions are defined by `parameters` and a body that sees values of these types only. Arguments are evaluated from left to right.
/// A failure is the result, and so is a failure for a value of another type; `null` and nothing make the result `null`. A parameter of the
/// type `.any` takes everything but a failure.
struct FunctionDefinition: Sendable {
    enum Body: Sendable {
        case values(@Sendable (_ arguments: [EvaluatedValue], Execution) throws(FirestoreError) -> EvaluatedValue)
        case one(@Sendable (EvaluatedValue, Execution) throws(FirestoreError) -> EvaluatedValue)
        case two(@Sendable (EvaluatedValue, EvaluatedValue, Execution) throws(FirestoreError) -> EvaluatedValue)
        /// Combines the first two arguments, then the result with the third one, and so on. A failure on the way is the result.
        case fold(@Sendable (EvaluatedValue, EvaluatedValue) -> EvaluatedValue)
        /// Evaluates its arguments itself, and only those that it needs.
        case lazy(@Sendable (LazyArguments) throws(FirestoreError) -> EvaluatedValue)
    }

    let name: String
    /// How many arguments it takes.
    let arity: ClosedRange<Int>
    /// The types of the arguments; the last one is that of all further ones.
    let parameters: [ValueTypes]
    /// Whether equal arguments give equal results.
    let isPure: Bool
    let body: Body

    /// A function that takes any number of arguments beyond `least`.
    static let many = 1_000

    /// A function of values of certain types.
    static func values(
        _ name: String, _ parameters: ValueTypes..., arity: ClosedRange<Int>? = nil, isPure: Bool = true,
        _ body: @escaping @Sendable (_ arguments: [EvaluatedValue], Execution) throws(FirestoreError) -> EvaluatedValue
    ) -> FunctionDefinition {
        FunctionDefinition(
            name: name, arity: arity ?? parameters.count...parameters.count, parameters: parameters, isPure: isPure, body: .values(body))
    }

    /// A function of one value.
    static func one(
        _ name: String, _ parameter: ValueTypes,
        _ body: @escaping @Sendable (EvaluatedValue, Execution) throws(FirestoreError) -> EvaluatedValue
    ) -> FunctionDefinition {
        FunctionDefinition(name: name, arity: 1...1, parameters: [parameter], isPure: true, body: .one(body))
    }

    /// A function of two values.
    static func two(
        _ name: String, _ first: ValueTypes, _ second: ValueTypes,
        _ body: @escaping @Sendable (EvaluatedValue, EvaluatedValue, Execution) throws(FirestoreError) -> EvaluatedValue
    ) -> FunctionDefinition {
        FunctionDefinition(name: name, arity: 2...2, parameters: [first, second], isPure: true, body: .two(body))
    }

    /// A function that combines two values of a type, and others with the result, from left to right.
    static func fold(
        _ name: String, _ parameter: ValueTypes, _ body: @escaping @Sendable (EvaluatedValue, EvaluatedValue) -> EvaluatedValue
    ) -> FunctionDefinition {
        FunctionDefinition(name: name, arity: 2...many, parameters: [parameter], isPure: true, body: .fold(body))
    }

    /// A function that evaluates only what it needs.
    static func lazy(
        _ name: String, arity: ClosedRange<Int>, _ body: @escaping @Sendable (LazyArguments) throws(FirestoreError) -> EvaluatedValue
    ) -> FunctionDefinition {
        FunctionDefinition(name: name, arity: arity, parameters: [], isPure: true, body: .lazy(body))
    }

    func call(_ arguments: [Expression], _ row: Row, _ execution: Execution) throws(FirestoreError) -> EvaluatedValue {
        switch body {
        case .lazy(let body): return try body(LazyArguments(expressions: arguments, row: row, execution: execution))
        case .one(let body):
            let value = try arguments[0].evaluate(row, execution)
            if let result = substitute(for: value, at: 0) { return result }
            try execution.step(over: value)
            return try body(value, execution)
        case .two(let body):
            let first = try arguments[0].evaluate(row, execution)
            let early = substitute(for: first, at: 0)
            if let early, early.failure != nil { return early }
            var hold = ValueHold(execution)
            try hold.add(first)
            let second = try arguments[1].evaluate(row, execution)
            // A failure of the second argument comes before `null` of the first.
            if let result = substitute(for: second, at: 1) { return result }
            if let early { return early }
            try execution.step(over: first)
            try execution.step(over: second)
            return try body(first, second, execution)
        case .fold(let body): return try combine(arguments, row, execution, body)
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
            return isNull ? .null : try body(values, execution)
        }
    }

    private func combine(
        _ arguments: [Expression], _ row: Row, _ execution: Execution, _ body: (EvaluatedValue, EvaluatedValue) -> EvaluatedValue
    ) throws(FirestoreError) -> EvaluatedValue {
        var result: EvaluatedValue?
        var isNull = false
        for (index, argument) in arguments.enumerated() {
            let value = try argument.evaluate(row, execution)
            if let early = substitute(for: value, at: index) {
                if early.failure != nil { return early }
                isNull = true
            }
            if isNull { continue }
            result = result.map { body($0, value) } ?? value
            if let result, result.failure != nil { return result }
        }
        return isNull ? .null : result ?? .null
    }

    /// The result that an argument determines, whatever the others are: a failure, or `null`. nil for an argument that the body takes.
    private func substitute(for value: EvaluatedValue, at index: Int) -> EvaluatedValue? {
        let type = value.type
        if type == .failure { return value }
        let wanted = parameters[min(index, parameters.count - 1)]
        if wanted.contains(type), !type.isEmpty { return nil }
        if type == .null || type == .absent { return .null }
        return .fail("\(name) takes no \(type.name) as argument \(index + 1)")
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

extension ValueTypes {
    /// A type in words.
    var name: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .integer: "integer"
        case .double: "double"
        case .timestamp: "timestamp"
        case .string: "string"
        case .bytes: "bytes"
        case .reference: "reference"
        case .geoPoint: "geo point"
        case .array: "array"
        case .vector: "vector"
        case .map: "map"
        case .absent: "missing value"
        default: "damaged value"
        }
    }
}
