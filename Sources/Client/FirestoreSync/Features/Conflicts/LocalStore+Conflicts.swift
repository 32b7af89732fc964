// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import FirestoreWire

extension LocalStore {
    /// What the authority has of some documents, as far as is known.
    func remotes(_ keys: [DocumentKey]) throws(FirestoreError) -> [DocumentKey: RemoteState] {
        try read(.readDocument) { (_, rows) throws(FirestoreError) in
            var result: [DocumentKey: RemoteState] = [:]
            for key in keys { result[key] = try rows.entry(key).remote }
            return result
        }
    }

    /// Gives the oldest batch other writes, over what the authority has now. Its number stays.
    func replace(_ batch: PendingBatch, with writes: [Write]) throws(FirestoreError) -> [LocalChange] {
        try perform(.writeLocally) { (cache) throws(FirestoreError) in try cache.replace(batch, with: writes) }
    }

    /// Removes a batch that has nothing left to do. For its callers it is acknowledged.
    func settle(_ batch: PendingBatch, at commitTime: DocumentVersion) throws(FirestoreError) -> [LocalChange] {
        try perform(.acknowledge) { (cache) throws(FirestoreError) in
            guard try cache.isQueued(batch.id) else { return [] }
            try cache.note(.answered(AnsweredBatch(batch, at: commitTime, results: [])))
            return try cache.drop(batch)
        }
    }
}

extension CacheTransaction {
    func replace(_ batch: PendingBatch, with writes: [Write]) throws(FirestoreError) -> [LocalChange] {
        guard try isQueued(batch.id) else { return [] }
        var entries: [DocumentKey: CacheEntry] = [:]
        for key in batch.keys { entries[key] = try entry(key) }
        // The oldest batch: nothing lies between it and the authority's state.
        let baseWrites = writes.compactMap { write in
            entries[write.key].flatMap { LocalApplication($0.key, $0.remote).baseWrite(for: write) }
        }
        var changed = PendingBatch(
            id: batch.id, user: batch.user, localWriteTime: batch.localWriteTime, baseWrites: baseWrites, writes: writes)
        changed.attachment = ByteSlice(WriteBases.encode(WriteBases.known(in: changed.keys.compactMap { entries[$0] }), database))
        try sql.run(
            "UPDATE batches SET base_writes = ?2, writes = ?3 WHERE id = ?1", batch.id,
            baseWrites.isEmpty ? nil : CommitRequest(database: database, writes: baseWrites).encoded(),
            CommitRequest(database: database, writes: writes).encoded())
        try storeAttachment(of: changed)
        for key in Set(batch.keys).subtracting(changed.keys) {
            try run("DELETE FROM batch_documents WHERE collection = ?1 AND id = ?2 AND batch = ?3", on: key, batch.id)
            try touch(key)
        }
        try note(.other)
        return try replay(batch.keys)
    }

    private func storeAttachment(of batch: PendingBatch) throws(FirestoreError) {
        try sql.run("UPDATE batches SET bases = ?2 WHERE id = ?1", batch.id, batch.attachment)
        knownBatches[batch.id] = BatchOfDocuments(batch)
    }

    /// What this client has written itself is no conflict: batches that were made on an acknowledged one now have its result as their
    /// base.
    func rebase(
        _ outcome: [(Write, WriteResult)], after acknowledged: PendingBatch, at commitTime: DocumentVersion
    ) throws(FirestoreError) {
        guard try sql.exists("SELECT 1 FROM batches WHERE bases IS NOT NULL LIMIT 1") else { return }
        var numbers: Set<BatchID> = []
        for key in acknowledged.keys {
            for number in try rows.batchNumbers(of: key) where number > acknowledged.id { numbers.insert(number) }
        }
        for number in numbers.sorted() {
            guard var batch = try batch(number)?.batch, batch.user == acknowledged.user, var bases = try batch.bases else { continue }
            let keys = Set(batch.keys)
            for (write, result) in outcome where keys.contains(write.key) {
                var base = bases[write.key] ?? RemoteState()
                let version = result.updateTime.flatMap { $0 == .none ? nil : $0 } ?? commitTime
                // Otherwise the batch was made when a newer state was known already.
                guard base.version <= version else { continue }
                base.apply(write, result: result, at: commitTime)
                bases[write.key] = base
            }
            batch.attachment = ByteSlice(WriteBases.encode(bases, database))
            try storeAttachment(of: batch)
        }
    }
}

