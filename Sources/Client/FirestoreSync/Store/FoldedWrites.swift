// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreStorage
import FirestoreWire

extension Write {
    /// One write with the effect of this one and the next, whatever the document is; nil if there is none (SY-D31).
    ///
    /// If the document does not exist, the folded write fails exactly if both would.
    func folded(with next: Write) -> Write? {
        guard key == next.key, transforms.isEmpty, next.transforms.isEmpty else { return nil }
        let expectsDocument = next.precondition == .exists(true)
        switch (operation, next.operation) {
        case (.set, .set), (.patch, .set):
            return precondition == nil && next.precondition == nil ? next : nil
        case (.set(let fields), .patch(let new, let mask)):
            guard precondition == nil, next.precondition == nil || expectsDocument else { return nil }
            return Write(key: key, operation: .set(FieldMerge.apply(FieldMerge.edits(from: new, mask: mask), to: fields)))
        case (.patch(let fields, let mask), .patch(let new, let newMask)):
            switch precondition {
            case nil: guard next.precondition == nil || expectsDocument else { return nil }
            case .exists(true): guard expectsDocument else { return nil }
            case .exists(false), .updateTime: return nil
            }
            let edits = FieldMerge.edits(from: new, mask: newMask)
            guard edits.allSatisfy({ $0.isExact(after: mask) }) else { return nil }
            let merged = FieldMerge.apply(edits, to: FieldMerge.apply(FieldMerge.edits(from: fields, mask: mask), to: .empty))
            let paths = FieldMerge.edits(from: merged, mask: mask + newMask).map(\.path)
            return Write(key: key, operation: .patch(merged, mask: paths), precondition: precondition)
        case (.delete, _), (.verify, _), (_, .delete), (_, .verify):
            return nil
        }
    }
}

extension FieldEdit {
    /// Whether it does the same to the fields of a patch as to the document that the patch was applied to. A deletion inside a map
    /// may leave an empty map there, unless the patch has written the whole map.
    fileprivate func isExact(after mask: [FieldPathSegments]) -> Bool {
        value != nil || path.segments.count == 1 || mask.contains { $0 != path && $0.isPrefix(of: path) }
    }
}

extension CacheTransaction {
    /// A folded write is not longer, so that two writes that the authority accepts do not become one that it refuses.
    private static let longest = 512 << 10

    /// Applies a write and makes it part of the newest batch of the user; nil if it needs a batch of its own. Batches up to
    /// `boundary` are not changed: they may have been sent.
    func fold(_ writes: [Write], after boundary: BatchID) throws(FirestoreError) -> LocalWriteResult? {
        guard writes.count == 1, let write = writes.first, let newest = try rows.highestBatch(of: meta.user), newest > boundary,
            let batch = try batch(newest)?.batch, batch.baseWrites.isEmpty, batch.bases == nil, batch.writes.count == 1,
            let folded = batch.writes.first?.folded(with: write)
        else { return nil }
        let bytes = CommitRequest(database: database, writes: [folded]).encoded()
        guard bytes.count <= Self.longest else { return nil }
        let old = try entry(write.key)
        var application = old.application
        application.apply(write, at: TimestampValue(microsecondsSince1970: now))
        // A document that only pending writes have created has no base to patch (SY-42).
        if old.remote.kind == .none { application.mutatedFields = nil }
        var new = old
        new.take(application, of: batch.id)
        try store(new, replacing: old)
        let row = try sql.statement("UPDATE batches SET writes = ?2 WHERE id = ?1")
        row.bind(1, batch.id)
        row.bind(2, copying: bytes)
        try row.run()
        let changed = PendingBatch(
            id: batch.id, user: batch.user, localWriteTime: batch.localWriteTime, baseWrites: [], writes: [folded])
        knownBatches[batch.id] = BatchOfDocuments(changed)
        return LocalWriteResult(batch: changed, changes: [LocalChange(old: old.local, new: new.local)])
    }
}
