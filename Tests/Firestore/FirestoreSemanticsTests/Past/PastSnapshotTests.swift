// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreSemantics

/// A view of the past answers every query as the database of then would, whatever has changed and been indexed since.
@Suite struct PastSnapshotTests {
    private static let then = DocumentVersion(microseconds: 1)

    /// A database after random changes: its documents, and what the change log reports of the changed ones.
    private struct Change {
        var now: [Document] = []
        var states: [EarlierState] = []

        init(from documents: [Document], _ random: inout RandomData) {
            var before: [DocumentKey: Document] = [:]
            var after: [DocumentKey: Document] = [:]
            for document in documents {
                before[document.key] = document
                after[document.key] = document
            }
            var changed: Set<DocumentKey> = []
            for document in random.documents(random.number(0...25)) {
                let key = (random.chance(60) ? documents.randomElement(using: &random.generator)?.key : nil) ?? document.key
                let isThere = !random.chance(35)
                // Something that came and went is in the log as well.
                guard isThere || before[key] != nil || random.chance(30) else { continue }
                changed.insert(key)
                after[key] = isThere
                    ? Document(
                        key: key, createTime: PastSnapshotTests.then, updateTime: DocumentVersion(microseconds: 5),
                        fields: document.fields) : nil
            }
            now = after.values.sorted { $0.key < $1.key }
            let rows = Dictionary(uniqueKeysWithValues: now.enumerated().map { ($0.element.key, DocumentHandle(Int64($0.offset))) })
            states = changed.sorted().reversed().map { key in
                EarlierState(key: key, document: before[key], current: rows[key])
            }
        }
    }

    @Test(arguments: 0..<30)
    func `queries, counts and walks over the past return the state of that time`(seed: Int) throws {
        var random = RandomData(seed: UInt64(10_000 + seed))
        var found = 0
        var indexed = 0
        for _ in 0..<3 {
            let documents = random.documents(random.pick([8, 20, 45]))
            let change = Change(from: documents, &random)
            let naive = try NaiveQueries(documents)
            var queries: [StructuredQuery] = []
            while queries.count < 50 {
                let query = random.query()
                if (try? QueryCheck.check(query, database: database)) != nil { queries.append(query) }
            }
            let base = ArrayDocumentSource(change.now, indexes: random.indexes(for: queries))
            for query in queries {
                let past = PastSnapshot(base, at: Self.then, states: change.states.filter { query.scope.contains($0.key) })
                let expected = try naive.run(query)
                found += expected.isEmpty ? 0 : 1
                if case .indexes = try QueryExecutor.plan(query, over: past, database: database).access { indexed += 1 }
                let difference = try IndexedQueryModelTests.difference(query, past, expected)
                #expect(difference == nil, "seed \(seed): \(query)")
                let answer = try QueryExecutor.run(query, over: past, database: database)
                #expect(answer.allSatisfy(documents.contains), "documents as they were")
            }
            let whole = PastSnapshot(base, at: Self.then, states: change.states)
            for key in documents.map(\.key) + change.now.map(\.key) {
                #expect(try whole.document(key) == documents.first { $0.key == key })
            }
        }
        #expect(found > 20 && indexed > 20, "\(found) with a result, \(indexed) with an index")
    }

    @Test(arguments: [false, true])
    func `a cursor over the past moves and seeks like one over an index of then`(descending: Bool) throws {
        var random = RandomData(seed: 7)
        let index = ReadyIndex(number: 0, definition: IndexDefinition(collectionID: "c", fields: [.init(FieldPathSegments("a"))]))
        let collection = CollectionPath(trusted: "c")
        func walk(_ cursor: any IndexCursor, _ seeks: [[UInt8]]) throws -> [[UInt8]] {
            var keys: [[UInt8]] = []
            var rest = seeks[...]
            while try cursor.next() {
                let key = Array(cursor.key)
                keys.append(key)
                guard let target = rest.popFirst() else { continue }
                // Forward only.
                let isBehind = descending ? key.lexicographicallyPrecedes(target) : target.lexicographicallyPrecedes(key)
                if !isBehind { try cursor.seek(target) }
            }
            #expect(try !cursor.next(), "the end stays the end")
            return keys
        }
        for _ in 0..<60 {
            let documents = random.documents(30)
            let change = Change(from: documents, &random)
            let base = ArrayDocumentSource(change.now, indexes: [index.definition])
            let past = PastSnapshot(base, at: Self.then, states: change.states)
            let then = ArrayDocumentSource(documents, indexes: [index.definition])
            var targets: [[UInt8]] = []
            for _ in 0..<5 {
                let value = ValueBytes(random.value())
                targets.append(withExtendedLifetime(value) { IndexValueEncoding.encode(value.view) })
            }
            targets.sort { descending ? $1.lexicographicallyPrecedes($0) : $0.lexicographicallyPrecedes($1) }
            let range = random.chance(50) ? IndexRange() : IndexRange(lower: targets.min { $0.lexicographicallyPrecedes($1) } ?? [])
            let expected = try walk(then.entries(of: index, in: collection, range: range, descending: descending), targets)
            let keys = try walk(past.entries(of: index, in: collection, range: range, descending: descending), targets)
            #expect(keys == expected)
        }
    }
}
