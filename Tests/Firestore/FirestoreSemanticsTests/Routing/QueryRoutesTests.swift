// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreSemantics

@Suite struct QueryRoutesTests {
    private func asked(_ routes: QueryRoutes, _ old: Document?, _ new: Document?) -> Set<Int> {
        var ids: Set<Int> = []
        if let key = new?.key ?? old?.key { routes.collect(key, old?.fields, new?.fields, into: &ids) }
        return ids
    }

    private func routes(_ filters: [QueryFilter?]) -> QueryRoutes {
        var routes = QueryRoutes()
        for (id, filter) in filters.enumerated() { routes.insert(id, query: .c(filter), database: database) }
        return routes
    }

    /// The ids collected for a change of a document include every id it affects.
    @Test(arguments: 0..<12)
    func `every query that matches the document before or after is found, whatever the filter`(seed: Int) {
        var random = RandomData(seed: UInt64(seed))
        random.hasPendingTimestamps = seed % 3 == 2
        var routes = QueryRoutes()
        var watches: [Int: QueryMatcher] = [:]
        var asked = 0
        var concerned = 0
        for id in 0..<400 {
            if random.chance(10) {
                let key = random.key()
                routes.insert(id, document: key)
                watches[id] = QueryMatcher(
                    .c(.field(.documentID, .equal, ValueBytes(reference(key.path)))).everywhere, database: database)
            } else {
                let query = random.chance(10) ? random.query().everywhere : random.query()
                routes.insert(id, query: query, database: database)
                if query.limit != 0 { watches[id] = QueryMatcher(query, database: database) }
            }
            // Some go again, so that removing is part of it.
            if random.chance(30), let gone = watches.keys.sorted().first {
                routes.remove(gone)
                watches[gone] = nil
            }
        }
        for document in random.documents(120) {
            let old = random.chance(30) ? nil : random.documents(1).first.map { Document(document.key, $0.fields) }
            let new = random.chance(30) && old != nil ? nil : document
            let ids = self.asked(routes, old, new)
            for (id, matcher) in watches where old.map(matcher.matches) == true || new.map(matcher.matches) == true {
                concerned += 1
                #expect(ids.contains(id), "seed \(seed): \(id) is not asked about \(document.key)")
            }
            #expect(ids.allSatisfy { watches[$0] != nil }, "seed \(seed): a removed id is found")
            asked += ids.count
        }
        #expect(concerned > 500, "too few hits to prove anything")
        #expect(asked < 120 * watches.count / 2, "\(asked) questions for \(concerned) hits: nothing is routed")
        for id in watches.keys { routes.remove(id) }
        for id in 0..<400 { routes.remove(id) }
        #expect(routes.isEmpty)
    }

    @Test func `a filter with a value is asked about that value only, before and after`() {
        let routes = routes([
            .field("a", .equal, .integer(1)), .field("a", .in, .array([.integer(2), .string("x")])),
            .field("a", .arrayContains, .integer(1)), .field("a", .arrayContainsAny, .array([.integer(5), .integer(6)])),
            .field("a", .equal, .null), .field("a", .equal, .double(.nan)), .field("m.x", .equal, .boolean(true)),
        ])
        #expect(asked(routes, nil, document("c/1", ("a", .double(1)))) == [0])
        #expect(asked(routes, document("c/1", ("a", .integer(1))), document("c/1", ("a", .string("x")))) == [0, 1])
        #expect(asked(routes, nil, document("c/1", ("a", .array([.integer(6), .integer(1)])))) == [2, 3])
        #expect(asked(routes, nil, document("c/1", ("a", .null))) == [4])
        #expect(asked(routes, nil, document("c/1", ("a", .double(.nan)))) == [5])
        #expect(asked(routes, nil, document("c/1", ("b", .null), ("m", map(("x", .boolean(true)))))) == [6])
        #expect(asked(routes, nil, document("c/1", ("b", .integer(1)))) == [])
        #expect(asked(routes, nil, document("d/1", ("a", .integer(1)))) == [])
    }

