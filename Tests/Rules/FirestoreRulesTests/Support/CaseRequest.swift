// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules
import TestSupport

/// A request as the table of verified cases writes it: `get a/1 as u {role:'ed'}`, `batch set a/9 {n:1}, delete a/9`,
/// `query a where n > 1 and s == 'x'`.
struct CaseRequest {
    var operation: RulesRequest.Operation
    var caller = RequestContext.Caller.anonymous

    struct Problem: Error { let text: String }

    private static let alice = RequestContext.Caller.user(id: "alice", claims: FieldMap([("sub", .string("alice"))]))

    init(_ text: String) throws {
        let words = text.split(separator: " ", maxSplits: 2).map(String.init)
        switch words[0] {
        case "get":
            operation = .get([DocumentKey(trusted: words[1])])
            if words.count > 2 { caller = try Self.caller(String(words[2].dropFirst(3))) }
        case "query":
            operation = .list(try Self.query(words[1], words.count > 2 ? words[2] : ""))
            caller = Self.alice
        case "group":
            operation = .list(group("b"))
            caller = Self.alice
        case "batch":
            operation = .commit(try Self.writes(String(text.dropFirst("batch ".count))))
            caller = Self.alice
        default:
            operation = .commit([try Self.write(text)])
            caller = Self.alice
        }
    }

    private static func caller(_ text: String) throws -> RequestContext.Caller {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        var claims = parts.count > 1 ? try fields(parts[1]) : FieldMap()
        claims["sub"] = .string(parts[0])
        return .user(id: parts[0], claims: claims)
    }

    /// `{n:1, s:'x'}`
    private static func fields(_ text: String) throws -> FieldMap {
        guard text.hasPrefix("{"), text.hasSuffix("}") else { throw Problem(text: text) }
        return FieldMap(try text.dropFirst().dropLast().split(separator: ",").map { entry in
            let parts = entry.split(separator: ":", maxSplits: 1)
            return (String(parts[0].drop { $0 == " " }), try value(String(parts[1])))
        })
    }

    private static func value(_ text: String) throws -> Value {
        if text.hasPrefix("'") { return .string(String(text.dropFirst().dropLast())) }
        if text.hasPrefix("[") { return .array([try value(String(text.dropFirst().dropLast()))]) }
        if let boolean = Bool(text) { return .boolean(boolean) }
        if let integer = Int64(text) { return .integer(integer) }
        guard let double = Double(text) else { throw Problem(text: text) }
        return .double(double)
    }

    private static func writes(_ text: String) throws -> [Write] {
        try text.split(separator: ", ").map { try write(String($0)) }
    }

    private static func write(_ text: String) throws -> Write {
        let words = text.split(separator: " ", maxSplits: 2).map(String.init)
        let key = DocumentKey(trusted: words[1])
        let rest = words.count > 2 ? words[2] : "{}"
        switch words[0] {
        case "delete": return Write(key: key, operation: .delete)
        case "increment":
            let parts = rest.split(separator: " ")
            return .increment(words[1], String(parts[0]), by: Int64(parts[2]) ?? 0)
        case "create" where rest == "with t = server time":
            return Write(
                key: key, operation: .set(.empty), precondition: .exists(false),
                transforms: [FieldTransform(path: FieldPathSegments("t"), kind: .serverTimestamp)])
        case "create":
            return Write(key: key, operation: .set(FieldBytes(try fields(rest))), precondition: .exists(false))
        case "set": return Write(key: key, operation: .set(FieldBytes(try fields(rest))))
        case "update":
            let map = try fields(rest)
            return Write(
                key: key, operation: .patch(FieldBytes(map), mask: map.entries.map { FieldPathSegments($0.name) }),
                precondition: .exists(true))
        default: throw Problem(text: text)
        }
    }

    private static let operators: [String: QueryFilter.FieldOperator] = [
        "==": .equal, "!=": .notEqual, "<": .lessThan, "<=": .lessThanOrEqual, ">": .greaterThan, ">=": .greaterThanOrEqual, "in": .in,
        "contains": .arrayContains,
    ]

    private static func query(_ collection: String, _ rest: String) throws -> StructuredQuery {
        if rest.isEmpty { return FirestoreRulesTests.query(collection) }
        if rest.hasPrefix("limit ") { return FirestoreRulesTests.query(collection, limit: Int(rest.dropFirst(6))) }
        let filters = try rest.dropFirst("where ".count).split(separator: " and ").map { text in
            let words = text.split(separator: " ").map(String.init)
            guard let op = operators[words[1]] else { throw Problem(text: rest) }
            return field(words[0], op, try value(words[2]))
        }
        return FirestoreRulesTests.query(collection, filters.count == 1 ? filters[0] : .and(filters))
    }
}
