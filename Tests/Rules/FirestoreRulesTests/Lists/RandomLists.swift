// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport

/// Random conditions, queries and documents from small pools, so that they often meet.
struct RandomLists {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    mutating func pick<T>(_ values: [T]) -> T { values[number(0...(values.count - 1))] }

    // MARK: Values

    private static let names = ["a", "b", "l", "m"]
    private static let paths = ["a", "a", "b", "b", "l", "m.x", "m"]
    private static let scalars: [Value] = [
        .integer(0), .integer(1), .integer(2), .integer(3), .integer(-1), .double(0), .double(-0.0), .double(1), .double(1.5), .double(2),
        .double(.nan), .integer(9_007_199_254_740_993), .double(9_007_199_254_740_992), .integer(9_007_199_254_740_992),
        .integer(.max), .string("x"), .string("y"), .string(""), .string("\u{FFFF}"), .string("\u{10000}"), .boolean(true), .boolean(false),
        .null, .timestamp(TimestampValue(seconds: 1, nanoseconds: 0)), .timestamp(TimestampValue(seconds: 1, nanoseconds: 1_000)),
    ]

    mutating func value() -> Value {
        switch number(0...9) {
        case 0: .array((0..<number(0...2)).map { _ in pick(Self.scalars) })
        case 1: .map(FieldMap((0..<number(0...2)).map { _ in (pick(["x", "y"]), pick(Self.scalars)) }))
        case 2...6: .integer(Int64(number(0...3)))
        default: pick(Self.scalars)
        }
    }

