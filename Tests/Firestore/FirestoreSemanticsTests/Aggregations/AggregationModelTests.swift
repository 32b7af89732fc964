// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

/// Aggregations equal what one gets by running the query and adding up on trees.
@Suite struct AggregationModelTests {
    @Test(arguments: 500..<512)
    func `the answers are the naive ones, on random documents and queries`(seed: Int) throws {
        var random = RandomData(seed: UInt64(seed))
        random.hasPendingTimestamps = seed % 3 == 2
        let documents = random.documents(60)
        let source = ArrayDocumentSource(documents)
        let naive = try NaiveQueries(documents)
        var counted = 0
        for _ in 0..<200 {
            let query = random.query()
            guard (try? QueryCheck.check(query, database: database)) != nil else { continue }
            let aggregations = Self.aggregations(&random)
            let answers = try AggregationExecutor.run(query, aggregations, over: source, database: database)
            let expected = try Self.answers(query, aggregations, naive, documents)
            if case .integer(let count)? = expected.first { counted += Int(count) }
            #expect(
                answers.map { ValueBytes($0.value) } == expected.map { ValueBytes($0) },
                "seed \(seed): \(answers) instead of \(expected) for \(aggregations) over \(query)")
        }
        #expect(counted > 100, "too few hits to prove anything")
    }

    @Test(arguments: 700..<712)
    func `sums of index entries are the naive ones, whatever indexes there are`(seed: Int) throws {
        var random = RandomData(seed: UInt64(seed))
        let documents = random.documents(60)
        let naive = try NaiveQueries(documents)
        var numbers = 0
        for _ in 0..<40 {
            var queries: [StructuredQuery] = []
            while queries.count < 5 {
                var query = random.query()
                guard (try? QueryCheck.check(query, database: database)) != nil else { continue }
                (query.limit, query.offset, query.orders, query.start, query.end) = (nil, 0, [], nil, nil)
                queries.append(query)
            }
            let field = path(random.pick(["a", "b", "m.x"]))
            let ordered = queries.map { query in
                var query = query
                query.orders = [SortOrder(path: field, direction: random.chance(50) ? .ascending : .descending)]
                return query
            }
            let source = ArrayDocumentSource(documents, indexes: random.indexes(for: ordered))
            let aggregations = [Aggregation(.count(upTo: nil)), Aggregation(.sum(field)), Aggregation(.average(field))]
            for query in queries {
                let answers = try AggregationExecutor.run(query, aggregations, over: source, database: database)
                let expected = try Self.answers(query, aggregations, naive, documents)
                #expect(
                    answers.map { ValueBytes($0.value) } == expected.map { ValueBytes($0) },
                    "seed \(seed): \(answers) instead of \(expected) for \(field) over \(query)")
            }
            numbers += source.reads.numbers
        }
        #expect(numbers > 100, "too few entries to prove anything")
    }

    /// Always a count first.
    private static func aggregations(_ random: inout RandomData) -> [Aggregation] {
        var result = [Aggregation(.count(upTo: random.chance(30) ? random.number(1...5) : nil))]
        for _ in 0..<random.number(0...3) {
            let field = path(random.pick(["a", "a", "b", "m.x"]))
            result.append(Aggregation(random.chance(50) ? .sum(field) : .average(field)))
        }
        return result
    }

    private static func answers(
        _ query: StructuredQuery, _ aggregations: [Aggregation], _ naive: NaiveQueries, _ documents: [Document]
    ) throws -> [Value] {
        var fields: [FieldPathSegments] = []
        for aggregation in aggregations {
            switch aggregation.kind {
            case .count: break
            case .sum(let path), .average(let path): if !fields.contains(path) { fields.append(path) }
            }
        }
        var query = query
        if query.limit != nil || query.offset > 0, !query.orders.contains(where: { $0.path.isDocumentID }) {
            let direction = query.orders.last?.direction ?? .ascending
            query.orders = query.effectiveOrders.filter { !$0.path.isDocumentID }
            for field in fields where !query.orders.contains(where: { $0.path == field }) {
                query.orders.append(SortOrder(path: field, direction: direction))
            }
        }
        let rows = try naive.run(query).compactMap { key in documents.first { $0.key == key } }
            .map { NaiveQueries.Row(key: $0.key, fields: try $0.fields.map) }
            .filter { row in fields.allSatisfy { row.value($0) != nil } }
        return aggregations.map { aggregation in
            switch aggregation.kind {
            case .count(let upTo): .integer(Int64(min(rows.count, upTo ?? .max)))
            case .sum(let path): sum(rows.compactMap { $0.value(path) })
            case .average(let path): average(rows.compactMap { $0.value(path) })
            }
        }
    }

    /// In halves: of the finite numbers the generator makes, all are whole numbers of them, and their sums fit.
    private static func halves(_ values: [Value]) -> (halves: Int64, rest: Double, numbers: Int, hasDouble: Bool) {
        var result = (halves: Int64(0), rest: 0.0, numbers: 0, hasDouble: false)
        for value in values {
            switch value {
            case .integer(let number):
                result.halves += 2 * number
            case .double(let number):
                if number.isFinite { result.halves += Int64(number * 2) } else { result.rest += number }
                result.hasDouble = true
            default: continue
            }
            result.numbers += 1
        }
        return result
    }

    private static func sum(_ values: [Value]) -> Value {
        let (halves, rest, _, hasDouble) = halves(values)
        if !hasDouble { return .integer(halves / 2) }
        return .double(rest == 0 ? Double(halves) / 2 : rest)
    }

    private static func average(_ values: [Value]) -> Value {
        let (halves, rest, numbers, _) = halves(values)
        if numbers == 0 { return .null }
        return .double((rest == 0 ? Double(halves) / 2 : rest) / Double(numbers))
    }
}
