// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules
import FirestoreSemantics
import TestSupport

/// Looks for a document that a query would return and that the rules do not grant: the reason to reject the list, even if the
/// emulator grants it.
struct ListViolation {
    private var random: SeededGenerator
    private let query: StructuredQuery
    private let filters: [(path: FieldPathSegments, op: QueryFilter.FieldOperator, operand: Value)]
    /// Values by the names of fields, as other documents have them.
    private let pool: [(name: String, values: [Value])]

    init(_ query: StructuredQuery, documents: [Document]) {
        random = SeededGenerator(seed: 1)
        self.query = query
        filters = query.filter.map(Self.filters) ?? []
        var pool: [String: [Value]] = [:]
        for document in documents {
            for entry in (try? document.fields.map.entries) ?? [] { pool[entry.name, default: []].append(entry.value) }
        }
        self.pool = pool.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The first such document.
    mutating func find(_ isGranted: (Document) throws -> Bool) rethrows -> Document? {
        guard case .collection(let collection) = query.scope, !pool.isEmpty else { return nil }
        let matcher = QueryMatcher(query, database: database)
        for number in 0..<2_000 {
            var fields = FieldMap(pool.compactMap { chance(70) ? ($0.name, pick($0.values)) : nil })
            for filter in filters where chance(80) { Self.set(filter.path.segments[...], value(filter.op, filter.operand), in: &fields) }
            let time = DocumentVersion(microseconds: 1)
            let document = Document(
                key: DocumentKey(trusted: "\(collection.path)/d\(number)"), createTime: time, updateTime: time, fields: FieldBytes(fields))
            if matcher.matches(document), try !isGranted(document) { return document }
        }
        return nil
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    private mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }

    private static func filters(_ filter: QueryFilter) -> [(path: FieldPathSegments, op: QueryFilter.FieldOperator, operand: Value)] {
        switch filter {
        case .and(let filters), .or(let filters): filters.flatMap(Self.filters)
        case .field(let path, let op, let operand): [(path, op, (try? operand.value) ?? .null)]
        }
    }

    private static func set(_ path: ArraySlice<String>, _ value: Value, in fields: inout FieldMap) {
        guard let name = path.first else { return }
        if path.count == 1 {
            fields[name] = value
            return
        }
        var inner = FieldMap()
        if case .map(let map)? = fields[name] { inner = map }
        set(path.dropFirst(), value, in: &inner)
        fields[name] = .map(inner)
    }

    /// A value that often passes the filter.
    private mutating func value(_ op: QueryFilter.FieldOperator, _ operand: Value) -> Value {
        var elements = [operand]
        if case .array(let values) = operand, op == .in || op == .arrayContainsAny { elements = values }
        let value = elements.isEmpty ? Value.null : otherSpelling(pick(elements))
        switch op {
        case .arrayContains, .arrayContainsAny: return .array([value] + (pool.isEmpty ? [] : [flat(pick(pick(pool).values))]))
        case .equal, .in: return value
        default: return pick([value, near(operand), otherSpelling(pick(pick(pool).values)), pick(Self.others)])
        }
    }

    private func flat(_ value: Value) -> Value {
        if case .array = value { .null } else { value }
    }

    private mutating func otherSpelling(_ value: Value) -> Value {
        switch value {
        case .integer(let integer) where chance(40): .double(Double(integer))
        case .double(let double) where chance(40): Int64(exactly: double).map { .integer($0) } ?? value
        case .array(let elements): .array(elements.map { otherSpelling($0) })
        case .map(let map): .map(FieldMap(map.entries.map { ($0.name, otherSpelling($0.value)) }))
        default: value
        }
    }

    private mutating func near(_ value: Value) -> Value {
        switch value {
        case .integer(let integer): chance(50) ? .integer(integer &+ Int64.random(in: -2...2, using: &random)) : .double(Double(integer) + pick([0.5, -0.5, 1]))
        case .double(let double): chance(50) ? .double(double + pick([0.5, -0.5, 1])) : .integer(Int64(double) + Int64.random(in: -1...2, using: &random))
        case .string(let text): .string(pick([text + "a", "", "zz", String(text.dropLast())]))
        case .boolean(let flag): .boolean(!flag)
        default: pick(Self.others)
        }
    }

    private static let others: [Value] = [
        .null, .string("zz"), .string("x"), .integer(0), .integer(1), .integer(2), .integer(3), .integer(7), .integer(5), .double(5.5), .boolean(true), .timestamp(TimestampValue(seconds: 1_800_000_000, nanoseconds: 0)),
        .array([]), .map(FieldMap()), .bytes([1]), .geoPoint(GeoPointValue(latitude: 1, longitude: 1)),
        .map(FieldMap([("__type__", .string("__vector__")), ("value", .array([.double(1)]))])),
    ]
}
