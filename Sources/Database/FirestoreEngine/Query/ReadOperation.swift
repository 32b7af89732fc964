// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreIndexing
import FirestoreSemantics
import FirestoreStorage

/// A read at any moment (QR-47).
protocol ReadOperation: Sendable {
    associatedtype Answer: Sendable

    /// The answer as of now, and its moment. Conformers with a faster way than a snapshot override this.
    func latest(in store: any DocumentStore) async throws(FirestoreError) -> (answer: Answer, time: DocumentVersion)

    func answer(from snapshot: some StoreSnapshot) throws(FirestoreError) -> Answer

    /// The answer at a moment earlier than the snapshot.
    func answer(from snapshot: some StoreSnapshot, at time: DocumentVersion) throws(FirestoreError) -> Answer

    /// The state that must stay unchanged for the answer to stay the same.
    func dependency(of answer: Answer) -> ReadDependency

    /// Where transactions with the same reads take turns: documents, or the scope of a query.
    var places: [DocumentKey] { get }

    /// Reads the store on a thread, perhaps later: reads that compute for long wait for one another.
    func read<R: Sendable>(
        _ store: any DocumentStore, _ body: @escaping @Sendable (any StoreSnapshot) throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R
}

extension ReadOperation {
    var places: [DocumentKey] { [] }

    func read<R: Sendable>(
        _ store: any DocumentStore, _ body: @escaping @Sendable (any StoreSnapshot) throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R { try await store.read(body) }

    func latest(in store: any DocumentStore) async throws(FirestoreError) -> (answer: Answer, time: DocumentVersion) {
        let timed = try await overView(in: store)
        return (timed.answer, timed.time)
    }

    /// Reads on a thread of the database.
    func overView(in store: any DocumentStore) async throws(FirestoreError) -> Timed<Answer> {
        try await read(store) { (snapshot: any StoreSnapshot) throws(FirestoreError) in
            Timed(answer: try answer(from: snapshot), time: snapshot.readTime)
        }
    }
}

/// An answer and its moment.
struct Timed<Answer: Sendable>: Sendable {
    let answer: Answer
    let time: DocumentVersion
}

/// Documents by key, nil where missing.
struct DocumentRead: ReadOperation {
    let keys: [DocumentKey]

    var places: [DocumentKey] { keys }

    func latest(in store: any DocumentStore) async throws(FirestoreError) -> (answer: [Document?], time: DocumentVersion) {
        let lookup = try await store.lookup(keys)
        return (lookup.documents, lookup.readTime)
    }

    func answer(from snapshot: some StoreSnapshot) throws(FirestoreError) -> [Document?] {
        try snapshot.documents(keys).documents
    }

    func answer(from snapshot: some StoreSnapshot, at time: DocumentVersion) throws(FirestoreError) -> [Document?] {
        try snapshot.documents(keys, at: time)
    }

    func dependency(of answer: [Document?]) -> ReadDependency {
        .documents(zip(keys, answer).map { ($0, $1?.updateTime ?? .none) })
    }
}

/// The result of a query.
struct QueryRead: ReadOperation {
    let query: StructuredQuery
    let database: DatabaseID
    let indexes: IndexManager
    let report: ReadReport

    var places: [DocumentKey] { [DocumentKey(trusted: query.scope.place)] }

    /// Reads of up to this many documents are cheaper than a hop to another thread and back.
    static let few = 32

    func latest(in store: any DocumentStore) async throws(FirestoreError) -> (answer: [Document], time: DocumentVersion) {
        if let limit = query.limit, limit <= Self.few, query.nearest == nil, query.projection == nil,
            let timed = try store.readNow({ (snapshot: any StoreSnapshot) throws(FirestoreError) in try few(from: snapshot) })
        {
            return (timed.answer, timed.time)
        }
        if let search = query.nearest, store.traits.hasSeveralReaders {
            if let timed = try await find(search, bySketchIn: store) { return (timed.answer, timed.time) }
            if let timed = try await share(search, in: store) { return (timed.answer, timed.time) }
        }
        let timed = try await overView(in: store)
        return (timed.answer, timed.time)
    }

    /// The answer, if the plan guarantees that it takes few steps.
    private func few(from snapshot: some StoreSnapshot) throws(FirestoreError) -> Timed<[Document]>? {
        let plan = try QueryExecutor.plan(query, over: snapshot, database: database)
        guard plan.isBounded(by: Self.few) else { return nil }
        report.began()
        let counters = QueryCounters()
        let documents = try QueryExecutor.run(plan, of: query, over: snapshot, database: database, counters: counters)
        indexes.observe(query, counters, results: documents.count, at: snapshot.readTime)
        report.ended(counters)
        return Timed(answer: documents, time: snapshot.readTime)
    }

    func answer(from snapshot: some StoreSnapshot) throws(FirestoreError) -> [Document] {
        report.began()
        let counters = QueryCounters()
        let documents = try QueryAnswer.documents(of: query, over: snapshot, database: database, counters: counters)
        // A vector search has to visit all matching documents.
        let results = query.nearest == nil ? documents.count : counters.matches
        indexes.observe(query, counters, results: results, at: snapshot.readTime)
        report.ended(counters)
        return documents
    }

    func answer(from snapshot: some StoreSnapshot, at time: DocumentVersion) throws(FirestoreError) -> [Document] {
        let past = PastSnapshot(snapshot, at: time, states: try snapshot.states(at: time, in: query.scope))
        report.began()
        let counters = QueryCounters()
        let documents = try QueryAnswer.documents(of: query, over: past, database: database, counters: counters)
        report.ended(counters)
        return documents
    }

    func dependency(of answer: [Document]) -> ReadDependency {
        .query(
            // A projected document does not show its position in the order.
            QueryDependency(query, result: answer, database: database, isWhole: query.projection != nil))
    }
}

/// Aggregates over the result of a query.
struct AggregationRead: ReadOperation {
    typealias Answer = [(alias: String, value: Value)]

    let query: StructuredQuery
    let aggregations: [Aggregation]
    let database: DatabaseID
    let indexes: IndexManager
    let report: ReadReport

    var places: [DocumentKey] { [DocumentKey(trusted: query.scope.place)] }

    func answer(from snapshot: some StoreSnapshot) throws(FirestoreError) -> Answer {
        report.began()
        let counters = QueryCounters()
        let answer = try AggregationExecutor.run(query, aggregations, over: snapshot, database: database, counters: counters)
        indexes.observe(query, counters, results: query.limit.map { min($0, counters.matches) } ?? counters.matches, at: snapshot.readTime)
        report.ended(counters)
        return answer
    }

    func answer(from snapshot: some StoreSnapshot, at time: DocumentVersion) throws(FirestoreError) -> Answer {
        let past = PastSnapshot(snapshot, at: time, states: try snapshot.states(at: time, in: query.scope))
        report.began()
        let counters = QueryCounters()
        let answer = try AggregationExecutor.run(query, aggregations, over: past, database: database, counters: counters)
        report.ended(counters)
        return answer
    }

    func dependency(of answer: Answer) -> ReadDependency {
        .query(QueryDependency(query, result: [], database: database, isWhole: true))
    }
}
