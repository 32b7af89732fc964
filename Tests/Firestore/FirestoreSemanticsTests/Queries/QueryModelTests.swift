// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

/// The executor's answer equals a naive filter-and-sort over all documents.
@Suite struct QueryModelTests {
    @Test(arguments: 0..<24)
    func `the answer is the naive one, on random documents and queries`(seed: Int) throws {
        var random = RandomData(seed: UInt64(seed))
        random.hasPendingTimestamps = seed % 3 == 2
        let documents = random.documents(seed % 4 == 0 ? 150 : 40)
        let source = ArrayDocumentSource(documents)
        let naive = try NaiveQueries(documents)
        var legal = 0
        var found = 0
        for _ in 0..<300 {
            let query = random.query()
            guard isLegal(query) else { continue }
            legal += 1
            let answer = try QueryExecutor.run(query, over: source, database: database)
            let expected = try naive.run(query)
            found += expected.count
            #expect(
                answer.map(\.key) == expected,
                "seed \(seed): \(QueryPlanner.plan(query, database: database)) for \(query)")
        }
        #expect(legal > 100 && found > 100, "too few legal queries (\(legal)) or hits (\(found)) to prove anything")
    }

    /// The matcher says of every single document what the executor's answer says, without offset and limit.
    @Test(arguments: 100..<110)
    func `the matcher and the comparator agree with the executor`(seed: Int) throws {
        var random = RandomData(seed: UInt64(seed))
        let documents = random.documents(60)
        let source = ArrayDocumentSource(documents)
        for _ in 0..<200 {
            var query = random.query()
            query.limit = nil
            query.offset = 0
            guard isLegal(query) else { continue }
            let matcher = QueryMatcher(query, database: database)
            let ordering = DocumentOrdering(query.effectiveOrders)
            let answer = try QueryExecutor.run(query, over: source, database: database)
            #expect(Set(documents.filter { matcher.matches($0) }.map(\.key)) == Set(answer.map(\.key)))
            for (left, right) in zip(answer, answer.dropFirst()) {
                #expect(ordering.compare(left, right) < 0 && ordering.compare(right, left) > 0)
            }
        }
    }

    /// Every value the generator makes orders on bytes as it does on trees.
    @Test func `random values order on bytes as on trees`() {
        var random = RandomData(seed: 99)
        random.hasPendingTimestamps = true
        let values = (0..<150).map { _ in random.storedValue() }
        for left in values {
            for right in values {
                let (leftBytes, rightBytes) = (ValueBytes(left), ValueBytes(right))
                #expect(
                    ValueOrdering.compare(leftBytes.view, rightBytes.view).signum()
                        == NaiveValues.compare(left, right).signum(),
                    "\(left) against \(right)")
            }
        }
    }

    private func isLegal(_ query: StructuredQuery) -> Bool {
        do {
            try QueryCheck.check(query, database: database)
            return true
        } catch {
            return false
        }
    }
}
