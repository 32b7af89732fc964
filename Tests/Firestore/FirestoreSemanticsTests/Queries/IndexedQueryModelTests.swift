// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreSemantics

/// Whatever indexes there are, the planner's answer is the naive one: 100,000 random queries over random documents and
/// random indexes. A failure is shrunk and printed with its seed.
@Suite struct IndexedQueryModelTests {
    static let seeds = TestScale.pick(quick: 20, full: 400)
    private static let queriesPerSeed = 250

    @Test(arguments: [0, 1, 2, 3])
    func `planner equals naive, whatever the indexes`(part: Int) async throws {
        var counts = Counts()
        for seed in stride(from: part, to: Self.seeds, by: 4) {
            try run(seed: UInt64(seed), &counts)
            // Two simultaneous parts would occupy both threads of a small machine for half a minute.
            await Task.yield()
        }
        #expect(counts.queries == Self.seeds / 4 * Self.queriesPerSeed)
        // Enough of each way to answer, or nothing is proven.
        #expect(counts.found > counts.queries / 4, "\(counts)")
        #expect(counts.indexed > counts.queries / 4, "\(counts)")
        guard TestScale.isFull else { return }
        #expect(counts.merged > 300 && counts.zigzag > 20 && counts.exact > 1_000, "\(counts)")
    }

    private struct Counts {
        var queries = 0
        var found = 0
        var indexed = 0
        var merged = 0
        var zigzag = 0
        var exact = 0

        mutating func note(_ plan: QueryPlan) {
            guard case .indexes(let access) = plan.access else { return }
            indexed += 1
            if access.isOrdered, access.scans.count > 1 { merged += 1 }
            if access.scans.contains(where: { $0.legs.count > 1 }) { zigzag += 1 }
            if access.isExact { exact += 1 }
        }
    }

    private func run(seed: UInt64, _ counts: inout Counts) throws {
        var random = RandomData(seed: seed)
        random.hasPendingTimestamps = seed % 4 == 3
        let documents = random.documents(random.pick([8, 20, 45]))
        let naive = try NaiveQueries(documents)
        var queries: [StructuredQuery] = []
        while queries.count < 50 {
            let query = random.query()
            if (try? QueryCheck.check(query, database: database)) != nil { queries.append(query) }
        }
        let expected = try queries.map { try naive.run($0) }
        for _ in 0..<(Self.queriesPerSeed / queries.count) {
            let indexes = random.indexes(for: queries)
            let source = ArrayDocumentSource(documents, indexes: indexes)
            for (query, expected) in zip(queries, expected) {
                counts.queries += 1
                counts.found += expected.isEmpty ? 0 : 1
                counts.note(try QueryExecutor.plan(query, over: source, database: database))
                guard let difference = try Self.difference(query, source, expected) else { continue }
                let small = try Shrinking.shrink(query, documents, indexes)
                Issue.record("seed \(seed): \(difference); shrunk: \(small)")
                return
            }
        }
    }

    /// What is wrong with the answers, if something is.
    static func difference(
        _ query: StructuredQuery, _ source: some DocumentSource, _ expected: [DocumentKey]
    ) throws -> String? {
        let answer = try QueryExecutor.run(query, over: source, database: database).map(\.key)
        if answer != expected { return "answered \(answer), expected \(expected)" }
        let count = try QueryExecutor.count(query, over: source, database: database)
        if count != expected.count { return "counted \(count), expected \(expected.count)" }
        var met: Set<DocumentKey> = []
        var times = 0
        try QueryExecutor.forEach(query, over: source, database: database) { scanned in
            met.insert(scanned.key)
            times += 1
            return .next
        }
        return met == Set(expected) && times == expected.count ? nil : "walked over \(met), expected \(expected)"
    }
}

