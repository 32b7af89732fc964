// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Foundation
import ModeSupport
import Testing

@testable import FirebaseFirestore

/// What the public API makes of a client that has two truths, an authority and a cache: it says where to look, and shows per
/// document what it receives.
@Suite struct SnapshotMetadataTests {
    private let backend = ScriptedBackend()
    private let db: Firestore

    init() {
        let databaseID = DatabaseID(projectID: "demo-metadata")
        db = Firestore(app: .unregistered(projectID: databaseID.projectID), databaseID: databaseID, isOverService: true) {
            [backend] _, _, _ throws(FirestoreError) in backend
        }
        let settings = db.settings
        settings.storage = .memory
        settings.dispatchQueue = DispatchQueue(label: "hearth.tests.metadata")
        db.settings = settings
    }

    private static func document(_ path: String, _ n: Int64 = 1) -> Document {
        Document(
            key: DocumentKey(trusted: path), createTime: DocumentVersion(microseconds: 1), updateTime: DocumentVersion(microseconds: n),
            fields: FieldBytes(FieldMap([("n", .integer(n))])))
    }

    /// Without waiting, as code that is not asynchronous does it.
    private func handOver() -> WriteReceipt { db.document("c/a").setData(["n": 1]) }

    private static func view(
        _ paths: [String], pending: Set<String> = [], isFromCache: Bool = false, changes: [ViewChange]? = nil
    ) -> ViewSnapshot {
        ViewSnapshot(
            documents: DocumentList(paths.map { document($0) }), changes: changes, readTime: DocumentVersion(microseconds: 9),
            pendingKeys: KeySet(pending.map { DocumentKey(trusted: $0) }), isFromCache: isFromCache)
    }

