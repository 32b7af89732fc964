// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement

/// A database whose calls are measured.
final class MeasuredService<Inner: DocumentService>: ServiceInFront {
    let inner: Inner
    /// Explains queries.
    private let explainer: any DocumentService
    private let database: DatabaseID
    private let calls: SlowCalls

    init(_ inner: Inner, explainer: any DocumentService, database: DatabaseID, calls: SlowCalls) {
        self.inner = inner
        self.explainer = explainer
        self.database = database
        self.calls = calls
    }

    func inFront<Other: DocumentService>(of other: Other) -> any DocumentService {
        MeasuredService<Other>(other, explainer: explainer, database: database, calls: calls)
    }

    // MARK: Reads

    func documents(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> LookupResponse {
        // The read of nothing gives a transaction its moment.
        guard !keys.isEmpty else { return try await inner.documents(keys, options: options, context: context) }
        return try await measure(.documents(keys), context) { (begun) async throws(FirestoreError) in
            let found = try await inner.documents(keys, options: options, context: begun.context)
            begun.note(found)
            return found
        }
    }

    func documentsNow(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) throws(FirestoreError) -> LookupResponse? {
        let begun = calls.begin(context)
        // What has to wait comes again.
        guard let found = try inner.documentsNow(keys, options: options, context: begun.context) else { return nil }
        begun.note(found)
        calls.end(begun, .documents(keys), in: database, .ok)
        return found
    }

    func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryResponse {
        try await measure(.query(query), context, explaining: query) { (begun) async throws(FirestoreError) in
            let found = try await inner.run(query, options: options, context: begun.context)
            begun.meter.returned(documents: found.documents.count)
            return found
        }
    }

    func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext,
        page: @Sendable (QueryResponse) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        try await measure(.query(query), context, explaining: query) { (begun) async throws(FirestoreError) in
            try await inner.run(query, options: options, context: begun.context) {
                (found: QueryResponse) async throws(FirestoreError) -> ScanStep in
                begun.meter.returned(documents: found.documents.count)
                let start = ContinuousClock.now
                defer { begun.meter.sent(ContinuousClock.now - start) }
                return try await page(found)
            }
        }
    }

