// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport

@testable import FirestoreSync

/// What a cache must show, computed as simply as possible: remote documents, pending batches, and an overlay per document that is
/// laid over the remote document at every look. Follows the rules of the original, and nothing is stored. One rule is Hearth's own:
/// overlays of users who are away are not kept, so a user who returns finds the pending writes applied to what the authority has
/// said meanwhile (SY-D12).
struct CacheModel {
    enum Remote {
        case none
        case found(FieldMap)
        case missing
        case unknown
    }

    enum Overlay {
        case set(FieldMap)
        case patch([(FieldPathSegments, Value?)])
        case delete
    }

    struct Entry {
        var remote = Remote.none
        var version: Int64 = 0
        var isCommitted = false
        var overlay: Overlay?
        var newest: BatchID = 0
    }

    struct Working {
        var fields: FieldMap?
        var isMissing = false
        var isMutated = false
        var mask: Set<FieldPathSegments>?
    }

    var entries: [DocumentKey: Entry] = [:]
    /// Of all users.
    private(set) var batches: [PendingBatch] = []
    /// The user whose pending writes are seen.
    private(set) var user = SyncUser.unauthenticated

    /// The pending batches of that user.
    var queue: [PendingBatch] { batches.filter { $0.user == user } }

    // MARK: Looking

    func look(_ key: DocumentKey) throws -> String {
        let entry = entries[key] ?? Entry()
        if let overlay = entry.overlay {
            return try view(entry.remote, overlay).map { try CacheFixture.short(FieldBytes($0)) + "*" } ?? "-*"
        }
        let mark = entry.isCommitted ? "+" : ""
        switch entry.remote {
        case .none: return ""
        case .found(let fields): return try CacheFixture.short(FieldBytes(fields)) + mark
        case .missing: return "-" + mark
        case .unknown: return "?" + mark
        }
    }

    private func view(_ remote: Remote, _ overlay: Overlay) -> FieldMap? {
        switch overlay {
        case .set(let fields): return fields
        case .delete: return nil
        case .patch(let values):
            var fields = FieldMap()
            if case .found(let stored) = remote { fields = stored }
            for (path, value) in values { fields[path] = value }
            return fields
        }
    }

    // MARK: What happens

    mutating func write(_ batch: PendingBatch) {
        batches.append(batch)
        for key in batch.keys {
            var entry = entries[key] ?? Entry()
            var working = start(entry.remote)
            if let overlay = entry.overlay {
                working.fields = view(entry.remote, overlay)
                working.isMutated = true
                working.mask = nil
                if case .patch(let values) = overlay { working.mask = Set(values.map(\.0)) }
            }
            apply(batch, to: &working, key)
            if case .none = entry.remote { working.mask = nil }
            take(working, batch.id, &entry)
            entries[key] = entry
        }
    }

    mutating func acknowledge(at version: Int64, results: [Value?]) {
        let batch = removeOldest()
        for key in batch.keys {
            var entry = entries[key] ?? Entry()
            if entry.version < version {
                for (write, result) in zip(batch.writes, results) where write.key == key { commit(write, result, version, &entry) }
            }
            if entry.newest == batch.id { entry.overlay = nil }
            if zip(batch.writes, results).contains(where: { $0.key == key && $1 != nil }) { replay(key, &entry) }
            entries[key] = entry
        }
    }

    mutating func reject() {
        let batch = removeOldest()
        for key in batch.keys {
            var entry = entries[key] ?? Entry()
            replay(key, &entry)
            entries[key] = entry
        }
    }

    mutating func hear(_ key: DocumentKey, _ fields: FieldMap?, at version: Int64) {
        var entry = entries[key] ?? Entry()
        var (isNone, wasFound) = (false, false)
        if case .none = entry.remote { isNone = true }
        if case .found = entry.remote { wasFound = true }
        if fields == nil, version == 0 {
            entry.remote = .none
        } else if isNone || version > entry.version || (version == entry.version && entry.isCommitted) {
            entry.remote = fields.map { .found($0) } ?? .missing
        } else {
            return
        }
        entry.version = version
        entry.isCommitted = false
        if wasFound != (fields != nil) { replay(key, &entry) }
        entries[key] = entry
    }