    @Test func `reads and listeners use the source that they name`() async throws {
        let (document, query) = (db.document("c/a"), db.collection("c"))
        _ = try await document.getDocument()
        _ = try await document.getDocument(source: .server)
        _ = try await document.getDocument(source: .cache)
        _ = try await query.getDocuments()
        _ = try await query.getDocuments(source: .server)
        _ = try await query.getDocuments(source: .cache)
        #expect(backend.sources == [.default, .server, .cache, .default, .server, .cache])
        let options = SnapshotListenOptions().withSource(.cache).withIncludeMetadataChanges(true)
        _ = document.addSnapshotListener(options: options) { _, _ in }
        _ = query.addSnapshotListener(options: options) { _, _ in }
        _ = query.addSnapshotListener { _, _ in }
        #expect(
            backend.listens == [
                ListenOptions(source: .cache, includeMetadataChanges: true), ListenOptions(source: .cache, includeMetadataChanges: true),
                ListenOptions(),
            ])
    }

    @Test(arguments: [(false, false), (true, false), (false, true), (true, true)])
    func `a document shows its known state`(isPending: Bool, isFromCache: Bool) async throws {
        backend.answer(Self.view(["c/a"], pending: isPending ? ["c/a"] : [], isFromCache: isFromCache))
        let snapshot = try await db.document("c/a").getDocument()
        #expect(snapshot.metadata.hasPendingWrites == isPending && snapshot.metadata.isFromCache == isFromCache)
    }

    @Test func `a document in a result shows its own pending writes, and the result shows any`() async throws {
        backend.answer(Self.view(["c/a", "c/b", "c/c"], pending: ["c/b"], isFromCache: true))
        let snapshot = try await db.collection("c").getDocuments()
        #expect(snapshot.metadata.hasPendingWrites && snapshot.metadata.isFromCache)
        #expect(snapshot.documents.map(\.metadata.hasPendingWrites) == [false, true, false])
        #expect(snapshot.documents.filter(\.metadata.isFromCache).count == 3)
        #expect(snapshot.documentChanges.map(\.document.metadata.hasPendingWrites) == [false, true, false])
    }

    @Test func `documents whose metadata alone changed are changes for listeners that opt in`() async throws {
        let changes = [
            ViewChange(kind: .modified, document: Self.document("c/b", 2), oldIndex: 1, newIndex: 1),
            ViewChange(kind: .metadata, document: Self.document("c/a"), oldIndex: 0, newIndex: 0),
        ]
        backend.answer(Self.view(["c/a", "c/b"], changes: changes))
        let snapshot = try await db.collection("c").getDocuments()
        #expect(snapshot.documentChanges.map(\.document.documentID) == ["b"])
        let all = snapshot.documentChanges(includeMetadataChanges: true)
        #expect(all.map(\.document.documentID) == ["b", "a"] && all.map(\.type) == [.modified, .modified])
        #expect(snapshot.documentChanges(includeMetadataChanges: false).count == 1)
    }

    @Test func `a listener without metadata changes does not receive them when it asks`() {  // SY-74
        let change = ViewChange(kind: .metadata, document: Self.document("c/a"), oldIndex: 0, newIndex: 0)
        let view = Self.view(["c/a"], pending: ["c/a"], changes: [change])
        let without = QuerySnapshot(query: db.collection("c"), view: view, includesMetadataChanges: false)
        #expect(without.documentChanges(includeMetadataChanges: true).isEmpty)
        let with = QuerySnapshot(query: db.collection("c"), view: view, includesMetadataChanges: true)
        let changes = with.documentChanges(includeMetadataChanges: true)
        #expect(changes.map(\.type) == [.modified] && changes.first?.document.metadata.hasPendingWrites == true)
        #expect(with.documentChanges.isEmpty)
    }

    @Test func `results are equal if their documents have the same metadata`() {
        func snapshot(_ view: ViewSnapshot) -> QuerySnapshot { QuerySnapshot(query: db.collection("c"), view: view) }
        let pending = snapshot(Self.view(["c/a", "c/b"], pending: ["c/a"]))
        #expect(pending == snapshot(Self.view(["c/a", "c/b"], pending: ["c/a"])))
        #expect(pending != snapshot(Self.view(["c/a", "c/b"], pending: ["c/b"])))
        #expect(pending != snapshot(Self.view(["c/a", "c/b"])))
        #expect(pending != snapshot(Self.view(["c/a", "c/b"], pending: ["c/a"], isFromCache: true)))
    }

    @Test func `a receipt is saved before it is acknowledged`() async throws {
        let receipt = handOver()
        backend.save()
        try await receipt.saved
        try await receipt.saved
        let isAcknowledged = Mutex(false)
        let waiting = Task {
            try await receipt.acknowledged
            isAcknowledged.withLock { $0 = true }
        }
        for _ in 0..<10 { await Task.yield() }
        #expect(!isAcknowledged.withLock { $0 })
        backend.acknowledge(.success(CommitResponse(commitTime: .none, results: [])))
        try await waiting.value
    }

    @Test func `a write that is rejected after it was saved fails only callers that wait for the acknowledgement`() async throws {
        let receipt = handOver()
        backend.save()
        try await receipt.saved
        backend.acknowledge(.failure(FirestoreError(.permissionDenied, "no")))
        await #expect(throws: FirestoreErrorCode.self) { try await receipt.acknowledged }
    }

    @Test func `the network is turned off and on where there is one`() async throws {
        // As the first call, too: a client that is opened later must not connect.
        try await db.disableNetwork()
        #expect(backend.network == [false])
        _ = try await db.document("c/a").getDocument()
        try await db.disableNetwork()
        try await db.enableNetwork()
        #expect(backend.network == [false, false, true])
    }
}

/// A client that answers what a test says, and notes what it was asked.
private final class ScriptedBackend: ClientBackend {
    private struct State {
        var view = ViewSnapshot(documents: DocumentList(), changes: nil, readTime: .none)
        var sources: [ReadSource] = []
        var listens: [ListenOptions] = []
        var network: [Bool] = []
        var saved: [@Sendable (Int64) -> Void] = []
        var completions: [@Sendable (Result<CommitResponse, FirestoreError>) -> Void] = []
    }

