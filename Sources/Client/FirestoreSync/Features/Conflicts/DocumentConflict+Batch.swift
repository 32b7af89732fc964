// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

extension PendingBatch {
    func conflict(on key: DocumentKey, _ base: RemoteState, _ remote: RemoteState) -> DocumentConflict {
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

    /// Whether the authority has what the batch would make of a document. That is not known of an increment: another client may have
    /// added the same.
    func hasDone(_ conflict: DocumentConflict) -> Bool {
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
    func remainingWrites(after answers: [DocumentKey: ConflictAnswer]) -> [Write] {
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
    func document(_ key: DocumentKey) -> Document? {
        kind == .found ? Document(key: key, createTime: createTime, updateTime: version, fields: fields) : nil
    }
}

extension FirestoreError {
    static func undecided(_ conflicts: [DocumentConflict]) -> FirestoreError {
        FirestoreError(
            .failedPrecondition,
            "the document was changed on the server after the state that this write was made on, and no conflict handler has decided; "
                + "retry the write to make it over the newer state, or dismiss it", at: conflicts.first?.key.path)
    }
}
