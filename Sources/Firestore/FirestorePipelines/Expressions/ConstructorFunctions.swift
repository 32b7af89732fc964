// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Functions that make arrays and maps of values.
enum ConstructorFunctions {
    static let array = "array"
    static let map = "map"

    static let all: [FunctionDefinition] = [
        .values(array, .any, arity: 0...FunctionDefinition.many) { arguments, execution throws(FirestoreError) in
            var result = ArrayBuilder()
            for argument in arguments {
                result.append(argument)
                try execution.budget.admit(result.byteCount)
            }
            return result.value()
        },
        .values(map, .any, arity: 0...FunctionDefinition.many) { arguments, execution throws(FirestoreError) in
            var result = MapBuilder()
            for index in stride(from: 0, to: arguments.count - 1, by: 2) {
                guard let key = arguments[index].utf8 else {
                    return .fail("the keys of map are strings, not values of the type \(arguments[index].type.name)")
                }
                result.set(key, arguments[index + 1])
                try execution.budget.admit(result.byteCount)
            }
            return result.value()
        },
    ]
}
