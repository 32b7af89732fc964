// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Loads one bundle into a database (LO-12).
///
/// Elements are read and written in batches, so a bundle may be larger than memory. A document is written if it is
/// missing, if it is unchanged since a bundle no newer than this one wrote it, or if its last change is older than the
/// bundle's version of it; later changes of the app are kept. If a bundle turns out to be damaged, the documents before
/// the damage remain, and the bundle is not recorded as loaded.
struct BundleLoader {
    /// The documents and bytes of one commit.
    private static let batch = (documents: 250, bytes: 1_024 * 1_024)
    /// How often a commit that conflicts with other changes is tried.
    private static let attempts = 20

    private let backend: any ClientBackend
    private let facts: any FactService
    private let database: DatabaseID
    private let report: (BundleProgress) -> Void

    private var reader = BundleReader()
    private var intake = BundleIntake()
    private var metadata: BundleMetadata?
    private var loaded = LoadedBundles()
    private var progress = BundleProgress()
    private var waiting: [BundledChange] = []
    private var waitingBytes = 0
    private var queries: [NamedQuery] = []

    /// `report` is called after every batch, but not at the end.
    init(
        backend: any ClientBackend, facts: any FactService, database: DatabaseID,
        report: @escaping (BundleProgress) -> Void
    ) {
        self.backend = backend
        self.facts = facts
        self.database = database
        self.report = report
    }

    mutating func load(_ source: any BundleSource) async throws(FirestoreError) -> BundleProgress {
        while let chunk = try await source.next() {
            reader.append(chunk)
            while let (json, length) = try reader.next() {
                switch try intake.take(BundleElement(json, in: database), length: length) {
                case .begin(let metadata): if try await !begin(metadata) { return progress }
                case .query(let query): queries.append(query)
                case .change(let change): try await add(change, length: length)
                case .wait: break
                }
            }
        }
        guard reader.isAtEnd else { throw .invalidArgument("the bundle ends in the middle of an element") }
        try intake.finish()
        try await write()
        try await finish()
        return progress
    }

    /// Returns false if the bundle was loaded before.
    private mutating func begin(_ metadata: BundleMetadata) async throws(FirestoreError) -> Bool {
        self.metadata = metadata
        loaded = try LoadedBundles(try await facts.fact(LoadedBundles.factKey))
        progress = BundleProgress(metadata)
        if loaded.has(metadata) {
            progress = progress.success
            return false
        }
        report(progress)
        return true
    }

    private mutating func add(_ change: BundledChange, length: Int) async throws(FirestoreError) {
        waiting.append(change)
        waitingBytes += length
        if waiting.count >= Self.batch.documents || waitingBytes >= Self.batch.bytes { try await write() }
    }

    /// Writes the pending documents. If the process ends between the commit and its entry in the list of bundles, these
    /// documents are treated as changed by the app, so no data is lost.
    private mutating func write() async throws(FirestoreError) {
        guard let metadata, !waiting.isEmpty else { return }
        let changes = waiting
        waiting = []
        waitingBytes = 0
        if let commit = try await commit(changes, known: loaded.commits(upTo: metadata.createTime)) {
            loaded.add([commit], of: metadata, isComplete: false)
            try await facts.setFact(LoadedBundles.factKey, loaded.fact)
        }
        progress.documentsLoaded = intake.documents
        progress.bytesLoaded = intake.bytes
        report(progress)
    }

    /// Returns the time of the commit; nil if there was nothing to write.
    private func commit(
        _ changes: [BundledChange], known: Set<DocumentVersion>
    ) async throws(FirestoreError) -> DocumentVersion? {
        var attempt = 1
        while true {
            let current = try await backend.documents(changes.map(\.key)).documents
            let writes = zip(changes, current).compactMap { change, current in change.write(over: current, known: known) }
            if writes.isEmpty { return nil }
            do throws(FirestoreError) {
                return try await backend.commit(writes).commitTime
            } catch {
                // Another caller changed one of the documents after they were read.
                let isConflict = [.failedPrecondition, .alreadyExists, .notFound, .aborted].contains(error.code)
                guard isConflict, attempt < Self.attempts else { throw error }
                attempt += 1
            }
        }
    }

    private mutating func finish() async throws(FirestoreError) {
        guard let metadata else { return }
        for query in queries { try await facts.setFact(NamedQuery.factKey(query.name), ByteSlice(query.json.bytes())) }
        loaded.add([], of: metadata, isComplete: true)
        try await facts.setFact(LoadedBundles.factKey, loaded.fact)
        progress = progress.success
    }
}

extension BundledChange {
    /// The write over the current state; nil if that must not be replaced or is the same.
    fileprivate func write(over current: Document?, known: Set<DocumentVersion>) -> Write? {
        guard let current else {
            return fields.map { Write(key: key, operation: .set($0), precondition: .exists(false)) }
        }
        guard known.contains(current.updateTime) || current.updateTime < version else { return nil }
        if current.fields == fields { return nil }
        return Write(
            key: key, operation: fields.map { .set($0) } ?? .delete, precondition: .updateTime(current.updateTime))
    }
}

extension ClientBackend {
    fileprivate func commit(_ writes: [Write]) async throws(FirestoreError) -> CommitResponse {
        let result = await withCheckedContinuation { continuation in
            write(writes) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }
}

extension NamedQuery {
    fileprivate static func factKey(_ name: String) -> String { "bundle-query/" + name }
}

/// Loads bundles into the documents of a database, and keeps their queries beside them.
struct StoredBundles: BundleAdministration {
    let backend: any ClientBackend
    let facts: any FactService

    func loadBundle(
        _ source: any BundleSource, in database: DatabaseID, report: @escaping @Sendable (BundleProgress) -> Void
    ) async throws(FirestoreError) -> BundleProgress {
        var loader = BundleLoader(backend: backend, facts: facts, database: database, report: report)
        return try await loader.load(source)
    }

    func query(named name: String, in database: DatabaseID) async throws(FirestoreError) -> ClientQuery? {
        guard let fact = try await facts.fact(NamedQuery.factKey(name)) else { return nil }
        defer { withExtendedLifetime(fact) {} }
        return try NamedQuery(JSONNode(try JSON(fact.buffer)), in: database).query
    }
}
