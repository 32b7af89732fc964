// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreEnforcement

/// A database whose callers have quotas: refuses a call before it costs anything, and counts what it has used.
///
/// What a read returns is known afterwards only, so it is admitted for one document, and the others are counted when they are there: the
/// next call pays for them.
final class QuotaService<Inner: DocumentService>: ServiceInFront {
    let inner: Inner
    private let database: DatabaseID
    private let quotas: Quotas

    init(_ inner: Inner, of database: DatabaseID, quotas: Quotas) {
        self.inner = inner
        self.database = database
        self.quotas = quotas
    }

    func inFront<Other: DocumentService>(of other: Other) -> any DocumentService {
        QuotaService<Other>(other, of: database, quotas: quotas)
    }

    /// Admits a read of so many documents, and returns whose use it is.
    private func admit(reads: Int = 1, _ context: RequestContext) throws(FirestoreError) -> [QuotaSubject] {
        let subjects = quotas.subjects(of: context, in: database)
        if !subjects.isEmpty { try quotas.admit([.reads: Int64(reads)], for: subjects) }
        return subjects
    }

    // MARK: Documents

    func documents(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> LookupResponse {
        if !keys.isEmpty { _ = try admit(reads: keys.count, context) }
        return try await inner.documents(keys, options: options, context: context)
    }

    func documentsNow(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) throws(FirestoreError) -> LookupResponse? {
        let subjects = try admit(reads: keys.count, context)
        let found = try inner.documentsNow(keys, options: options, context: context)
        // It comes again.
        if found == nil { quotas.add([.reads: -Int64(keys.count)], for: subjects) }
        return found
    }

    // MARK: Queries

    func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryResponse {
        let subjects = try admit(context)
        let found = try await inner.run(query, options: options, context: context)
        quotas.add([.reads: Int64(found.documents.count) - 1], for: found.documents.isEmpty ? [] : subjects)
        return found
    }

    func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext,
        page: @Sendable (QueryResponse) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        let subjects = try admit(context)
        let paid = Mutex<Int64>(1)
        try await inner.run(query, options: options, context: context) {
            (found: QueryResponse) async throws(FirestoreError) -> ScanStep in
            let count = Int64(found.documents.count)
            let open = paid.withLock { paid in
                defer { paid = max(0, paid - count) }
                return max(0, count - paid)
            }
            if open > 0 { quotas.add([.reads: open], for: subjects) }
            return try await page(found)
        }
    }

