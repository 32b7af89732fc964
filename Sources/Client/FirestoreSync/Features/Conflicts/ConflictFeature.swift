// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSemantics

/// A batch that the authority has rejected because of what others have changed. Everything behind it waits for the decision.
///
/// It stays in the queue until then. If the streams end before, it is forgotten: the batch is sent again, rejected again, and
/// decided about again.
struct OpenConflict {
    /// Answers that belong to an earlier one have no effect.
    let number: Int
    let batch: PendingBatch
    /// Why it was rejected.
    let error: FirestoreError
    /// The conflict passed to the handler.
    var conflicts: [DocumentConflict] = []
    /// How often its documents could not be read.
    var failures = 0
}

/// Conflicts (SY-D24). The authority finds them: the batch is sent with the condition that its documents are unchanged, and what is
/// decided is sent with the condition that they are unchanged since the decision.
final class ConflictFeature: SyncFeature {
    private weak var engine: SyncEngine?
    /// The handlers that decide about conflicts of the batches that this process has made.
    private var handlers: [BatchID: ConflictHandler] = [:]
    /// The batch that has to be decided about.
    private(set) var conflict: OpenConflict?
    private var lastConflict = 0

    // MARK: Batches

    func prepare(_ batch: inout PendingBatch, _ option: any WriteOption, _ entries: [CacheEntry], _ database: DatabaseID) {
        guard let rule = option as? ConflictRule, rule.requiresUnchanged else { return }
        batch.attachment = ByteSlice(WriteBases.encode(WriteBases.known(in: entries), database))
    }

    func acknowledged(
        _ batch: PendingBatch, _ outcome: [(Write, WriteResult)], at commitTime: DocumentVersion, in cache: CacheTransaction
    ) throws(FirestoreError) {
        try cache.rebase(outcome, after: batch, at: commitTime)
    }

    /// A batch that was made on one in flight waits for the result of that.
    func maySend(_ batch: PendingBatch, behind inFlight: [PendingBatch]) -> Bool { !inFlight.contains { batch.isMade(on: $0) } }

    func request(of batch: PendingBatch) throws(FirestoreError) -> [Write]? { try batch.conditionedWrites }

    func option(of batch: PendingBatch) -> (any WriteOption)? {
        batch.attachment.map { _ in ConflictRule.requireUnchanged(handlers[batch.id]) }
    }

    /// Everything behind a rejected batch waits for the decision.
    var firstHeldBatch: BatchID? { conflict.map { _ in 0 } }

    func holds(_ id: BatchID) -> Bool { conflict?.batch.id == id }

    // MARK: Events

    func attach(to engine: SyncEngine) {
        self.engine = engine
        (handlers, conflict) = ([:], nil)
    }

    func handle(_ event: SyncEvent) {
        switch event {
        case .queued(let id, let option): handlers[id] = (option as? ConflictRule)?.handler
        case .ended(let id):
            handlers[id] = nil
            if holds(id) { forget() }
        case .streamsEnded: forget()
        case .fired(.conflictLookup): lookUp()
        default: break
        }
    }

    /// The batch will be sent again.
    private func forget() {
        guard conflict != nil else { return }
        conflict = nil
        engine?.timers.cancel(.conflictLookup)
    }

    // MARK: A rejection

    func take(_ batch: PendingBatch, rejectedWith error: FirestoreError, stream: ByteSlice?) throws(FirestoreError) -> Bool {
        guard let engine, engine.settings.lookUp != nil, try batch.bases?.isEmpty == false else { return false }
        switch error.code {
        case .failedPrecondition, .alreadyExists, .notFound: break
        default: return false
        }
        if let stream { try engine.store.setStreamToken(stream) }
        lastConflict += 1
        conflict = OpenConflict(number: lastConflict, batch: batch, error: error)
        lookUp()
        return true
    }

    /// Reads what the authority has now: the change that the batch was rejected for may not have reached the cache yet.
    private func lookUp() {
        guard let conflict, let engine, let lookUp = engine.settings.lookUp else { return }
        let (number, keys, post) = (conflict.number, conflict.batch.keys, engine.post)
        lookUp(keys) { result in post { $0.feature(ConflictFeature.self)?.lookedUp(number, keys, result) } }
    }

