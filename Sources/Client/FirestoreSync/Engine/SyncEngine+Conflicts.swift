// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreWire

/// A batch that the authority has refused because of what others have changed. Everything behind it waits for the decision.
///
/// It stays in the queue until then. If the streams end before, it is forgotten: the batch is sent again, refused again, and
/// decided about again.
struct OpenConflict {
    /// Answers that belong to an earlier one have no effect.
    let number: Int
    let batch: PendingBatch
    /// Why it was refused.
    let error: FirestoreError
    /// What the handler was asked.
    var conflicts: [DocumentConflict] = []
    /// How often its documents could not be read.
    var failures = 0
}

/// Conflicts (SY-D24). The authority finds them: the batch is sent with the condition that its documents are as they were, and what is
/// decided is sent with the condition that they are as they were when it was decided.
extension SyncEngine {
    var awaitsDecision: Bool { conflict != nil }

    /// Whether a refused batch may have been refused because of a conflict.
    func mayConflict(_ batch: PendingBatch, _ error: FirestoreError) -> Bool {
        guard settings.lookUp != nil, batch.bases?.isEmpty == false else { return false }
        switch error.code {
        case .failedPrecondition, .alreadyExists, .notFound: return true
        default: return false
        }
    }

    func beginConflict(_ batch: PendingBatch, because error: FirestoreError, stream: ByteSlice?) throws(FirestoreError) {
        if let stream { try store.setStreamToken(stream) }
        lastConflict += 1
        conflict = OpenConflict(number: lastConflict, batch: batch, error: error)
        lookUpConflict()
    }

    /// The streams have ended; the batch will be sent again.
    func forgetConflict() {
        guard conflict != nil else { return }
        conflict = nil
        timers.cancel(.conflictLookup)
    }

    /// What the authority has now: what the batch was refused for may not have reached the cache yet.
    func lookUpConflict() {
        guard let conflict, let lookUp = settings.lookUp else { return }
        let (number, keys, post) = (conflict.number, conflict.batch.keys, streams.post)
        lookUp(keys) { result in post { engine in engine.lookedUp(number, keys, result) } }
    }

    private func lookedUp(_ number: Int, _ keys: [DocumentKey], _ result: Result<LookupSnapshot, FirestoreError>) {
        guard let conflict, conflict.number == number else { return }
        switch result {
        case .success(let snapshot):
            streams.recoverably(.report) { [weak self] (_) throws(FirestoreError) in try self?.compare(conflict, keys, snapshot) }
        case .failure(let error) where error.isPermanentWriteError:
            settings.log("the documents of a refused write could not be read: \(error)")
            reject(conflict.error)
        case .failure:
            self.conflict?.failures += 1
            timers.start(.conflictLookup, after: settings.backoff.delay(afterFailures: conflict.failures + 1))
        }
    }

    private func compare(_ conflict: OpenConflict, _ keys: [DocumentKey], _ snapshot: LookupSnapshot) throws(FirestoreError) {
        let documents = zip(keys, snapshot.documents).map { key, document in
            document.map { RemoteDocument($0) } ?? RemoteDocument(missing: key, at: snapshot.readTime)
        }
        try applyRemoteEvent(
            RemoteEvent(snapshotVersion: .none, documents: documents, resolvedLimboDocuments: Set(documents.map(\.key))))
        let remotes = try store.remotes(keys)
        let conflicts = keys.compactMap { key -> DocumentConflict? in
            guard let base = conflict.batch.base(of: key), let remote = remotes[key], !remote.isUnchanged(since: base) else { return nil }
            return conflict.batch.conflict(on: key, base, remote)
        }
        // Refused for another reason, which sending again would not change.
        guard !conflicts.isEmpty else { return reject(conflict.error) }
        self.conflict?.conflicts = conflicts
        // A write whose answer was lost finds its own result.
        if conflicts.allSatisfy({ conflict.batch.hasDone($0) }) { return decided(.success(conflicts.map { _ in .theirs })) }
        guard let decide = handlers[conflict.batch.id] ?? settings.conflictHandler else { return reject(.undecided(conflicts)) }
        let (number, post) = (conflict.number, streams.post)
        decide(conflicts) { answers in
            post { engine in
                guard engine.conflict?.number == number else { return }
                engine.decided(answers)
            }
        }
    }

