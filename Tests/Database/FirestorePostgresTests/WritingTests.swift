// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import FirestorePostgres
    import FirestoreStorage
    import Foundation
    import PostgresLink
    import PostgresServer
    import Testing

    @Suite(.needsPostgres)
    struct WritingTests {
        private let key = DocumentKey(trusted: "a/1")

        private func document(_ number: Int, at time: Int64) -> Document {
            let time = DocumentVersion(microseconds: time)
            return Document(key: key, createTime: time, updateTime: time, fields: FieldBytes(fields(number)))
        }

        /// DN-7.1: the traps are a condition behind another commit of the group, and a batch behind another of its stream.
        @Test func `a group sees the changes of its earlier commits`() throws {
            let store = try TestCluster().held { try $0.store() }
            try store.value.write { (transaction: any StoreTransaction) throws(FirestoreError) in
                let last = transaction.lastCommitTime.microseconds
                try transaction.savepoint { () throws(FirestoreError) in
                    try transaction.store(
                        CommittedChange(key: key, old: nil, new: document(1, at: last + 1)), at: .init(microseconds: last + 1))
                    try transaction.setFact("s/1", ByteSlice([7]))
                }
                #expect(try transaction.document(key)?.updateTime.microseconds == last + 1)
                let states = try states(transaction, at: last, in: .collection(key.collection))
                #expect(states.map(\.key) == [key] && states.map(\.document) == [nil] && states[0].current != nil)
                #expect(try facts(transaction) == ["s/1": [7]])
                // A second commit, which is taken back.
                _ = try? transaction.savepoint { () throws(FirestoreError) in
                    try transaction.store(
                        CommittedChange(key: key, old: document(1, at: last + 1), new: nil), at: .init(microseconds: last + 2))
                    try transaction.removeFacts(in: "s/"..<"s0")
                    #expect(try transaction.document(key) == nil)
                    #expect(try facts(transaction).isEmpty)
                    throw FirestoreError(.aborted, "no")
                }
                #expect(try transaction.document(key) != nil)
                #expect(try facts(transaction) == ["s/1": [7]])
                #expect(try self.states(transaction, at: last + 1, in: .collection(key.collection)).isEmpty)
                try transaction.setLastCommitTime(.init(microseconds: last + 1))
            }
            try store.value.read { (snapshot) throws(FirestoreError) in
                #expect(try snapshot.document(key) != nil)
                #expect(try snapshot.fact("s/1")?.array == [7])
            }
        }

        private func states(
            _ transaction: any StoreTransaction, at time: Int64, in scope: QueryScope
        ) throws(FirestoreError) -> [EarlierState] {
            var states: [EarlierState] = []
            try transaction.states(at: .init(microseconds: time), in: scope) { state in
                states.append(state)
                return .next
            }
            return states
        }

        private func facts(_ transaction: any StoreTransaction) throws(FirestoreError) -> [String: [UInt8]] {
            var facts: [String: [UInt8]] = [:]
            try transaction.facts(in: "s/"..<"s0") { facts[$0] = [UInt8]($1) }
            return facts
        }

        @Test func `a failed transaction leaves nothing`() throws {
            let store = try TestCluster().held { try $0.store() }
            try store.value.put(["a/1": fields(1)])
            #expect(throws: FirestoreError.self) {
                try store.value.write { (transaction: any StoreTransaction) throws(FirestoreError) in
                    try transaction.setFact("f", ByteSlice([1]))
                    throw FirestoreError(.aborted, "no")
                }
            }
            #expect(try store.value.read { (snapshot) throws(FirestoreError) in try snapshot.fact("f") } == nil)
            try store.value.put(["a/2": fields(2)])
        }

        /// DN-9.7.
        @Test func `round trips are few`() async throws {
            let held = try TestCluster().held { try $0.store() }
            let store = held.value
            try store.put(Dictionary(uniqueKeysWithValues: (0..<40).map { ("a/\($0)", fields($0)) }))
            _ = try await store.lookup([key])
            #expect(store.lastRoundTrips == 1, "point read")
            _ = try await store.lookup((0..<40).map { DocumentKey(trusted: "a/\($0)") })
            #expect(store.lastRoundTrips == 1, "batch get")
            _ = try await store.lookup([DocumentKey(trusted: "unknown/1"), key])
            #expect(store.lastRoundTrips == 1, "batch get with a collection that is not known")
            try store.put(["a/1": fields(5), "a/2": nil], needs: [key, DocumentKey(trusted: "a/2")])
            #expect(store.lastRoundTrips == 2, "group commit with needs")
            try store.put(["a/1": fields(6)])
            #expect(store.lastRoundTrips == 3, "commit without needs")
            let index = try makeIndex(store)
            try store.read { (snapshot) throws(FirestoreError) in
                let cursor = try snapshot.entries(of: index, in: CollectionPath(trusted: "a"), range: IndexRange(), descending: false)
                var count = 0
                while count < 20, try cursor.next() {
                    try snapshot.withDocument(cursor.document) { _ in count += 1 }
                }
                #expect(count == 20)
            }
            #expect(store.lastRoundTrips <= 2, "top 20 of an index")
            _ = try store.commitLog?.commits(after: store.read { $0.readTime }, limit: 100)
            #expect(store.lastRoundTrips == 1, "tail")
        }

        private func makeIndex(_ store: PostgresStore) throws -> ReadyIndex {
            let field = IndexDefinition.Field(FieldPathSegments(["n"]), .ascending)
            let definition = IndexDefinition(collectionID: "a", scope: .collection, fields: [field], nameDirection: .ascending)
            try store.write { (transaction: any StoreTransaction) throws(FirestoreError) in
                try transaction.addIndex(definition, isConfigured: true)
                guard let index = try transaction.catalog().indexes.first else { return }
                try transaction.setReady(index)
                _ = try transaction.walk(collectionID: "a", after: nil) { (place, _) throws(FirestoreError) in
                    try transaction.addEntry(place.id.array, of: index, at: place, kinds: 0)
                    return .next
                }
            }
            return try #require(try store.read { (snapshot) throws(FirestoreError) in try snapshot.indexes(on: "a") }.first)
        }
    }

    /// A value with the schema that it lives in.
    struct Held<Value> {
        let value: Value
        let cluster: TestCluster
    }

    extension TestCluster {
        func held<Value>(_ make: (TestCluster) throws -> Value) rethrows -> Held<Value> { Held(value: try make(self), cluster: self) }
    }
#endif
