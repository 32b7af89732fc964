// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import TestSupport

/// Random writes and legal queries from small pools, so that values meet, windows are crossed and ties happen.
struct RandomWatching {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private static let scalars: [Value] = [
        .null, .boolean(false), .boolean(true), .integer(0), .double(-0.0), .integer(1), .double(1), .double(1.5),
        .double(.nan), .double(-.infinity), .integer(.max), .timestamp(TimestampValue(seconds: 5, nanoseconds: 0)),
        .string(""), .string("a"), .string("aa"), .string("\u{E9}"), .string("e\u{301}"), .string("\u{10000}"),
        .bytes([]), .bytes([0, 255]), reference("c/1"), reference("c/__id2__"),
        .geoPoint(GeoPointValue(latitude: 1, longitude: 2)), .vector([1, 2]), .array([]), .map(FieldMap()),
    ]
    private static let collections = ["c", "c", "c", "c", "c", "d", "d/1/c", "d/\u{E9}/c", "c/1/c"]
    private static let ids = ["1", "2", "12", "a", "b", "B", "\u{E9}", "e\u{301}", "__id2__", "__id10__", "z", "\u{1F600}"]
    private static let fields = ["a", "b", "m.x"]

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    mutating func pick<T>(_ values: [T]) -> T { values[number(0...(values.count - 1))] }

    private static func reference(_ path: String) -> Value { .reference(testDatabase.documentsPrefix + path) }

    private static func path(_ dotted: String) -> FieldPathSegments {
        FieldPathSegments(dotted.split(separator: ".").map { String($0) })
    }

    // MARK: Writes

    private mutating func value() -> Value {
        switch number(0...9) {
        case 0: .array((0..<number(0...3)).map { _ in chance(60) ? .integer(Int64(number(0...3))) : pick([.null, .string("a")]) })
        case 1: .map(FieldMap([("x", .integer(Int64(number(0...3))))]))
        case 2...6: .integer(Int64(number(0...5)))
        default: pick(Self.scalars)
        }
    }

    private mutating func key() -> DocumentKey {
        let id = pick(Self.ids)
        // Only whole ids may be numeric.
        let more = id.hasPrefix("_") || chance(25) ? "" : pick(["1", "2", "3", "x", "y", "\u{E9}"])
        return DocumentKey(trusted: pick(Self.collections) + "/" + id + more)
    }

    private mutating func document() -> FieldMap {
        var fields = FieldMap()
        for name in ["a", "b"] where chance(80) { fields[name] = value() }
        if chance(50) { fields["m"] = chance(80) ? .map(FieldMap([("x", value())])) : value() }
        return fields
    }

    private mutating func operation(on known: [DocumentKey]) -> WatchOperation {
        // There are about fifty documents, so that windows have something behind them.
        let old = known.isEmpty || chance(known.count < 50 ? 60 : 10) ? nil : pick(known)
        switch number(0...9) {
        case 0, 1: return .delete(old ?? key())
        case 2...5: return .patch(old ?? key(), pick(["a", "b"]), value())
        default: return .set(old ?? key(), document())
        }
    }

    /// The next commit, given what may exist. Now and then most of it goes, so that windows run dry.
    mutating func commit(on known: [DocumentKey]) -> [WatchOperation] {
        if known.count > 40, chance(4) {
            // In the order of ids, or of a field.
            let gone = chance(50) ? Array(known.prefix(25)) : known.filter { _ in chance(60) }
            return gone.map { .delete($0) }
        }
        if known.count > 40, chance(4) { return (0..<25).map { _ in .patch(pick(known), "a", .integer(Int64(number(0...5)))) } }
        return (0..<pick([1, 1, 2, 3, 5])).map { _ in operation(on: known) }
    }

    // MARK: Queries

    mutating func query() -> StructuredQuery {
        while true {
            let query = anyQuery()
            do {
                try QueryCheck.check(query, database: testDatabase)
                return query
            } catch { continue }
        }
    }