/// Makes a failing case small: fewer documents and indexes, less of a query, as long as it fails.
private enum Shrinking {
    static func shrink(
        _ query: StructuredQuery, _ documents: [Document], _ indexes: [IndexDefinition]
    ) throws -> String {
        var (query, documents, indexes) = (query, documents, indexes)
        func fails(_ query: StructuredQuery, _ documents: [Document], _ indexes: [IndexDefinition]) throws -> Bool {
            guard (try? QueryCheck.check(query, database: database)) != nil else { return false }
            let expected = try NaiveQueries(documents).run(query)
            return try IndexedQueryModelTests.difference(query, ArrayDocumentSource(documents, indexes: indexes), expected) != nil
        }
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for index in indexes.indices.reversed() {
                var fewer = indexes
                fewer.remove(at: index)
                if try fails(query, documents, fewer) { (indexes, isSmaller) = (fewer, true) }
            }
            for index in documents.indices.reversed() {
                var fewer = documents
                fewer.remove(at: index)
                if try fails(query, fewer, indexes) { (documents, isSmaller) = (fewer, true) }
            }
            for less in simpler(query) where try fails(less, documents, indexes) {
                (query, isSmaller) = (less, true)
                break
            }
        }
        let source = ArrayDocumentSource(documents, indexes: indexes)
        let plan = try QueryExecutor.plan(query, over: source, database: database)
        let answer = try QueryExecutor.run(query, over: source, database: database).map(\.key)
        let expected = try NaiveQueries(documents).run(query)
        let shown = try documents.map { "\($0.key): \(try $0.fields.map)" }
        let filter = try query.filter.map(show) ?? "none"
        return """
            filter \(filter), orders \(query.orders), start \(String(describing: query.start)), end \
            \(String(describing: query.end)), offset \(query.offset), limit \(String(describing: query.limit)), scope \(query.scope)
            plan \(plan), indexes \(indexes), documents \(shown), answer \(answer), expected \(expected)
            """
    }

    private static func show(_ filter: QueryFilter) throws -> String {
        switch filter {
        case .field(let path, let op, let value): "\(path.canonical) \(op.rawValue) \(try value.value)"
        case .and(let filters): "and(\(try filters.map(show).joined(separator: ", ")))"
        case .or(let filters): "or(\(try filters.map(show).joined(separator: ", ")))"
        }
    }

    private static func simpler(_ query: StructuredQuery) -> [StructuredQuery] {
        var result: [StructuredQuery] = []
        func with(_ change: (inout StructuredQuery) -> Void) {
            var copy = query
            change(&copy)
            if copy != query { result.append(copy) }
        }
        with { $0.limit = nil }
        with { $0.offset = 0 }
        with { $0.start = nil }
        with { $0.end = nil }
        with { $0.filter = nil }
        with { query in
            query.orders = []
            query.start = nil
            query.end = nil
        }
        for filter in query.filter.map(simpler) ?? [] { with { $0.filter = filter } }
        return result
    }

    private static func simpler(_ filter: QueryFilter) -> [QueryFilter] {
        switch filter {
        case .field: return []
        case .and(let filters), .or(let filters):
            let isAnd = if case .and = filter { true } else { false }
            var result = filters
            for index in filters.indices {
                var fewer = filters
                fewer.remove(at: index)
                if !fewer.isEmpty { result.append(isAnd ? .and(fewer) : .or(fewer)) }
                for less in simpler(filters[index]) {
                    var changed = filters
                    changed[index] = less
                    result.append(isAnd ? .and(changed) : .or(changed))
                }
            }
            return result
        }
    }
}

extension RandomData {
    /// Some that the queries would like, some whole, some reversed, and a few at random.
    mutating func indexes(for queries: [StructuredQuery]) -> [IndexDefinition] {
        var indexes: Set<IndexDefinition> = []
        for query in queries where chance(30) {
            for ideal in IdealIndex.all(for: query) { indexes.insert(chance(30) ? ideal.reversed : ideal) }
        }
        for name in ["a", "b", "c", "m.x", "m"] {
            for scope in IndexDefinition.Scope.allCases {
                if chance(40) { indexes.insert(IndexDefinition(collectionID: "c", scope: scope, fields: [.init(path(name))])) }
                if chance(20) {
                    indexes.insert(IndexDefinition(collectionID: "c", scope: scope, fields: [.init(path(name), .arrayContains)]))
                }
            }
        }
        return indexes.sorted { "\($0)" < "\($1)" }
    }
}
