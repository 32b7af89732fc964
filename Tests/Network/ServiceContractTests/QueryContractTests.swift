// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

/// What every `DocumentService` answers.
@Suite struct QueryContractTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let query: StructuredQuery
        let result: [String]
        var testDescription: String { name }
    }

    private static func fill(_ service: any DocumentService) async throws {
        var writes: [Write] = []
        for number in 0..<20 {
            writes.append(
                .set(
                    "c/\(100 + number)", ("n", .integer(Int64(number))), ("m", .integer(Int64(number % 3))),
                    ("a", .array([.integer(Int64(number % 4)), .string("x")]))))
        }
        writes.append(.set("c/100/g/1", ("n", .integer(1))))
        writes.append(.set("d/1/g/2", ("n", .string("text"))))
        writes.append(.set("g/3", ("n", .null)))
        _ = try await service.commit(writes, context: .embedded)
    }

    private static func and(_ filters: QueryFilter...) -> StructuredQuery {
        var query = StructuredQuery.collection("c")
        query.filter = .and(filters)
        return query
    }

    private static func field(_ name: String, _ op: QueryFilter.FieldOperator, _ value: Value) -> QueryFilter {
        .field(FieldPathSegments(name), op, ValueBytes(value))
    }

    private static func cursor(_ query: StructuredQuery, start: [Value]?, end: [Value]?, before: Bool) -> StructuredQuery {
        var query = query
        query.start = start.map { QueryBound(values: $0.map { ValueBytes($0) }, before: before) }
        query.end = end.map { QueryBound(values: $0.map { ValueBytes($0) }, before: before) }
        return query
    }

    private static func paths(_ range: some Sequence<Int>) -> [String] { range.map { "c/\(100 + $0)" } }

    static let rows: [Row] = [
        Row(name: "all", query: .collection("c"), result: paths(0..<20)),
        Row(name: "none", query: .collection("none"), result: []),
        Row(name: "equal", query: .collection("c").filter("n", .equal, .double(4)), result: paths([4])),
        Row(name: "less", query: .collection("c").filter("n", .lessThan, .integer(3)), result: paths(0..<3)),
        Row(name: "not equal", query: .collection("c").filter("m", .notEqual, .integer(0)).window(limit: 3), result: paths([1, 4, 7])),
        Row(name: "in", query: .collection("c").filter("n", .in, .array([.integer(7), .integer(2)])), result: paths([2, 7])),
        Row(name: "array contains", query: .collection("c").filter("a", .arrayContains, .integer(3)), result: paths([3, 7, 11, 15, 19])),
        Row(name: "and", query: and(field("m", .equal, .integer(1)), field("n", .greaterThan, .integer(9))), result: paths([10, 13, 16, 19])),
        Row(
            name: "or", query: { var query = StructuredQuery.collection("c"); query.filter = .or([field("n", .equal, .integer(1)), field("n", .equal, .integer(8))]); return query }(),
            result: paths([1, 8])),
        Row(name: "descending", query: .collection("c").ordered(by: "n", .descending).window(limit: 3), result: paths([19, 18, 17])),
        Row(name: "two orders", query: .collection("c").ordered(by: "m", .descending).ordered(by: "n").window(limit: 3), result: paths([2, 5, 8])),
        Row(name: "offset", query: .collection("c").ordered(by: "n").window(offset: 17, limit: 10), result: paths(17..<20)),
        Row(name: "limit zero", query: .collection("c").window(limit: 0), result: []),
        Row(name: "from", query: cursor(.collection("c").ordered(by: "n"), start: [.integer(17)], end: nil, before: true), result: paths(17..<20)),
        Row(name: "behind", query: cursor(.collection("c").ordered(by: "n"), start: [.integer(17)], end: nil, before: false), result: paths(18..<20)),
        Row(name: "up to", query: cursor(.collection("c").ordered(by: "n"), start: nil, end: [.integer(2)], before: true), result: paths(0..<2)),
        Row(name: "group", query: .group("g"), result: ["c/100/g/1", "d/1/g/2", "g/3"]),
        Row(name: "group by value", query: .group("g").ordered(by: "n"), result: ["g/3", "c/100/g/1", "d/1/g/2"]),
        Row(
            name: "group below a document",
            query: StructuredQuery(scope: .collectionGroup(id: "g", under: DocumentKey(trusted: "d/1"))), result: ["d/1/g/2"]),
    ]

    @Test("queries", arguments: ServiceMode.allCases)
    func queries(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            try await Self.fill(service)
            for row in Self.rows {
                #expect(try await service.paths(row.query) == row.result, "\(row.name)")
                let paged = Mutex<[String]>([])
                try await service.run(row.query, options: .latest, context: .embedded) { (page: QueryResponse) async throws(FirestoreError) in
                    paged.withLock { $0 += page.documents.map(\.key.path) }
                    return .next
                }
                #expect(paged.withLock { $0 } == row.result, "\(row.name), in pages")
                let count = try await service.aggregate(row.query, [Aggregation(.count(upTo: nil))], options: .latest, context: .embedded)
                #expect(count.values.map { text($0.value) } == [text(.integer(Int64(row.result.count)))], "\(row.name), counted")
            }
        }
    }

    @Test("a projection leaves the fields asked for", arguments: ServiceMode.allCases)
    func projection(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            try await Self.fill(service)
            var query = StructuredQuery.collection("c").window(limit: 2)
            query.projection = [FieldPathSegments("m")]
            #expect(try await service.run(query, context: .embedded).documents.map(\.fields) == [0, 1].map { FieldBytes(FieldMap([("m", .integer($0))])) })
            query.projection = [.documentID]
            #expect(try await service.run(query, context: .embedded).documents.map(\.fields) == [.empty, .empty])
        }
    }

    @Test("reads at a past moment see the state of that moment, and reads in the future fail", arguments: ServiceMode.allCases) // QR-48
    func past(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            try await Self.fill(service)
            let then = try #require(try await service.get("c/100")).updateTime
            try await service.commit(.delete("c/100"), .set("c/101"), .set("c/new"))
            #expect(try await service.paths(.collection("c"), at: .past(then)) == Self.paths(0..<20))
            #expect(try await service.get("c/100", at: .past(then)) != nil)
            #expect(try await service.get("c/new", at: .past(then)) == nil)
            let sum = try await service.aggregate(.collection("c"), [Aggregation(.sum(FieldPathSegments("n")))], options: .past(then), context: .embedded)
            #expect(sum.values.map { text($0.value) } == [text(.integer(190))])
            let future = DocumentVersion(microseconds: then.microseconds + 3_600_000_000)
            await expectError(.invalidArgument) { try await service.paths(.collection("c"), at: .past(future)) }
        }
    }

    @Test("numbers over a result, under their names", arguments: ServiceMode.allCases)
    func aggregates(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            try await Self.fill(service)
            let wanted = [
                Aggregation(.count(upTo: nil), alias: "all"), Aggregation(.sum(FieldPathSegments("n")), alias: "sum"),
                Aggregation(.average(FieldPathSegments("n"))), Aggregation(.count(upTo: 7), alias: "some"),
            ]
            let found = try await service.aggregate(.collection("c"), wanted, options: .latest, context: .embedded)
            let values = Dictionary(uniqueKeysWithValues: found.values.map { ($0.alias, text($0.value)) })
            #expect(values == ["all": text(.integer(20)), "sum": text(.integer(190)), "field_1": text(.double(9.5)), "some": text(.integer(7))])
            await expectError(.invalidArgument) { try await service.aggregate(.collection("c"), [], options: .latest, context: .embedded) }
        }
    }

    @Test("a long result comes in pages of one moment, and a cancelled read gets no more", arguments: ServiceMode.allCases)
    func pages(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            let long = Value.string(String(repeating: "x", count: 50_000))
            for start in stride(from: 0, to: 80, by: 40) {
                _ = try await service.commit((start..<start + 40).map { .set("c/\(1_000 + $0)", ("t", long)) }, context: .embedded)
            }
            for stops in [false, true] {
                let pages = Mutex<[QueryResponse]>([])
                try await service.run(.collection("c"), options: .latest, context: .embedded) { (page: QueryResponse) async throws(FirestoreError) in
                    let isFirst = pages.withLock { pages in
                        pages.append(page)
                        return pages.count == 1
                    }
                    if isFirst { try await service.commit(.set("c/9999"), .delete("c/1079")) }
                    return stops ? .stop : .next
                }
                let found = pages.withLock { $0 }
                #expect(found.count > 1 || stops)
                #expect(Set(found.map(\.readTime)).count == 1)
                if !stops { #expect(found.flatMap(\.documents).count == 80) } else { #expect(found.count == 1) }
                try await service.commit(.delete("c/9999"), .set("c/1079", ("t", long)))
            }
        }
    }

    @Test("an invalid query is rejected, and a valid one is explained where the mode can", arguments: ServiceMode.allCases)
    func refusals(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            try await Self.fill(service)
            await expectError(.invalidArgument) { try await service.paths(.collection("c").window(limit: -1)) }
            await expectError(.invalidArgument) { try await service.paths(.collection("c").filter("n", .in, .integer(1))) }
            await expectError(.invalidArgument) { try await service.paths(.collection("c/d")) }
            let explanation = try await service.explain(.collection("c").filter("n", .equal, .integer(1)), analyze: true, options: .latest, context: .embedded)
            #expect(explanation.statistics?.results == 1)
        }
    }
}
