// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Functions of maps. A key is one name, whatever characters it has.
enum MapFunctions {
    static let set = "map_set"

    /// A vector, which is stored as a map, has no entries.
    static let all: [FunctionDefinition] = [
        .two("map_get", .value, .string, entry),
        .two("get_field", .value, .string, entry),
        .values(set, .any, arity: 3...FunctionDefinition.many, changed),
        .values("map_remove", .map, .string, arity: 2...FunctionDefinition.many) { arguments, _ in
            var result = MapBuilder()
            if let entries = arguments[0].entries { result.set(entries, of: arguments[0]) }
            for key in arguments.dropFirst() { if let name = key.utf8 { result.set(name, .absent) } }
            return result.value()
        },
        .values("map_merge", .map, arity: 2...FunctionDefinition.many) { arguments, execution throws(FirestoreError) in
            try execution.budget.admit(arguments.reduce(0) { $0 + $1.weight })
            var result = MapBuilder()
            for map in arguments { if let entries = map.entries { result.set(entries, of: map) } }
            return result.value()
        },
        list("map_keys") { key, _ in .string(utf8: key) },
        list("map_values") { _, value in value },
        list("map_entries") { key, value in
            var entry = MapBuilder()
            entry.set("k", .string(utf8: key))
            entry.set("v", value)
            return entry.value()
        },
    ]

    private static func entry(_ map: EvaluatedValue, _ key: EvaluatedValue, _ execution: Execution) -> EvaluatedValue {
        guard map.type == .map, let name = key.utf8, let view = map.entries?[name] else { return .absent }
        return map.part(view)
    }

    /// The map with other entries. A missing value takes an entry away.
    private static func changed(_ arguments: [EvaluatedValue], _ execution: Execution) throws(FirestoreError) -> EvaluatedValue {
        let map = arguments[0]
        var isNull = map.isNothing
        var result = MapBuilder()
        if map.type == .map, let entries = map.entries { result.set(entries, of: map) }
        for index in stride(from: 1, to: arguments.count - 1, by: 2) {
            let key = arguments[index]
            if let name = key.utf8 {
                result.set(name, arguments[index + 1])
            } else if key.isNothing {
                isNull = true
            } else {
                return .fail("the keys of map_set are strings, not values of the type \(key.type.name)")
            }
        }
        if isNull { return .null }
        guard map.type == .map else { return .absent }
        try execution.budget.admit(result.byteCount)
        return result.value()
    }

    /// One element for each entry, in the order of the keys' bytes.
    private static func list(
        _ name: String, _ element: @escaping @Sendable (UnsafeRawBufferPointer, EvaluatedValue) -> EvaluatedValue
    ) -> FunctionDefinition {
        .one(name, .map) { map, execution throws(FirestoreError) in
            var result = ArrayBuilder()
            if let entries = map.entries {
                for (key, view) in entries {
                    try execution.step()
                    result.append(element(key, map.part(view)))
                    try execution.budget.admit(result.byteCount)
                }
            }
            return result.value()
        }
    }
}