    private mutating func anyQuery() -> StructuredQuery {
        if chance(8) {
            let scope = QueryScope.kindless(
                under: chance(50) ? nil : DocumentKey(trusted: pick(["c/1", "d/\u{E9}"])), allDescendants: chance(70))
            return StructuredQuery(scope: scope, offset: chance(30) ? 2 : 0, limit: chance(50) ? 4 : nil)
        }
        var query = StructuredQuery(scope: scope())
        if chance(65) { query.filter = filter(depth: 0) }
        var paths = Set<String>()
        for _ in 0..<number(0...2) { paths.insert(pick(Self.fields)) }
        query.orders = paths.sorted().map { FirestoreCore.SortOrder(path: Self.path($0), direction: direction()) }
        if chance(20) { query.orders.append(FirestoreCore.SortOrder(path: .documentID, direction: direction())) }
        if !query.orders.isEmpty {
            if chance(20) { query.start = bound(query.orders) }
            if chance(20) { query.end = bound(query.orders) }
        }
        if chance(60) { query.limit = pick([0, 1, 2, 3, 5, 8, 1_000]) }
        if chance(30) { query.offset = number(0...5) }
        return query
    }

    private mutating func scope() -> QueryScope {
        switch number(0...6) {
        case 0: .collectionGroup(id: "c", under: nil)
        case 1: .collectionGroup(id: "c", under: DocumentKey(trusted: "d/\u{E9}"))
        case 2: .collection(CollectionPath(trusted: pick(["d/1/c", "d"])))
        default: .collection(CollectionPath(trusted: "c"))
        }
    }

    private mutating func direction() -> FirestoreCore.SortOrder.Direction { chance(50) ? .ascending : .descending }

    private mutating func bound(_ orders: [FirestoreCore.SortOrder]) -> QueryBound {
        let values = orders.prefix(number(1...orders.count)).map { order in
            ValueBytes(order.path.isDocumentID ? Self.reference(key().path) : value())
        }
        return QueryBound(values: Array(values), before: chance(50))
    }

    private mutating func filter(depth: Int) -> QueryFilter {
        if depth < 3, chance(40) {
            let filters = (0..<number(1...3)).map { _ in filter(depth: depth + 1) }
            return chance(50) ? .and(filters) : .or(filters)
        }
        let onKey = chance(12)
        let op = pick([
            QueryFilter.FieldOperator.equal, .equal, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
            .notEqual, .in, .notIn, .arrayContains, .arrayContainsAny,
        ])
        func operand(_ random: inout RandomWatching) -> Value { onKey ? Self.reference(random.key().path) : random.value() }
        let value: Value =
            switch op {
            case .in, .notIn, .arrayContainsAny: .array((0..<number(1...3)).map { _ in operand(&self) })
            default: operand(&self)
            }
        return .field(onKey ? .documentID : Self.path(pick(Self.fields)), op, ValueBytes(value))
    }
}

/// One write of a generated case.
enum WatchOperation: Sendable, CustomStringConvertible {
    case set(DocumentKey, FieldMap)
    case patch(DocumentKey, String, Value)
    case delete(DocumentKey)

    var key: DocumentKey {
        switch self {
        case .set(let key, _), .patch(let key, _, _), .delete(let key): key
        }
    }

    var write: Write {
        switch self {
        case .set(let key, let fields): Write(key: key, operation: .set(FieldBytes(fields)))
        case .patch(let key, let name, let value):
            Write(key: key, operation: .patch(FieldBytes(FieldMap([(name, value)])), mask: [FieldPathSegments(name)]))
        case .delete(let key): Write(key: key, operation: .delete)
        }
    }

    var description: String {
        switch self {
        case .set(let key, let fields): "set \(key) \(fields.entries.map { "\($0.name): \($0.value)" })"
        case .patch(let key, let name, let value): "patch \(key) \(name): \(value)"
        case .delete(let key): "delete \(key)"
        }
    }
}
