// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreIndexing
import FirestorePipelines
import FirestoreSemantics
import FirestoreStorage

/// The rows of a pipeline, all read over one snapshot.
struct PipelineRead: ReadOperation {
    struct Answer: Sendable {
        var output: PipelineOutput
        /// The versions of the documents that the pipeline names.
        var versions: [(key: DocumentKey, version: DocumentVersion)]
        /// What the execution has cost, in words; empty unless asked for.
        var statistics = ""
    }

    let pipeline: CheckedPipeline
    let database: DatabaseID
    let time: TimestampValue
    let budget: PipelineBudget
    let lane: PipelineLane
    /// nil where every reader has a snapshot.
    let memory: MemorySnapshots?
    /// What to read of the result.
    var part = PipelinePart.everything
    let indexes: IndexManager
    let report: ReadReport
    /// Whether the answer says what it has cost.
    var isAnalyzed = false

    var places: [DocumentKey] {
        pipeline.reads.scopes.map { DocumentKey(trusted: $0.place) }.sorted() + pipeline.reads.keys.sorted()
    }

    /// Pipelines that want a few rows, which an index finds, are answered on the thread of the caller, like such queries.
    func latest(in store: any DocumentStore) async throws(FirestoreError) -> (answer: Answer, time: DocumentVersion) {
        if !isAnalyzed, pipeline.isQuick(atMost: QueryRead.few),
            let timed = try store.readNow({ (snapshot: any StoreSnapshot) throws(FirestoreError) in try few(from: snapshot) })
        {
            return (timed.answer, timed.time)
        }
        let timed = try await overView(in: store)
        return (timed.answer, timed.time)
    }

    private func few(from snapshot: some StoreSnapshot) throws(FirestoreError) -> Timed<Answer>? {
        var operation = self
        // With room for rows that a sort does not distinguish.
        operation.part = .few(2 * QueryRead.few)
        let answer = try operation.answer(from: snapshot)
        return answer.output.isGivenUp ? nil : Timed(answer: answer, time: snapshot.readTime)
    }

    /// In its turn, and on a thread of its own: those of the store serve the reads beside it.
    func read<R: Sendable>(
        _ store: any DocumentStore, _ body: @escaping @Sendable (any StoreSnapshot) throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        try await lane.run(of: budget.caller, until: budget.deadline) { () async throws(FirestoreError) in
            try await PipelineThread.run { [budget, memory] () throws(FirestoreError) in
                budget.begin()
                defer { budget.pause() }
                guard let memory else { return try store.read(body) }
                return try memory.read(budget, body)
            }
        }
    }

    func answer(from snapshot: some StoreSnapshot) throws(FirestoreError) -> Answer {
        let keys = pipeline.reads.keys.sorted()
        let time = snapshot.readTime
        return try answer(over: snapshot, versions: try snapshot.documents(keys).documents, of: keys) { query, counters in
            let results = query.limit.map { min($0, counters.matches) } ?? counters.matches
            indexes.observe(query, counters, results: results, at: time)
        }
    }

    func answer(from snapshot: some StoreSnapshot, at time: DocumentVersion) throws(FirestoreError) -> Answer {
        // A document may be in several scopes.
        var states: [DocumentKey: EarlierState] = [:]
        for scope in pipeline.reads.scopes {
            for state in try snapshot.states(at: time, in: scope) { states[state.key] = state }
        }
        let keys = pipeline.reads.keys.sorted()
        let documents = try snapshot.documents(keys, at: time)
        for (key, document) in zip(keys, documents) where states[key] == nil {
            states[key] = EarlierState(key: key, document: document, current: nil)
        }
        return try answer(over: PastSnapshot(snapshot, at: time, states: Array(states.values)), versions: documents, of: keys)
    }

    private func answer(
        over source: some DocumentSource, versions documents: [Document?], of keys: [DocumentKey],
        observe: ((StructuredQuery, QueryCounters) -> Void)? = nil
    ) throws(FirestoreError) -> Answer {
        if !part.isAttempt, !budget.isAttempt { report.began() }
        let counters = QueryCounters()
        let start = ContinuousClock.now
        let output = try PipelineExecutor.run(
            pipeline, over: source, database: database, time: time, budget: budget, counters: counters, part: part, observe: observe)
        if !output.isGivenUp { report.ended(counters) }
        var answer = Answer(output: output, versions: zip(keys, documents).map { ($0, $1?.updateTime ?? .none) })
        if isAnalyzed {
            answer.statistics = PipelineReport.statistics(rows: output.rows.count, counters, duration: ContinuousClock.now - start)
        }
        return answer
    }

    func dependency(of answer: Answer) -> ReadDependency {
        let lists = pipeline.reads.lists.map { query in
            ReadDependency.query(QueryDependency(query, result: [], database: database, isWhole: true))
        }
        return .several(lists + [.documents(answer.versions)])
    }
}

/// What the sources of a pipeline would be answered by.
struct PipelinePlanRead: ReadOperation {
    let request: PipelineRequest
    let pipeline: CheckedPipeline
    let database: DatabaseID

    func answer(from snapshot: some StoreSnapshot) throws(FirestoreError) -> String {
        try PipelineReport.plan(of: request, pipeline, over: snapshot, database: database)
    }

    func answer(from snapshot: some StoreSnapshot, at time: DocumentVersion) throws(FirestoreError) -> String {
        try answer(from: snapshot)
    }

    func dependency(of answer: String) -> ReadDependency { .documents([]) }
}
