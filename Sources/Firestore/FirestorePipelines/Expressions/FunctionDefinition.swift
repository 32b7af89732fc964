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