/// The states that the documents of a batch had at the authority when it was made.
///
/// Stored as writes that would make them so: nothing is stored of a document of which nothing is known.
enum WriteBases {
    static func known(in entries: [CacheEntry]) -> [DocumentKey: RemoteState] {
        var bases: [DocumentKey: RemoteState] = [:]
        for entry in entries where entry.remote.kind != .none { bases[entry.key] = entry.remote }
        return bases
    }

    static func encode(_ bases: [DocumentKey: RemoteState], _ database: DatabaseID) -> [UInt8] {
        let writes = bases.sorted { $0.key < $1.key }.compactMap { key, base -> Write? in
            let operation: Write.Operation
            switch base.kind {
            case .found: operation = .set(base.fields)
            case .missing: operation = .delete
            case .unknown: operation = .verify
            case .none: return nil
            }
            return Write(key: key, operation: operation, precondition: .updateTime(base.version))
        }
        return CommitRequest(database: database, writes: writes).encoded()
    }

    static func decode(_ bytes: ByteSlice) throws(FirestoreError) -> [DocumentKey: RemoteState] {
        var bases: [DocumentKey: RemoteState] = [:]
        for write in try CommitRequest(decoding: bytes).writes {
            var base = RemoteState()
            switch write.operation {
            case .set(let fields): (base.kind, base.fields) = (.found, fields)
            case .delete: base.kind = .missing
            case .verify: base.kind = .unknown
            case .patch: continue
            }
            if case .updateTime(let version)? = write.precondition { base.version = version }
            bases[write.key] = base
        }
        return bases
    }
}

extension PendingBatch {
    /// What the authority had when the call was made, by document, if it has to reject writes of what has changed since; nil: the writes
    /// are made in any case.
    var bases: [DocumentKey: RemoteState]? {
        get throws(FirestoreError) { try attachment.map { (bytes) throws(FirestoreError) in try WriteBases.decode(bytes) } }
    }

    /// The writes as they are sent: with the condition that their documents are unchanged since the batch was made.
    ///
    /// Only the first write of a document has it; the next ones find what that has made of it.
    var conditionedWrites: [Write] {
        get throws(FirestoreError) {
            guard let bases = try bases else { return writes }
            var seen: Set<DocumentKey> = []
            return writes.map { write in
                guard seen.insert(write.key).inserted, let base = bases[write.key] else { return write }
                var write = write
                write.precondition = write.condition(on: base) ?? write.precondition
                return write
            }
        }
    }

    /// The states that documents must still have for the batch to be applied, as far as that matters.
    var conditions: [DocumentKey: RemoteState] {
        get throws(FirestoreError) {
            (try bases ?? [:]).filter { key, base in writes.first { $0.key == key }?.condition(on: base) != nil }
        }
    }

    /// Whether another batch writes one of its documents: this one was made on what that one leaves.
    func isMade(on other: PendingBatch) -> Bool {
        let keys = Set(other.writes.map(\.key))
        return writes.contains { keys.contains($0.key) }
    }
}

extension Write {
    /// The condition that a document is unchanged.
    fileprivate func condition(on base: RemoteState) -> Precondition? {
        switch (base.kind, precondition) {
        case (.found, nil), (.found, .exists(true)?), (.unknown, nil), (.unknown, .exists(true)?): .updateTime(base.version)
        case (.missing, nil): .exists(false)
        // An update of a missing document fails in any case, and a condition of the caller is the caller's.
        case (.missing, _), (.none, _), (.found, _), (.unknown, _): nil
        }
    }
}

extension RemoteState {
    /// Whether a document is the same as in another state of the authority.
    func isUnchanged(since base: RemoteState) -> Bool {
        base.kind == .missing ? kind == .missing : kind != .missing && version == base.version
    }
}