    /// The value as a condition writes it.
    static func text(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value) where value.isNaN: "(0.0 / 0)"
        case .double(let value): value.description.contains("e") ? "float('\(value)')" : "\(value)"
        case .string(let value): "'\(value)'"
        case .timestamp(let value): "timestamp.value('\(value.text)')"
        case .array(let elements): "[\(elements.map(text).joined(separator: ", "))]"
        case .map(let map): "{\(map.entries.map { "'\($0.name)': \(text($0.value))" }.joined(separator: ", "))}"
        default: "null"
        }
    }

    mutating func document(_ id: Int) -> Document {
        var fields = FieldMap()
        for name in Self.names where chance(75) {
            switch name {
            case "l" where chance(80): fields[name] = .array((0..<number(0...3)).map { _ in pick(Self.scalars) })
            case "m" where chance(80): fields[name] = .map(FieldMap(["x", "y"].filter { _ in chance(70) }.map { ($0, value()) }))
            default: fields[name] = value()
            }
        }
        let time = DocumentVersion(microseconds: 1)
        return Document(key: DocumentKey(trusted: "c/\(id)"), createTime: time, updateTime: time, fields: FieldBytes(fields))
    }

    // MARK: Queries

    mutating func filter(depth: Int = 0) -> QueryFilter {
        if depth < 2, chance(35) {
            let filters = (0..<number(2...3)).map { _ in filter(depth: depth + 1) }
            return chance(70) ? .and(filters) : .or(filters)
        }
        let path = pick(Self.paths)
        let op = pick([
            QueryFilter.FieldOperator.equal, .equal, .equal, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .notEqual, .in,
            .notIn, .arrayContains, .arrayContainsAny,
        ])
        switch op {
        case .in, .notIn, .arrayContainsAny: return field(path, op, .array((0..<number(1...3)).map { _ in value() }))
        default: return field(path, op, value())
        }
    }

    /// An atom of a condition that resembles one of the filters.
    private mutating func related(_ filter: QueryFilter) -> String {
        switch filter {
        case .and(let filters), .or(let filters): return related(pick(filters))
        case .field(let path, let op, let operand):
            let target = "resource.data.\(path.canonical)"
            let value = (try? operand.value) ?? .null
            var shown = value
            if case .array(let elements) = value, !elements.isEmpty, chance(80) { shown = pick(elements) }
            if chance(15) { shown = self.value() }
            let text = Self.text(shown)
            switch op {
            case .arrayContains, .arrayContainsAny:
                return chance(50) ? "\(text) in \(target)" : "\(target).hasAny([\(text), \(Self.text(self.value()))])"
            case .equal where chance(30): return "\(target) in [\(text), \(Self.text(self.value()))]"
            case .equal where chance(60): return "\(target) == \(text)"
            case .notEqual, .notIn: return "\(target) != \(text)"
            default: return "\(target) \(pick(["<", "<=", ">", ">=", "!=", "=="])) \(text)"
            }
        }
    }

    // MARK: Conditions

    mutating func condition(_ filter: QueryFilter?, depth: Int = 0) -> String {
        if depth < 3 {
            switch number(0...9) {
            case 0, 1: return "(\(condition(filter, depth: depth + 1)) && \(condition(filter, depth: depth + 1)))"
            case 2, 3: return "(\(condition(filter, depth: depth + 1)) || \(condition(filter, depth: depth + 1)))"
            case 4: return "!(\(condition(filter, depth: depth + 1)))"
            case 5 where chance(40):
                return "(\(condition(filter, depth: 3)) ? \(condition(filter, depth: depth + 1)) : \(condition(filter, depth: depth + 1)))"
            case 6 where chance(30): return "f(\(pick(["resource.data", "resource", "resource.data.m", "resource.data.a"])))"
            default: break
            }
        }
        if let filter, chance(60) { return related(filter) }
        return atom()
    }

    private mutating func atom() -> String {
        let path = pick(Self.paths)
        let target = "resource.data.\(path)"
        let name = pick(Self.names)
        let text = Self.text(value())
        let other = Self.text(value())
        switch number(0...27) {
        case 0: return "\(target) == \(text)"
        case 1: return "\(target) != \(text)"
        case 2: return "\(target) \(pick(["<", "<=", ">", ">="])) \(text)"
        case 3: return "'\(name)' in \(pick(["resource.data", "resource", "resource.data.m"]))"
        case 4: return "resource.data.get('\(name)', \(text)) == \(other)"
        case 5: return "resource.data.get('\(name)', \(pick(["true", "false"])))"
        case 6: return "resource.data.get(['m', 'x'], \(text)) == \(other)"
        case 7: return "resource.data.keys().\(pick(["hasAll", "hasOnly", "hasAny"]))(['\(name)', 'a'])"
        case 8: return "resource.data.keys().size() \(pick(["<", ">"])) 2"
        case 9: return "resource.data.size() \(pick(["==", "<"])) \(number(0...3))"
        case 10: return "resource.data == {'a': \(text)}"
        case 11: return "resource.data.diff({'a': \(text)}).affectedKeys().hasOnly(['\(name)'])"
        case 12: return "\(target) is \(pick(["int", "float", "number", "string", "list", "map", "bool", "constraint", "timestamp"]))"
        case 13: return "\(target) in [\(text), \(other)]"
        case 14: return "\(text) in \(target)"
        case 15: return "\(target).\(pick(["hasAny", "hasAll", "hasOnly"]))([\(text), \(other)])"
        case 16: return "\(target) \(pick(["+", "-", "*", "/", "%"])) \(pick(["1", "2", "1.5", "0"])) \(pick(["==", "<", ">"])) \(text)"
        case 17: return "\(pick(["-", "math.abs", "math.floor", "math.round", "float", "int"]))(\(target)) \(pick(["==", "<"])) \(text)"
        case 18: return "string(\(target)) == '\(number(0...2))'"
        case 19: return "[\(target)] == [\(text)]"
        case 20: return "{'k': \(target)}.k \(pick(["==", ">", "!="])) \(text)"
        case 21: return "\(target) == resource.data.\(pick(Self.paths))"
        case 22: return "\(target).size() \(pick(["==", ">"])) 1"
        case 23: return "[1, 2, 'x'].hasAny([\(target)])"
        case 24: return "\(target).toSet() == [\(text)].toSet()"
        case 25: return "\(target)[\(pick(["0", "'x'"]))] == \(text)"
        case 26: return "[\(text)].concat(\(target)).hasAny([\(other)])"
        default: return "(\(pick(["resource.data.keys()", "resource.data.values()", "resource.data.m.keys()"])) == ['\(name)'])"
        }
    }

    /// The body of the function `f(d)`.
    mutating func function() -> String {
        let key = pick(Self.names)
        return switch number(0...5) {
        case 0: "let y = d.\(key); return y == \(Self.text(value()));"
        case 1: "return !('\(key)' in d);"
        case 2: "return d.get('\(key)', true) == true;"
        case 3: "let k = d.keys(); return k.hasOnly(['\(key)', 'data']);"
        case 4: "let isAbsent = !('\(key)' in d); return isAbsent || d.\(key) == \(Self.text(value()));"
        default: "return d == \(Self.text(value())) || d != \(Self.text(value()));"
        }
    }
}
