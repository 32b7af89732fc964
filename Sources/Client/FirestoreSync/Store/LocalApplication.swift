// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// Applies pending writes to a document as a client expects them to turn out (SY-35 … SY-38).
///
/// Pure: nothing is stored. A local write never invents a version, so that of the base stays.
struct LocalApplication {
    let key: DocumentKey
    var kind: RemoteState.Kind
    var fields: FieldBytes
    let version: DocumentVersion
    /// Whether a write had an effect.
    var isMutated = false
    var mutatedFields: MutatedFields = []

    init(_ key: DocumentKey, _ remote: RemoteState) {
        self.key = key
        kind = remote.kind
        fields = remote.fields
        version = remote.version
    }

    mutating func apply(_ write: Write, at time: TimestampValue) {
        guard write.precondition.holds(exists: kind == .found, version: version) else { return }
        switch write.operation {
        case .verify: return
        case .delete:
            kind = .missing
            fields = .empty
            mutatedFields = nil
        case .set(let new):
            fields = FieldEdits.apply(estimates(of: write.transforms, at: time), to: new)
            kind = .found
            mutatedFields = nil
        case .patch(let new, let mask):
            let estimates = estimates(of: write.transforms, at: time)
            fields = FieldMerge.apply(FieldMerge.edits(from: new, mask: mask), to: kind == .found ? fields : .empty)
            fields = FieldEdits.apply(estimates, to: fields)
            kind = .found
            mutatedFields?.formUnion(mask)
            mutatedFields?.formUnion(write.transforms.map(\.path))
        }
        isMutated = true
    }

    /// What the server will probably compute. Each transform sees the document before the write (WR-46).
    private func estimates(of transforms: [FieldTransform], at time: TimestampValue) -> [FieldEdit] {
        defer { withExtendedLifetime(fields) {} }
        let found = fields.view.values(at: transforms.map(\.path))
        return zip(transforms, found).map { transform, stored in
            let value: ValueBytes =
                switch transform.kind {
                case .serverTimestamp: PendingTimestamp.bytes(localWriteTime: time, replacing: stored)
                case .increment(let operand): ValueBytes(NumberTransforms.sum(stored, operand))
                case .maximum(let operand): ValueBytes(NumberTransforms.extreme(stored, operand, sign: 1))
                case .minimum(let operand): ValueBytes(NumberTransforms.extreme(stored, operand, sign: -1))
                case .appendMissingElements(let elements): ArrayTransforms.union(stored, elements)
                case .removeAllFromArray(let elements): ArrayTransforms.removing(elements, from: stored)
                }
            return FieldEdit(path: transform.path, value: value)
        }
    }

    /// The patch of the numbers that the increments of a write were computed from; nil without increments (SY-37).
    func baseWrite(for write: Write) -> Write? {
        defer { withExtendedLifetime(fields) {} }
        let found = fields.view.values(at: write.transforms.map(\.path))
        var edits: [FieldEdit] = []
        for (transform, value) in zip(write.transforms, found) {
            guard case .increment = transform.kind else { continue }
            let stored = kind == .found ? value : nil
            let isNumber = stored?.kind == .integer || stored?.kind == .double
            let value = isNumber ? stored.map { ValueBytes(canonical: ByteSlice(copying: $0.buffer)) } : nil
            edits.append(FieldEdit(path: transform.path, value: value ?? ValueBytes(.integer(0))))
        }
        guard !edits.isEmpty else { return nil }
        return Write(
            key: write.key, operation: .patch(FieldEdits.apply(edits, to: .empty), mask: edits.map(\.path)),
            precondition: .exists(true))
    }
}

/// Applies what the authority answered to its own last known state (SY-60).
extension RemoteState {
    mutating func apply(_ write: Write, result: WriteResult, at commitTime: DocumentVersion) {
        var updateTime = result.updateTime ?? commitTime
        if updateTime == .none { updateTime = commitTime }
        let new: FieldBytes
        switch write.operation {
        case .verify: return
        case .delete:
            self = RemoteState(kind: .missing, version: updateTime, readTime: readTime, isCommitted: true)
            return
        case .set(let set): new = FieldEdits.apply(values(of: write.transforms, result.transformResults), to: set)
        case .patch(let patch, let mask):
            guard write.precondition.holds(exists: kind == .found, version: version) else {
                self = RemoteState(kind: .unknown, version: updateTime, readTime: readTime, isCommitted: true)
                return
            }
            let values = values(of: write.transforms, result.transformResults)
            new = FieldEdits.apply(values, to: FieldMerge.apply(FieldMerge.edits(from: patch, mask: mask), to: fields))
        }
        if kind != .found { createTime = updateTime }
        fields = new
        kind = .found
        version = updateTime
        isCommitted = true
    }

    /// The results of the server; those of array transforms are computed here, because the server does not send them.
    private func values(of transforms: [FieldTransform], _ results: [Value]) -> [FieldEdit] {
        defer { withExtendedLifetime(fields) {} }
        let found = fields.view.values(at: transforms.map(\.path))
        return transforms.enumerated().map { place, transform in
            let value: ValueBytes =
                switch transform.kind {
                case .appendMissingElements(let elements): ArrayTransforms.union(found[place], elements)
                case .removeAllFromArray(let elements): ArrayTransforms.removing(elements, from: found[place])
                default: ValueBytes(place < results.count ? results[place] : .null)
                }
            return FieldEdit(path: transform.path, value: value)
        }
    }
}

extension Precondition? {
    /// Whether a client expects the precondition to hold.
    func holds(exists: Bool, version: DocumentVersion) -> Bool {
        switch self {
        case nil: true
        case .exists(let wanted): wanted == exists
        case .updateTime(let time): exists && time == version
        }
    }
}

enum FieldEdits {
    /// Like `FieldMerge.apply`, but paths may repeat or lie inside each other: later ones take effect later.
    static func apply(_ edits: [FieldEdit], to fields: FieldBytes) -> FieldBytes {
        guard edits.count > 1 else { return FieldMerge.apply(edits, to: fields) }
        // The last edit of each path, in order.
        var known: Set<FieldPathSegments> = []
        let edits = Array(edits.reversed().filter { known.insert($0.path).inserted }.reversed())
        let paths = edits.map(\.path).sorted()
        // A path sorts directly before everything inside it.
        guard zip(paths, paths.dropFirst()).contains(where: { $0.isPrefix(of: $1) }) else { return FieldMerge.apply(edits, to: fields) }
        return edits.reduce(fields) { FieldMerge.apply([$1], to: $0) }
    }
}