    @Test func `ranges are asked about values inside, of their type only`() {
        let routes = routes([
            .field("a", .lessThan, .integer(5)), .field("a", .greaterThanOrEqual, .string("m")),
            .and([.field("a", .greaterThan, .integer(10)), .field("a", .lessThanOrEqual, .integer(20))]),
            .and([.field("a", .greaterThan, .integer(20)), .field("a", .lessThan, .integer(10))]),
            .field("a", .lessThan, .double(.nan)), .field("a", .greaterThan, .null),
        ])
        #expect(asked(routes, nil, document("c/1", ("a", .integer(-7)))) == [0])
        #expect(asked(routes, nil, document("c/1", ("a", .integer(15)))) == [2])
        #expect(asked(routes, nil, document("c/1", ("a", .string("z")))) == [1])
        #expect(asked(routes, nil, document("c/1", ("a", .string("a")))) == [])
        #expect(asked(routes, nil, document("c/1", ("a", .boolean(true)))) == [])
    }

    @Test func `an OR is routed when all its branches are, and asked about everything otherwise`() {
        let routes = routes([
            .or([.field("a", .equal, .integer(1)), .field("b", .greaterThan, .integer(3))]),
            .or([.field("a", .equal, .integer(1)), .field("b", .notEqual, .integer(3))]), .field("a", .notIn, .array([.null])),
        ])
        #expect(asked(routes, nil, document("c/1", ("a", .integer(1)))) == [0, 1])
        #expect(asked(routes, nil, document("c/1", ("b", .integer(4)))) == [0, 1])
        #expect(asked(routes, nil, document("c/1", ("z", .integer(4)))) == [1])
    }

    @Test func `of several conditions the one the fewest share is taken`() {
        let routes = routes(
            (0..<1_000).map { owner in
                .and([.field("kind", .equal, .string("task")), .field("owner", .equal, .integer(Int64(owner)))])
            })
        let task = document("c/1", ("kind", .string("task")), ("owner", .integer(7)))
        // The first one could not know that all the others would ask for tasks too.
        #expect(asked(routes, nil, task).subtracting([0]) == [7])
        #expect(asked(routes, nil, document("c/2", ("kind", .string("note")), ("owner", .integer(-1)))) == [])
    }

    @Test func `many fields cost no more lookups than few`() {
        let routes = routes((0..<3_000).map { .field("f\($0)", .equal, .integer(1)) })
        #expect(asked(routes, nil, document("c/1", ("f7", .integer(1)), ("f8", .integer(2)), ("x", .null))) == [7])
    }

    @Test func `cursors on the first order are a range`() {
        var routes = QueryRoutes()
        let bounds = (QueryBound(.integer(3), before: true), QueryBound(.string("c"), before: false))
        routes.insert(1, query: .c(orders: ["a"], start: bounds.0, end: bounds.1), database: database)
        routes.insert(2, query: .c(orders: ["-a"], start: bounds.1, end: bounds.0), database: database)
        #expect(asked(routes, nil, document("c/1", ("a", .integer(2)))) == [])
        #expect(asked(routes, nil, document("c/1", ("a", .timestamp(TimestampValue(seconds: 1, nanoseconds: 0))))) == [1, 2])
        #expect(asked(routes, nil, document("c/1", ("a", .string("d")))) == [])
    }
}

@Suite struct RangeTableTests {
    @Test(arguments: [1, 2, 3])
    func `a range table finds the ranges that contain a value, after removals too`(seed: UInt64) {
        var random = RandomData(seed: seed)
        var table = RangeTable()
        var model: [Int: EncodedRange] = [:]
        func encoded(_ number: Int) -> EncodedValue {
            let value = ValueBytes(.integer(Int64(number)))
            return withExtendedLifetime(value) { EncodedValue(value.view) }
        }
        for id in 0..<1_500 {
            let lower = random.number(0...300)
            let range = EncodedRange(lower: encoded(lower), upper: encoded(lower + random.number(0...40)))
            table.insert(range, id: id)
            model[id] = range
            if random.chance(45), let (gone, range) = model.randomElement(using: &random.generator) {
                table.remove(range, id: gone)
                model[gone] = nil
            }
        }
        #expect(table.count == model.count)
        for number in -1...341 {
            var found: [Int] = []
            table.forEach(containing: encoded(number)) { found.append($0) }
            #expect(found.sorted() == model.filter { $0.value.contains(encoded(number)) }.map(\.key).sorted(), "\(number)")
        }
        for (id, range) in model { table.remove(range, id: id) }
        #expect(table.count == 0)
    }
}

extension StructuredQuery {
    /// The query over the whole database.
    fileprivate var everywhere: StructuredQuery {
        var copy = self
        copy.scope = .kindless(under: nil, allDescendants: true)
        return copy
    }
}

extension Document {
    fileprivate init(_ key: DocumentKey, _ fields: FieldBytes) {
        self.init(key: key, createTime: .none, updateTime: .none, fields: fields)
    }
}
