// SPDX-License-Identifier: Apache-2.0

/// The methods and functions of the language.
extension Signature {
    static let methods: [Signature] = [
        .method(.string, "size", .int), .method(.string, "lower", .string), .method(.string, "upper", .string),
        .method(.string, "trim", .string), .method(.string, "matches", [.string], .bool),
        .method(.string, "replace", [.string, .string], .string), .method(.string, "split", [.string], .list),
        .method(.string, "toUtf8", .bytes),

        .method(.bytes, "size", .int), .method(.bytes, "toBase64", .string), .method(.bytes, "toHexString", .string),

        .method(.list, "size", .int), .method(.list, "concat", [.list], .list), .method(.list, "hasAny", [.list], .bool),
        .method(.list, "hasAll", [.list], .bool), .method(.list, "hasOnly", [.list], .bool),
        .method(.list, "removeAll", [.list], .list), .method(.list, "join", [.string], .string), .method(.list, "toSet", .set),

        .method(.set, "size", .int), .method(.set, "hasAny", [[.list, .set]], .bool), .method(.set, "hasAll", [[.list, .set]], .bool),
        .method(.set, "hasOnly", [[.list, .set]], .bool), .method(.set, "union", [.set], .set),
        .method(.set, "intersection", [.set], .set), .method(.set, "difference", [.set], .set),

        .method(.map, "keys", .list), .method(.map, "values", .list), .method(.map, "size", .int),
        .method(.map, "get", [[.string, .list], .any], .any), .method(.map, "diff", [.map], .mapDiff),

        .method(.mapDiff, "addedKeys", .set), .method(.mapDiff, "removedKeys", .set), .method(.mapDiff, "changedKeys", .set),
        .method(.mapDiff, "affectedKeys", .set), .method(.mapDiff, "unchangedKeys", .set),

        .method(.timestamp, "year", .int), .method(.timestamp, "month", .int), .method(.timestamp, "day", .int),
        .method(.timestamp, "hours", .int), .method(.timestamp, "minutes", .int), .method(.timestamp, "seconds", .int),
        .method(.timestamp, "nanos", .int), .method(.timestamp, "dayOfYear", .int), .method(.timestamp, "dayOfWeek", .int),
        .method(.timestamp, "date", .timestamp), .method(.timestamp, "time", .duration), .method(.timestamp, "toMillis", .int),

        .method(.duration, "seconds", .int), .method(.duration, "nanos", .int),

        .method(.latlng, "latitude", .float), .method(.latlng, "longitude", .float),
        .method(.latlng, "distance", [.latlng], .float),

        .method(.path, "bind", [.map], .path),
    ]

    private static func method(_ receiver: ValueType, _ name: String, _ result: TypeSet) -> Signature {
        .method(receiver, name, [], result)
    }

    static let globalFunctions: [Signature] = [
        .function("string", [[.bool, .int, .float, .null, .string, .path]], .string),
        .function("int", [[.int, .float, .string]], .int), .function("float", [[.int, .float, .string]], .float),
        .function("path", [.string], .path), .function("debug", [.any], .any),
        .function("get", [.path], .map), .function("getAfter", [.path], .map),
        .function("exists", [.path], .bool), .function("existsAfter", [.path], .bool),
    ]

    static let namespaceFunctions: [Signature] = [
        .function("math", "abs", [.number], .number), .function("math", "ceil", [.number], .float),
        .function("math", "floor", [.number], .float), .function("math", "sqrt", [.number], .float),
        .function("math", "round", [.number], .int), .function("math", "pow", [.number, .number], .float),
        .function("math", "isNaN", [.number], .bool), .function("math", "isInfinite", [.number], .bool),

        .function("hashing", "crc32", [[.string, .bytes]], .bytes), .function("hashing", "crc32c", [[.string, .bytes]], .bytes),
        .function("hashing", "md5", [[.string, .bytes]], .bytes), .function("hashing", "sha256", [[.string, .bytes]], .bytes),

        .function("timestamp", "date", [.int, .int, .int], .timestamp), .function("timestamp", "value", [[.int, .string]], .timestamp),

        .function("duration", "value", [.int, .string], .duration), .function("duration", "time", [.int, .int, .int, .int], .duration),
        .function("duration", "abs", [.duration], .duration),

        .function("latlng", "value", [.number, .number], .latlng),
    ]
}