    private func decided(_ answers: Result<[ConflictAnswer], FirestoreError>) {
        guard let conflict else { return }
        do throws(FirestoreError) {
            let answers = try answers.get()
            let writes = conflict.batch.remainingWrites(
                after: Dictionary(zip(conflict.conflicts.map(\.key), answers), uniquingKeysWith: { first, _ in first }))
            try BatchCheck.check(writes, in: database)
            streams.recoverably(.report) { [weak self] (_) throws(FirestoreError) in try self?.take(writes, of: conflict) }
        } catch {
            reject(error)
        }
    }

    private func take(_ writes: [Write], of decided: OpenConflict) throws(FirestoreError) {
        let batch = decided.batch
        if writes.isEmpty {
            let changes = try store.settle(batch, at: readTime)
            conflict = nil
            finished(batch.id, .success(CommitResponse(commitTime: readTime, results: [])))
            deliver(changes)
        } else {
            let changes = try store.replace(batch, with: writes)
            conflict = nil
            deliver(changes)
            onQueueChange?()
        }
        streams.fillPipeline()
    }

    /// The write becomes a failed one: it is kept there, and nothing is lost.
    private func reject(_ error: FirestoreError) {
        guard let batch = conflict?.batch else { return }
        conflict = nil
        streams.rejectUndecided(batch, because: error)
    }
}

extension PendingBatch {
    fileprivate func conflict(on key: DocumentKey, _ base: RemoteState, _ remote: RemoteState) -> DocumentConflict {
        // Of a base without known content nothing can be computed; the write shows what it makes of the newer state.
        var application = LocalApplication(key, base.kind == .unknown ? remote : base)
        for write in writes where write.key == key {
            application.apply(write, at: TimestampValue(microsecondsSince1970: localWriteTime))
        }
        let local =
            application.kind != .found
            ? nil : Document(key: key, createTime: base.createTime, updateTime: base.version, fields: application.fields)
        return DocumentConflict(
            key: key, base: base.document(key), isBaseKnown: base.kind != .unknown, local: local, remote: remote.document(key))
    }

    /// Whether the authority has what the batch would make of a document. Of an increment that cannot be told: another client may have
    /// added the same.
    fileprivate func hasDone(_ conflict: DocumentConflict) -> Bool {
        guard let local = conflict.local, let remote = conflict.remote else { return conflict.local == nil && conflict.remote == nil }
        var stamps: [FieldEdit] = []
        for transform in writes.lazy.filter({ $0.key == conflict.key }).flatMap(\.transforms) {
            switch transform.kind {
            case .serverTimestamp: stamps.append(FieldEdit(path: transform.path, value: nil))
            case .increment: return false
            case .maximum, .minimum, .appendMissingElements, .removeAllFromArray: break
            }
        }
        // The time is the server's.
        return FieldEdits.apply(stamps, to: local.fields) == FieldEdits.apply(stamps, to: remote.fields)
    }

    /// The writes that are left after a decision.
    fileprivate func remainingWrites(after answers: [DocumentKey: ConflictAnswer]) -> [Write] {
        var replaced: Set<DocumentKey> = []
        return writes.compactMap { write in
            switch answers[write.key] {
            case nil, .mine?: return write
            case .theirs?: return nil
            case .merge(let merged)?: return replaced.insert(write.key).inserted ? merged : nil
            }
        }
    }
}

extension RemoteState {
    fileprivate func document(_ key: DocumentKey) -> Document? {
        kind == .found ? Document(key: key, createTime: createTime, updateTime: version, fields: fields) : nil
    }
}

extension FirestoreError {
    fileprivate static func undecided(_ conflicts: [DocumentConflict]) -> FirestoreError {
        FirestoreError(
            .failedPrecondition,
            "the document was changed on the server after the state that this write was made on, and no conflict handler has decided; "
                + "retry the write to make it over the newer state, or dismiss it", at: conflicts.first?.key.path)
    }
}
