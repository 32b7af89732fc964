// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Functions about values that are missing, `null` or failed, and about types.
enum DebuggingFunctions {
    static let all: [FunctionDefinition] = [
        .one("exists", .any) { value, _ in .boolean(!value.isAbsent) },
        .one("is_absent", .any) { value, _ in .boolean(value.isAbsent) },
        .lazy("if_absent", arity: 2...2) { (arguments) throws(FirestoreError) in
            let value = try arguments[0]
            return value.isAbsent ? try arguments[1] : value
        },
        .lazy("if_null", arity: 2...FunctionDefinition.many, firstValue),
        .lazy("coalesce", arity: 1...FunctionDefinition.many, firstValue),
        .lazy("is_error", arity: 1...1) { (arguments) throws(FirestoreError) in .boolean(try arguments[0].failure != nil) },
        .lazy("if_error", arity: 2...2) { (arguments) throws(FirestoreError) in
            let value = try arguments[0]
            return value.failure == nil ? value : try arguments[1]
        },
        .values("error", .string) { arguments, _ in .fail(arguments[0].string ?? "") },
        .one("type", .any) { value, _ in value.isAbsent ? .null : .string(typeName(value)) },
        .two("is_type", .any, .string, isType),
    ]

    /// The first that is neither `null` nor missing, else the last.
    private static func firstValue(_ arguments: LazyArguments) throws(FirestoreError) -> EvaluatedValue {
        for index in 0..<(arguments.count - 1) {
            let value = try arguments[index]
            if !value.isNothing { return value }
        }
        return try arguments[arguments.count - 1]
    }

    private static func typeName(_ value: EvaluatedValue) -> String {
        switch value.type {
        case .null: "null"
        case .boolean: "boolean"
        case .integer: "int64"
        case .double: "float64"
        case .timestamp: "timestamp"
        case .string: "string"
        case .bytes: "bytes"
        case .array: "array"
        case .map: "map"
        case .reference: "reference"
        case .geoPoint: "geo_point"
        case .vector: "vector"
        default: "null"
        }
    }

    /// Types that the service has and documents of Hearth never have.
    private static let foreignTypes: Set<String> = [
        "int32", "decimal128", "object_id", "regex", "request_timestamp", "bson_timestamp", "bson_binary", "min_key", "max_key",
    ]
    private static let types: Set<String> = [
        "null", "boolean", "int64", "float64", "timestamp", "string", "bytes", "array", "map", "reference", "geo_point", "vector",
    ]

    private static func isType(_ value: EvaluatedValue, _ type: EvaluatedValue, _ execution: Execution) -> EvaluatedValue {
        let type = type.string ?? ""
        guard type == "number" || types.contains(type) || foreignTypes.contains(type) else { return .fail("there is no type “\(type)”") }
        if value.isAbsent { return .null }
        let name = typeName(value)
        return .boolean(type == name || (type == "number" && (name == "int64" || name == "float64")))
    }
}