    func aggregate(
        _ query: StructuredQuery, _ aggregations: [Aggregation], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> AggregationResponse {
        try await measure(.aggregation(aggregations, over: query), context, explaining: query) { (begun) async throws(FirestoreError) in
            try await inner.aggregate(query, aggregations, options: options, context: begun.context)
        }
    }

    func execute(
        _ pipeline: PipelineRequest, options: PipelineOptions, context: RequestContext,
        page: @Sendable (PipelinePage) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        try await measure(.pipeline(pipeline), context) { (begun) async throws(FirestoreError) in
            try await inner.execute(pipeline, options: options, context: begun.context) {
                (found: PipelinePage) async throws(FirestoreError) -> ScanStep in
                begun.meter.returned(documents: found.rows.count)
                let start = ContinuousClock.now
                defer { begun.meter.sent(ContinuousClock.now - start) }
                return try await page(found)
            }
        }
    }

    func explain(
        _ pipeline: PipelineRequest, analyze: Bool, options: PipelineOptions, context: RequestContext
    ) async throws(FirestoreError) -> PipelineExplanation {
        try await inner.explain(pipeline, analyze: analyze, options: options, context: context)
    }

    private func measure<R>(
        _ shape: CallShape, _ context: RequestContext, explaining query: StructuredQuery? = nil,
        _ body: (SlowCalls.Begun) async throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        let begun = calls.begin(context)
        do throws(FirestoreError) {
            let result = try await body(begun)
            calls.end(begun, shape, in: database, .ok, explanation: query.map { explanation(of: $0, context) })
            return result
        } catch {
            calls.end(begun, shape, in: database, error.code, explanation: query.map { explanation(of: $0, context) })
            throw error
        }
    }

    private func explanation(
        of query: StructuredQuery, _ context: RequestContext
    ) -> @Sendable () async throws(FirestoreError) -> QueryExplanation {
        var context = context
        context.deadline = nil
        return { [explainer, context] () async throws(FirestoreError) in
            try await explainer.explain(query, analyze: false, options: .acknowledged(), context: context)
        }
    }

    // MARK: Commits

    func submit(
        _ writes: [Write], options: CommitOptions, context: RequestContext,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        // Not on the thread of all commits.
        let (begun, shape) = (calls.begin(context), CallShape.commit(writes))
        var options = options
        options.conditions.append(CommitBeginning(meter: begun.meter, asked: .now))
        inner.submit(writes, options: options, context: begun.context) { [calls, database] result in
            switch result {
            case .success:
                calls.wrote(writes, to: database)
                calls.end(begun, shape, in: database, .ok)
            case .failure(let error):
                if error.code == .aborted, let path = error.location { calls.conflict(at: path, in: database) }
                calls.end(begun, shape, in: database, error.code)
            }
            completion(result)
        }
    }

    // MARK: Watches

    /// Measured until the first state arrives.
    func watch(
        _ target: WatchTarget, from resumption: WatchResumption?, context: RequestContext, sink: any WatchSink
    ) -> any WatchHandle {
        let begun = calls.begin(context)
        let query: StructuredQuery? = if case .query(let query) = target { query } else { nil }
        let explanation = query.map { self.explanation(of: $0, context) }
        let measured = FirstBatchSink(sink) { [calls, database] count, code in
            begun.meter.returned(documents: count)
            calls.end(begun, .watch(target), in: database, code, explanation: explanation)
        }
        return inner.watch(target, from: resumption, context: begun.context, sink: measured)
    }
}

extension MeasuredService: JudgedService where Inner: JudgedService {
    func documentsNow(
        _ reads: [(key: DocumentKey, context: RequestContext)]
    ) throws(FirestoreError) -> [RuledService.Reading]? {
        let begun = reads.map { calls.begin($0.context) }
        guard let readings = try inner.documentsNow(reads) else { return nil }
        for (index, reading) in readings.enumerated() {
            let (begun, shape) = (begun[index], CallShape.documents([reads[index].key]))
            switch reading {
            case .read(let document):
                begun.meter.read(documents: document == nil ? 0 : 1)
                begun.meter.returned(documents: document == nil ? 0 : 1)
                calls.end(begun, shape, in: database, .ok)
            case .refused(let error): calls.end(begun, shape, in: database, error.code)
            // It comes again.
            case .mustWait: break
            }
        }
        return readings
    }
}

extension SlowCalls.Begun {
    /// Documents that were read by their names are the ones that are returned.
    fileprivate func note(_ found: LookupResponse) {
        let count = found.documents.count { $0 != nil }
        meter.read(documents: count)
        meter.returned(documents: count)
    }
}

/// Holds always, and notes when a commit is applied.
private struct CommitBeginning: CommitCondition {
    let meter: CallMeter
    let asked: ContinuousClock.Instant

    var weight: Int { 0 }

    func check(_ commit: any CommitState) { meter.began(askedAt: asked) }
}

/// Reports the first batch of a watch, or its failure before that.
private final class FirstBatchSink: WatchSink {
    private let sink: any WatchSink
    private let report: Mutex<(@Sendable (_ documents: Int, FirestoreError.Code) -> Void)?>

    init(_ sink: any WatchSink, report: @escaping @Sendable (_ documents: Int, FirestoreError.Code) -> Void) {
        self.sink = sink
        self.report = Mutex(report)
    }

    func receive(_ batch: WatchBatch) {
        sink.receive(batch)
        report.withLock { $0.take() }?(batch.changes.count, .ok)
    }

    func fail(_ error: FirestoreError) {
        sink.fail(error)
        report.withLock { $0.take() }?(0, error.code)
    }
}