    /// A read for every thousand index entries, as the service counts.
    func aggregate(
        _ query: StructuredQuery, _ aggregations: [Aggregation], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> AggregationResponse {
        let subjects = try admit(context)
        guard !subjects.isEmpty else { return try await inner.aggregate(query, aggregations, options: options, context: context) }
        var context = context
        let meter = context.meter ?? CallMeter()
        context.meter = meter
        let answer = try await inner.aggregate(query, aggregations, options: options, context: context)
        let seen = meter.figures.entriesRead + meter.figures.documentsRead
        if seen > 1_000 { quotas.add([.reads: Int64((seen - 1) / 1_000)], for: subjects) }
        return answer
    }

    // MARK: Pipelines

    /// A read for every row, or for every thousand documents and index entries behind them; a write for every document that it changes.
    func execute(
        _ pipeline: PipelineRequest, options: PipelineOptions, context: RequestContext,
        page: @Sendable (PipelinePage) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        let subjects = try admit(context)
        guard !subjects.isEmpty else { return try await inner.execute(pipeline, options: options, context: context, page: page) }
        if pipeline.writes { try quotas.admit([.writes: 1], for: subjects) }
        var context = context
        let meter = context.meter ?? CallMeter()
        context.meter = meter
        let rows = Mutex<Int64>(0)
        let modified = Mutex<Int64>(0)
        defer {
            let seen = Int64(meter.figures.entriesRead + meter.figures.documentsRead)
            let reads = max(rows.withLock { $0 }, seen / 1_000) - 1
            let writes = modified.withLock { $0 } - 1
            if reads > 0 { quotas.add([.reads: reads], for: subjects) }
            if pipeline.writes, writes > 0 { quotas.add([.writes: writes], for: subjects) }
        }
        try await inner.execute(pipeline, options: options, context: context) {
            (found: PipelinePage) async throws(FirestoreError) -> ScanStep in
            if pipeline.writes {
                modified.withLock { $0 += Int64(found.documentsModified) }
            } else {
                rows.withLock { $0 += Int64(found.rows.count) }
            }
            return try await page(found)
        }
    }

    func explain(
        _ pipeline: PipelineRequest, analyze: Bool, options: PipelineOptions, context: RequestContext
    ) async throws(FirestoreError) -> PipelineExplanation {
        _ = try admit(context)
        return try await inner.explain(pipeline, analyze: analyze, options: options, context: context)
    }

    // MARK: Listings

    func collectionIDs(
        under parent: DocumentKey?, after: String?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> CollectionIDsResponse {
        _ = try admit(context)
        return try await inner.collectionIDs(under: parent, after: after, limit: limit, options: options, context: context)
    }

    func documentKeys(
        in collection: CollectionPath, after: DocumentKey?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        _ = try admit(context)
        return try await inner.documentKeys(in: collection, after: after, limit: limit, options: options, context: context)
    }

    func partitions(
        of query: StructuredQuery, count: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        _ = try admit(context)
        return try await inner.partitions(of: query, count: count, options: options, context: context)
    }

    // MARK: Commits

    /// A refused commit keeps its place in line, so that answers come in the order of the calls.
    func submit(
        _ writes: [Write], options: CommitOptions, context: RequestContext,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        let subjects = quotas.subjects(of: context, in: database)
        var options = options
        if !subjects.isEmpty, !writes.isEmpty {
            do throws(FirestoreError) {
                try quotas.admit(writes, to: database, inner.storeAdministration)
                try quotas.admit(Self.cost(of: writes), for: subjects)
            } catch {
                options.refusal = error
            }
        }
        inner.submit(writes, options: options, context: context, completion: completion)
    }

    private static func cost(of writes: [Write]) -> [QuotaResource: Int64] {
        var (count, bytes): (Int64, Int64) = (0, 0)
        for write in writes {
            switch write.operation {
            case .verify: continue
            case .delete: break
            case .set(let fields), .patch(let fields, _): bytes += Int64(write.key.path.utf8.count + fields.bytes.count)
            }
            count += 1
        }
        return [.writes: count, .writtenBytes: bytes]
    }

    // MARK: Watches

    func watch(
        _ target: WatchTarget, from resumption: WatchResumption?, context: RequestContext, sink: any WatchSink
    ) -> any WatchHandle {
        let subjects = quotas.subjects(of: context, in: database)
        guard !subjects.isEmpty else { return inner.watch(target, from: resumption, context: context, sink: sink) }
        let handle = DeferredWatchHandle()
        do throws(FirestoreError) {
            try quotas.admit([.reads: 1], for: subjects)
            try quotas.addListener(for: subjects)
        } catch {
            // Not on the thread of the call, which may hold what the sink needs.
            DispatchQueue.global().async { if !handle.isCancelled { sink.fail(error) } }
            return handle
        }
        let counted = CountedWatch(sink, quotas: quotas, subjects: subjects)
        counted.attach(inner.watch(target, from: resumption, context: context, sink: counted))
        return counted
    }
}

extension QuotaService: JudgedService where Inner: JudgedService {
    /// The reads of what is granted are counted, not the proof.
    func grant(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> (service: any DocumentService, options: ReadOptions) {
        let subjects = quotas.subjects(of: context, in: database)
        if !subjects.isEmpty { try quotas.check([.reads: 1], for: subjects) }
        let granted = try await inner.grant(query, options: options, context: context)
        return (inFront(of: granted.service), granted.options)
    }

    func documentsNow(
        _ reads: [(key: DocumentKey, context: RequestContext)]
    ) throws(FirestoreError) -> [RuledService.Reading]? {
        let admissions = reads.map { read in
            Result { () throws(FirestoreError) -> [QuotaSubject] in try admit(read.context) }
        }
        let admitted = admissions.indices.filter { if case .success = admissions[$0] { true } else { false } }
        func giveBack(_ index: Int) { if let subjects = try? admissions[index].get() { quotas.add([.reads: -1], for: subjects) } }
        guard let found = try inner.documentsNow(admitted.map { reads[$0] }) else {
            admitted.forEach(giveBack)
            return nil
        }
        var readings = admissions.map { admission -> RuledService.Reading in
            if case .failure(let error) = admission { .refused(error) } else { .mustWait }
        }
        for (index, reading) in zip(admitted, found) {
            readings[index] = reading
            if case .mustWait = reading { giveBack(index) }
        }
        return readings
    }
}

/// A watch that is counted while it lasts, with the documents that it delivers.
private final class CountedWatch: WatchSink, WatchHandle {
    private let sink: any WatchSink
    private let quotas: Quotas
    private let subjects: [QuotaSubject]
    private let inner = DeferredWatchHandle()
    private let hasEnded = Mutex(false)

    init(_ sink: any WatchSink, quotas: Quotas, subjects: [QuotaSubject]) {
        self.sink = sink
        self.quotas = quotas
        self.subjects = subjects
    }

    deinit { end() }

    func attach(_ handle: any WatchHandle) { inner.attach(handle) }

    func receive(_ batch: WatchBatch) {
        let count = batch.changes.count { if case .update = $0 { true } else { false } }
        if count > 0 { quotas.add([.reads: Int64(count)], for: subjects) }
        sink.receive(batch)
    }

    func fail(_ error: FirestoreError) {
        cancel()
        sink.fail(error)
    }

    func cancel() {
        end()
        inner.cancel()
    }

    private func end() { if hasEnded.setOnce() { quotas.removeListener(for: subjects) } }
}
