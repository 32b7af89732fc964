// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Why an expression has no value. Such an expression is neither true nor false (SR-40).
enum EvaluationFailure: Sendable {
    case nullValue
    case undefinedProperty(String)
    case unboundWildcard(String)
    /// With the types that were expected.
    case type(received: ValueType, expected: String)
    /// An operation that these types do not have.
    case unsupported(received: String, expected: String)
    case functionNotFound(String)
    case argumentCount(received: Int, expected: String)
    case divideByZero
    case integerRange
    case index(Int64, size: Int)
    case range(Int64, Int64, size: Int)
    case conversion(argument: String, from: ValueType, to: ValueType)
    case pattern(String)
    /// A document that does not exist, a path that names none, or one document too many.
    case documentAccess(String)
    /// The query's filters do not decide it.
    case notProven
    case other(String)

    var message: String {
        switch self {
        case .nullValue: "Null value error."
        case .undefinedProperty(let name): "Property \(name) is undefined on object."
        case .unboundWildcard(let name): "Variable \(name) is not bound in path template."
        case .type(let received, let expected): "Type error. Received: [\(received.rawValue)] Expected: [\(expected)]."
        case .unsupported(let received, let expected):
            "Unsupported operation error. Received: \(received). Expected: \(expected)."
        case .functionNotFound(let name): "Function not found error: Name: [\(name)]."
        case .argumentCount(let received, let expected):
            "Incorrect number of arguments. Received: \(received). Expected: \(expected)."
        case .divideByZero: "Divide by zero error."
        case .integerRange: "Integer value is out of the [\(Int64.min), \(Int64.max)] range."
        case .index(let index, let size): "Index out of bound error. Index: [\(index)] , size: [\(size)]."
        case .range(let from, let to, let size): "Illegal range error. Range: [\(from):\(to)] , size: [\(size)]."
        case .conversion(let argument, let from, let to):
            "Type conversion error. Argument: [\(argument)], From type: [\(from.rawValue)], To type: [\(to.rawValue)]."
        case .pattern(let pattern): "Invalid regular expression pattern. Pattern: \(pattern)."
        case .documentAccess(let reason): "Service call error. \(reason)"
        case .notProven: "The filters of the query do not prove it."
        case .other(let message): message
        }
    }
}

/// An event that ends the evaluation of an expression without a value.
enum Interruption: Error {
    /// The operators `||` and `&&` can absorb it.
    case failure(EvaluationFailure)
    /// The budget is used up, which nothing absorbs (SR-122).
    case exhausted
    /// The state could not be read, which fails the request.
    case state(FirestoreError)
}