    private func lookedUp(_ number: Int, _ keys: [DocumentKey], _ result: Result<LookupSnapshot, FirestoreError>) {
        guard let conflict, let engine, conflict.number == number else { return }
        switch result {
        case .success(let snapshot):
            engine.streams.recoverably(.report) { [weak self] (_) throws(FirestoreError) in
                try self?.compare(conflict, keys, snapshot, in: engine)
            }
        case .failure(let error) where error.isPermanentWriteError:
            engine.settings.log("the documents of a rejected write could not be read: \(error)")
            reject(conflict.error)
        case .failure:
            self.conflict?.failures += 1
            engine.timers.start(.conflictLookup, after: engine.settings.backoff.delay(afterFailures: conflict.failures + 1))
        }
    }

    private func compare(
        _ conflict: OpenConflict, _ keys: [DocumentKey], _ snapshot: LookupSnapshot, in engine: SyncEngine
    ) throws(FirestoreError) {
        let documents = zip(keys, snapshot.documents).map { key, document in
            document.map { RemoteDocument($0) } ?? RemoteDocument(missing: key, at: snapshot.readTime)
        }
        try engine.applyRemoteEvent(
            RemoteEvent(snapshotVersion: .none, documents: documents, resolvedLimboDocuments: Set(documents.map(\.key))))
        let (remotes, bases) = (try engine.store.remotes(keys), try conflict.batch.conditions)
        let conflicts = keys.compactMap { key -> DocumentConflict? in
            guard let base = bases[key], let remote = remotes[key], !remote.isUnchanged(since: base) else { return nil }
            return conflict.batch.conflict(on: key, base, remote)
        }
        // Rejected for another reason, which sending again would not change.
        guard !conflicts.isEmpty else { return reject(conflict.error) }
        self.conflict?.conflicts = conflicts
        // A write whose answer was lost finds its own result.
        if conflicts.allSatisfy({ conflict.batch.hasDone($0) }) { return decided(.success(conflicts.map { _ in .theirs })) }
        guard let decide = handlers[conflict.batch.id] ?? engine.settings.conflictHandler else { return reject(.undecided(conflicts)) }
        let (number, post) = (conflict.number, engine.post)
        decide(conflicts) { answers in
            post { engine in
                guard let feature: ConflictFeature = engine.feature(), feature.conflict?.number == number else { return }
                feature.decided(answers)
            }
        }
    }

    private func decided(_ answers: Result<[ConflictAnswer], FirestoreError>) {
        guard let conflict, let engine else { return }
        do throws(FirestoreError) {
            let answers = try answers.get()
            let writes = conflict.batch.remainingWrites(
                after: Dictionary(zip(conflict.conflicts.map(\.key), answers), uniquingKeysWith: { first, _ in first }))
            try BatchCheck.check(writes, in: engine.store.databaseID)
            engine.streams.recoverably(.report) { [weak self] (_) throws(FirestoreError) in
                try self?.finish(conflict, with: writes, in: engine)
            }
        } catch {
            reject(error)
        }
    }

    private func finish(_ decided: OpenConflict, with writes: [Write], in engine: SyncEngine) throws(FirestoreError) {
        let batch = decided.batch
        if writes.isEmpty {
            let changes = try engine.store.settle(batch, at: engine.readTime)
            conflict = nil
            engine.finished(batch.id, .success(CommitResponse(commitTime: engine.readTime, results: [])))
            engine.deliver(changes)
        } else {
            let changes = try engine.store.replace(batch, with: writes)
            conflict = nil
            engine.deliver(changes)
            engine.observers.changed(.queue)
        }
        engine.streams.fillPipeline()
    }

    /// The write becomes a failed one, so that nothing is lost.
    private func reject(_ error: FirestoreError) {
        guard let engine, let batch = conflict?.batch else { return }
        conflict = nil
        engine.streams.recoverably(.essential) { (_) throws(FirestoreError) in try engine.rejectFinally(batch, because: error) }
        engine.streams.fillPipeline()
    }
}

extension SyncTimer {
    /// The documents of a rejected write are read again.
    package static let conflictLookup = SyncTimer("conflictLookup")
}

extension SyncSettings {
    private struct Handler: SyncSettingKey {
        static var defaultValue: Handler { Handler() }
        var decide: ConflictHandler?
    }

    /// Decides about conflicts of writes without a handler; nil: they become failed writes (SY-D24).
    package var conflictHandler: ConflictHandler? {
        get { self[Handler.self].decide }
        set { self[Handler.self].decide = newValue }
    }
}

extension ConflictRule: WriteOption {}