    /// The overlays of one user go, those of the other are computed.
    mutating func changeUser(to user: SyncUser) {
        guard user != self.user else { return }
        let keys = Set(batches.filter { $0.user == self.user || $0.user == user }.flatMap(\.keys))
        self.user = user
        for key in keys {
            var entry = entries[key] ?? Entry()
            replay(key, &entry)
            entries[key] = entry
        }
    }

    // MARK: Steps

    private mutating func removeOldest() -> PendingBatch {
        let batch = queue[0]
        batches.removeAll { $0.id == batch.id }
        return batch
    }

    private func start(_ remote: Remote) -> Working {
        var working = Working(mask: [])
        if case .found(let fields) = remote { working.fields = fields }
        return working
    }

    private func replay(_ key: DocumentKey, _ entry: inout Entry) {
        var working = start(entry.remote)
        var newest: BatchID = 0
        for batch in queue where batch.keys.contains(key) {
            apply(batch, to: &working, key)
            newest = batch.id
        }
        take(working, newest, &entry)
    }

    private func take(_ working: Working, _ newest: BatchID, _ entry: inout Entry) {
        entry.overlay = nil
        entry.newest = newest
        guard working.isMutated, working.mask?.isEmpty != true else { return }
        guard let mask = working.mask else {
            entry.overlay = working.fields.map { .set($0) } ?? .delete
            return
        }
        let fields = working.fields ?? FieldMap()
        var values: [FieldPathSegments: Value?] = [:]
        for var path in mask.sorted() where values[path] == nil {
            if fields[path] == nil, path.segments.count > 1 { path = FieldPathSegments(path.segments.dropLast()) }
            values[path] = .some(fields[path])
        }
        entry.overlay = .patch(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    private func apply(_ batch: PendingBatch, to working: inout Working, _ key: DocumentKey) {
        for write in batch.baseWrites + batch.writes where write.key == key {
            if case .exists(let wanted)? = write.precondition, wanted != (working.fields != nil) { continue }
            working.isMutated = true
            guard let fields = Self.result(write, on: working.fields, nil) else {
                working.fields = nil
                working.mask = nil
                continue
            }
            if case .patch(_, let mask) = write.operation {
                working.mask?.formUnion(mask)
                working.mask?.formUnion(write.transforms.map(\.path))
            } else {
                working.mask = nil
            }
            working.fields = fields
        }
    }

    private func commit(_ write: Write, _ result: Value?, _ version: Int64, _ entry: inout Entry) {
        var stored: FieldMap?
        if case .found(let fields) = entry.remote { stored = fields }
        entry.version = version
        entry.isCommitted = true
        if case .exists(true)? = write.precondition, stored == nil {
            entry.remote = .unknown
        } else {
            entry.remote = Self.result(write, on: stored, result).map { .found($0) } ?? .missing
        }
    }

    /// With sets, patches, deletes, increments and array unions of integers.
    private static func result(_ write: Write, on stored: FieldMap?, _ result: Value?) -> FieldMap? {
        var fields: FieldMap
        switch write.operation {
        case .set(let new): fields = (try? new.map) ?? FieldMap()
        case .patch(let new, let mask):
            fields = stored ?? FieldMap()
            let new = (try? new.map) ?? FieldMap()
            for path in mask.sorted().reversed() { fields[path] = new[path] }
        case .delete, .verify: return nil
        }
        for transform in write.transforms {
            let before = stored?[transform.path]
            switch (transform.kind, before) {
            case (.appendMissingElements(let added), .array(let elements)?):
                let known = elements.map { ValueBytes($0) }
                fields[transform.path] = .array(elements + added.filter { !known.contains(ValueBytes($0)) })
            case (.appendMissingElements(let added), _): fields[transform.path] = .array(added)
            case (.increment(.integer(let amount)), .integer(let number)?):
                fields[transform.path] = result ?? .integer(number + amount)
            case (.increment(let amount), _): fields[transform.path] = result ?? amount
            default: break
            }
        }
        return fields
    }
}
