// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport

/// Random documents and queries from small pools, so that values meet, ties happen and filters hit.
struct RandomData {
    var generator: SeededGenerator
    /// Whether documents contain pending timestamps, as the local view of a client does.
    var hasPendingTimestamps = false

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private static let scalars: [Value] = [
        .null, .boolean(false), .boolean(true), .integer(0), .double(-0.0), .integer(1), .double(1), .double(1.5),
        .integer(-3), .double(.nan), .double(.infinity), .integer(9_007_199_254_740_993), .double(9_007_199_254_740_992),
        .timestamp(TimestampValue(seconds: 1, nanoseconds: 0)), .timestamp(TimestampValue(seconds: 1, nanoseconds: 2_000)),
        .string(""), .string("a"), .string("ab"), .string("abcdefgh"), .string("abcdefghi"), .string("\u{ffff}"),
        .string("\u{10000}"), .bytes([]), .bytes([1]), .bytes([1, 2]), .reference("projects/p/databases/(default)/documents/c/1"),
        .reference("projects/p/databases/(default)/documents/c/__id2__"), .geoPoint(GeoPointValue(latitude: 1, longitude: 2)),
        .geoPoint(GeoPointValue(latitude: 1, longitude: 3)), .vector([1]), .vector([1, 2]),
    ]
    private static let fields = ["a", "b", "c", "m.x", "m"]
    private static let ids = ["1", "12", "2", "a", "b", "B", "é", "__id2__", "__id10__", "z"]

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    mutating func pick<T>(_ values: [T]) -> T { values[number(0...(values.count - 1))] }

    mutating func value(depth: Int = 0) -> Value {
        switch number(0...9) {
        case 0 where depth < 2: .array((0..<number(0...3)).map { _ in element(depth: depth + 1) })
        case 1 where depth < 2: .map(FieldMap((0..<number(0...2)).map { _ in (pick(["x", "y"]), value(depth: depth + 1)) }))
        // Most values are small numbers, or hardly anything would ever be equal.
        case 2...5: .integer(Int64(number(-1...3)))
        default: pick(Self.scalars)
        }
    }

    /// A value of a document, which operands of queries cannot have if it is a pending timestamp.
    mutating func storedValue() -> Value {
        guard hasPendingTimestamps, chance(20) else { return value() }
        return pendingTimestamp(Int64(number(0...3)), previous: chance(50) ? value(depth: 2) : nil)
    }

    private mutating func element(depth: Int) -> Value {
        let element = value(depth: depth)
        // Neither arrays nor vectors stand inside arrays.
        return [8, 9].contains(NaiveValues.rank(element)) ? .null : element
    }

    mutating func documents(_ count: Int) -> [Document] {
        var documents: [DocumentKey: Document] = [:]
        for _ in 0..<count {
            let key = key()
            var fields = FieldMap()
            for name in ["a", "b", "c"] where chance(75) { fields[name] = storedValue() }
            if chance(60) { fields["m"] = chance(80) ? .map(FieldMap([("x", storedValue())])) : storedValue() }
            documents[key] = Document(
                key: key, createTime: DocumentVersion(microseconds: 1), updateTime: DocumentVersion(microseconds: 1),
                fields: FieldBytes(fields))
        }
        return Array(documents.values).sorted { $0.key.path < $1.key.path }
    }

    mutating func key() -> DocumentKey {
        let collection = pick(["c", "c", "c", "c", "d", "d/1/c", "d/z/c", "c/1/c", "c/é/e"])
        let id = pick(Self.ids)
        // Only whole ids may be numeric: `__id2__`.
        let more = id.hasPrefix("_") || chance(50) ? "" : pick(Self.ids)
        return DocumentKey(trusted: collection + "/" + id + more)
    }

    mutating func query() -> StructuredQuery {
        var query = StructuredQuery(scope: scope())
        if chance(70) { query.filter = filter(depth: 0) }
        var paths = Set<String>()
        for _ in 0..<number(0...2) { paths.insert(pick(Self.fields)) }
        query.orders = paths.sorted().map { SortOrder(path: path($0), direction: direction()) }
        if chance(25) { query.orders.append(SortOrder(path: .documentID, direction: direction())) }
        if !query.orders.isEmpty {
            if chance(30) { query.start = bound(query.orders) }
            if chance(30) { query.end = bound(query.orders) }
        }
        if chance(40) { query.limit = pick([0, 1, 2, 5, 1_000]) }
        if chance(25) { query.offset = number(0...4) }
        return query
    }

    private mutating func scope() -> QueryScope {
        switch number(0...5) {
        case 0: .collectionGroup(id: "c", under: nil)
        case 1: .collectionGroup(id: "c", under: DocumentKey(trusted: "d/1"))
        case 2: .collection(CollectionPath(trusted: "c/1/c"))
        default: .collection(CollectionPath(trusted: "c"))
        }
    }

    private mutating func direction() -> SortOrder.Direction { chance(50) ? .ascending : .descending }

    private mutating func bound(_ orders: [SortOrder]) -> QueryBound {
        let values = orders.prefix(number(1...orders.count)).map { order in
            ValueBytes(order.path.isDocumentID ? reference(key().path) : value())
        }
        return QueryBound(values: Array(values), before: chance(50))
    }

    private mutating func filter(depth: Int) -> QueryFilter {
        if depth < 3, chance(40) {
            let filters = (0..<number(1...3)).map { _ in filter(depth: depth + 1) }
            return chance(50) ? .and(filters) : .or(filters)
        }
        let onKey = chance(15)
        let op = pick([
            QueryFilter.FieldOperator.equal, .equal, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
            .notEqual, .in, .notIn, .arrayContains, .arrayContainsAny,
        ])
        func operand(_ data: inout RandomData) -> Value { onKey ? reference(data.key().path) : data.value() }
        let value: Value =
            switch op {
            case .in, .notIn, .arrayContainsAny: .array((0..<number(1...3)).map { _ in operand(&self) })
            default: operand(&self)
            }
        return .field(onKey ? .documentID : path(pick(Self.fields)), op, ValueBytes(value))
    }
}
