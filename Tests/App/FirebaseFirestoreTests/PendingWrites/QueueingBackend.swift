// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import ModeSupport

@testable import FirebaseFirestore

/// A client with a queue that does what a test says: nothing is sent, and nothing is answered by itself.
final class QueueingBackend: ClientBackend, WriteQueueAdministration, BundleAdministration {
    private struct State {
        var pending: [QueuedWrite] = []
        var failed: [RejectedWrite] = []
        var ended: [Int64: QueuedWriteState] = [:]
        var completions: [Int64: @Sendable (Result<CommitResponse, FirestoreError>) -> Void] = [:]
        var nextNumber: Int64 = 1
        var isOffline = false
        var nextHandle = 0
        var writeObservers: [Int: @Sendable () -> Void] = [:]
        var offlineObservers: [Int: @Sendable (Bool) -> Void] = [:]
        var calls: [String] = []
    }

    private final class Handle: ListenHandle {
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void = {}) { self.body = body }

        func remove() { body() }
    }

    private let state = Mutex(State())
    let cacheID: UInt64

    private let board = Mutex<PinBoard?>(nil)
    var pinBoard: PinBoard? {
        get { board.withLock { $0 } }
        set { board.withLock { $0 = newValue } }
    }
    var pins: (any PinAdministration)? { pinBoard }

    private let pipelines: PipelineScript?

    /// Without a script, pipelines fail.
    init(cacheID: UInt64 = 7, pipelines: PipelineScript? = nil) {
        self.cacheID = cacheID
        self.pipelines = pipelines
    }

    // MARK: What a test does

    var calls: [String] { state.withLock { $0.calls } }
    var observers: Int { state.withLock { $0.writeObservers.count + $0.offlineObservers.count } }

    func goOffline(_ isOffline: Bool = true) {
        let observers = state.withLock { state in
            state.isOffline = isOffline
            return Array(state.offlineObservers.values)
        }
        for observer in observers { observer(isOffline) }
    }

    func change(_ id: Int64, _ body: (inout QueuedWrite) -> Void) {
        state.withLock { state in
            for index in state.pending.indices where state.pending[index].id == id { body(&state.pending[index]) }
        }
        changed()
    }

    func acknowledge(_ id: Int64) {
        end(id, .acknowledged, .success(CommitResponse(commitTime: .none, results: [])))
    }

    func reject(_ id: Int64, _ error: FirestoreError) {
        state.withLock { state in
            let writes = state.pending.first { $0.id == id }?.writes ?? []
            state.failed.append(RejectedWrite(id: id, writes: writes, error: error, failedAt: 2_000_000))
        }
        end(id, .rejected(error), .failure(error))
    }

    /// As after the end of a process: no call waits any more.
    func forgetCallers() { state.withLock { $0.completions = [:] } }

    private func end(_ id: Int64, _ outcome: QueuedWriteState?, _ result: Result<CommitResponse, FirestoreError>) {
        let completion = state.withLock { state in
            state.pending.removeAll { $0.id == id }
            state.ended[id] = outcome
            return state.completions.removeValue(forKey: id)
        }
        completion?(result)
        changed()
    }

    private func changed() {
        for observer in state.withLock({ Array($0.writeObservers.values) }) { observer() }
    }

    private func called(_ call: String) { state.withLock { $0.calls.append(call) } }

    private func enqueue(
        _ writes: [Write], completion: (@Sendable (Result<CommitResponse, FirestoreError>) -> Void)? = nil
    ) -> Int64 {
        let id = state.withLock { state in
            defer { state.nextNumber += 1 }
            let id = state.nextNumber
            state.pending.append(QueuedWrite(id: id, writes: writes, localWriteTime: 1_000_000, byteCount: 100))
            state.completions[id] = completion
            return id
        }
        changed()
        return id
    }

    // MARK: The queue

    func pendingWrites() async throws(FirestoreError) -> [QueuedWrite] { state.withLock { $0.pending } }

    func countOfOtherUsers() async throws(FirestoreError) -> Int { 0 }

    func failedWrites() async throws(FirestoreError) -> [RejectedWrite] { state.withLock { $0.failed } }

    func observeWrites(_ body: @escaping @Sendable () -> Void) -> any ListenHandle {
        let number = state.withLock { state in
            state.nextHandle += 1
            state.writeObservers[state.nextHandle] = body
            return state.nextHandle
        }
        return Handle { [weak self] in self?.state.withLock { $0.writeObservers[number] = nil } }
    }

    func observeOffline(_ body: @escaping @Sendable (_ isOffline: Bool) -> Void) -> any ListenHandle {
        let (number, isOffline) = state.withLock { state in
            state.nextHandle += 1
            state.offlineObservers[state.nextHandle] = body
            return (state.nextHandle, state.isOffline)
        }
        body(isOffline)
        return Handle { [weak self] in self?.state.withLock { $0.offlineObservers[number] = nil } }
    }

    func state(of id: Int64, in cache: UInt64) async throws(FirestoreError) -> QueuedWriteState? {
        guard cache == cacheID else { throw FirestoreError(.failedPrecondition, "another cache") }
        return state.withLock { state in
            if let position = state.pending.firstIndex(where: { $0.id == id }) {
                return state.pending[position].stage == .sent ? .sent : .queued(position: position)
            }
            return state.ended[id]
        }
    }

    func cancel(_ id: Int64) async throws(FirestoreError) {
        guard let write = state.withLock({ state in state.pending.first { $0.id == id } }) else {
            throw FirestoreError(.notFound, "not in the queue")
        }
        guard write.stage != .sent else { throw FirestoreError(.failedPrecondition, "on its way") }
        end(id, nil, .failure(FirestoreError(.cancelled, "canceled")))
    }

    func retryNow() async throws(FirestoreError) { called("retryNow") }

    func retryFailed(_ id: Int64) async throws(FirestoreError) -> Int64 {
        let failed = try takeFailed(id)
        return enqueue(failed.writes)
    }

    func dismissFailed(_ id: Int64) async throws(FirestoreError) {
        _ = try takeFailed(id)
        state.withLock { $0.ended[id] = nil }
        changed()
    }

    private func takeFailed(_ id: Int64) throws(FirestoreError) -> RejectedWrite {
        let failed = state.withLock { state in
            defer { state.failed.removeAll { $0.id == id } }
            return state.failed.first { $0.id == id }
        }
        guard let failed else { throw FirestoreError(.notFound, "not among the failed writes") }
        return failed
    }

    // MARK: Bundles

    func loadBundle(
        _ source: any BundleSource, in database: DatabaseID, report: @escaping @Sendable (BundleProgress) -> Void
    ) async throws(FirestoreError) -> BundleProgress {
        var progress = BundleProgress()
        progress.totalDocuments = 2
        report(progress)
        while let chunk = try await source.next() { progress.totalBytes += chunk.count }
        progress.documentsLoaded = 1
        report(progress)
        called("loadBundle")
        guard progress.totalBytes > 0 else { throw .invalidArgument("the bundle is empty") }
        return progress.success
    }

    func query(named name: String, in database: DatabaseID) async throws(FirestoreError) -> ClientQuery? {
        name == "known" ? ClientQuery(StructuredQuery(scope: .collectionGroup(id: "c", under: nil))) : nil
    }

    // MARK: The client

    var queue: (any WriteQueueAdministration)? { self }
    var bundles: (any BundleAdministration)? { self }
    var indexAdministration: (any IndexAdministration)? { nil }
    var expiryAdministration: (any ExpiryAdministration)? { nil }
    var isShared: Bool { true }
    var isNetworkDisabled: Bool { false }

    func write(
        _ writes: [Write], saved: @escaping @Sendable (_ id: Int64) -> Void,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        saved(enqueue(writes, completion: completion))
    }

    private static let unscripted = FirestoreError(.unimplemented, "not part of the script")

    func commit(
        _ writes: [Write], in transaction: TransactionID?,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        completion(.failure(Self.unscripted))
    }

    func documents(_ keys: [DocumentKey], from source: ReadSource, at moment: ReadMoment) async throws(FirestoreError) -> LookupSnapshot {
        throw Self.unscripted
    }

    func execute(
        _ pipeline: PipelineRequest, from source: ReadSource, options: PipelineOptions,
        page: @Sendable (PipelinePage) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        guard let pipelines else { throw Self.unscripted }
        try await pipelines.execute(pipeline, from: source, options: options, page: page)
    }

    func explain(
        _ pipeline: PipelineRequest, analyze: Bool, from source: ReadSource
    ) async throws(FirestoreError) -> PipelineExplanation {
        guard pipelines != nil else { throw Self.unscripted }
        return PipelineExplanation(text: "\(analyze ? "ran" : "planned") \(PipelineText.print(pipeline.stages)) from \(source)")
    }

    func run(_ query: ClientQuery, from source: ReadSource, at moment: ReadMoment) async throws(FirestoreError) -> ViewSnapshot {
        called("run \(source)")
        return ViewSnapshot(documents: DocumentList(), changes: nil, readTime: .none)
    }

    func beginTransaction(_ mode: TransactionMode) async throws(FirestoreError) -> TransactionID { throw Self.unscripted }

    func rollback(_ transaction: TransactionID) async {}

    func aggregate(
        _ query: ClientQuery, _ aggregations: [Aggregation], from source: ReadSource
    ) async throws(FirestoreError) -> AggregationResponse {
        called("aggregate \(source)")
        throw Self.unscripted
    }

    func explain(_ query: ClientQuery, analyze: Bool) async throws(FirestoreError) -> QueryExplanation { throw Self.unscripted }

    func listen(
        to target: ClientTarget, options: ListenOptions, schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        onEvent: @escaping @Sendable (Result<ViewSnapshot, FirestoreError>) -> Void
    ) -> any ListenHandle { Handle() }

    func listenForSnapshotsInSync(
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void, _ body: @escaping @Sendable () -> Void
    ) -> any ListenHandle { Handle() }

    func waitForPendingWrites() async throws(FirestoreError) {}

    func setNetworkEnabled(_ isEnabled: Bool) async throws(FirestoreError) {}

    func endListeners() {}

    /// What is queued stays, and ends for its callers.
    func terminate() async {
        let completions = state.withLock { state in
            defer { state.completions = [:] }
            return Array(state.completions.values)
        }
        for completion in completions { completion(.failure(FirestoreError(.cancelled, "terminated"))) }
        changed()
    }
}