    private final class Handle: ListenHandle {
        func remove() {}
    }

    private let state = Mutex(State())

    var sources: [ReadSource] { state.withLock { $0.sources } }
    var listens: [ListenOptions] { state.withLock { $0.listens } }
    var network: [Bool] { state.withLock { $0.network } }

    func answer(_ view: ViewSnapshot) { state.withLock { $0.view = view } }
    func save() { for body in state.withLock({ $0.saved }) { body(1) } }
    func acknowledge(_ result: Result<CommitResponse, FirestoreError>) { for body in state.withLock({ $0.completions }) { body(result) } }

    func write(
        _ writes: [Write], saved: @escaping @Sendable (_ id: Int64) -> Void,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        state.withLock { state in
            state.saved.append(saved)
            state.completions.append(completion)
        }
    }

    func commit(
        _ writes: [Write], in transaction: TransactionID?,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        completion(.failure(FirestoreError(.unimplemented, "not part of the script")))
    }

    func documents(_ keys: [DocumentKey], from source: ReadSource, at moment: ReadMoment) async throws(FirestoreError) -> LookupSnapshot {
        state.withLock { state in
            state.sources.append(source)
            let view = state.view
            return LookupSnapshot(
                readTime: view.readTime, documents: keys.map { key in view.documents.first { $0.key == key } }, pendingKeys: view.pendingKeys,
                isFromCache: view.isFromCache)
        }
    }

    func execute(
        _ pipeline: PipelineRequest, from source: ReadSource, options: PipelineOptions,
        page: @Sendable (PipelinePage) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        throw FirestoreError(.unimplemented, "not part of the script")
    }

    func explain(
        _ pipeline: PipelineRequest, analyze: Bool, from source: ReadSource
    ) async throws(FirestoreError) -> PipelineExplanation {
        throw FirestoreError(.unimplemented, "not part of the script")
    }

    func run(_ query: ClientQuery, from source: ReadSource, at moment: ReadMoment) async throws(FirestoreError) -> ViewSnapshot {
        state.withLock { state in
            state.sources.append(source)
            return state.view
        }
    }

    private static let unscripted = FirestoreError(.unimplemented, "not part of the script")

    func beginTransaction(_ mode: TransactionMode) async throws(FirestoreError) -> TransactionID { throw Self.unscripted }

    func rollback(_ transaction: TransactionID) async {}

    func aggregate(
        _ query: ClientQuery, _ aggregations: [Aggregation], from source: ReadSource
    ) async throws(FirestoreError) -> AggregationResponse { throw Self.unscripted }

    func explain(_ query: ClientQuery, analyze: Bool) async throws(FirestoreError) -> QueryExplanation { throw Self.unscripted }

    var indexAdministration: (any IndexAdministration)? { nil }
    var expiryAdministration: (any ExpiryAdministration)? { nil }
    var queue: (any WriteQueueAdministration)? { nil }
    var bundles: (any BundleAdministration)? { nil }
    var isShared: Bool { true }
    var pins: (any PinAdministration)? { nil }
    var isNetworkDisabled: Bool { false }

    func listen(
        to target: ClientTarget, options: ListenOptions, schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        onEvent: @escaping @Sendable (Result<ViewSnapshot, FirestoreError>) -> Void
    ) -> any ListenHandle {
        state.withLock { $0.listens.append(options) }
        return Handle()
    }

    func listenForSnapshotsInSync(
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void, _ body: @escaping @Sendable () -> Void
    ) -> any ListenHandle { Handle() }

    func waitForPendingWrites() async throws(FirestoreError) {}

    func setNetworkEnabled(_ isEnabled: Bool) async throws(FirestoreError) { state.withLock { $0.network.append(isEnabled) } }

    func endListeners() {}

    func terminate() async {}
}
