// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import FirestoreWire

extension LocalStore {
    /// Finds a target again, or gives it the next even id, and marks it as active.
    ///
    /// `isRemote`: the authority is to be asked for it, and not only the cache.
    package func allocate(_ target: SyncTarget, isRemote: Bool = true) throws(FirestoreError) -> TargetData {
        let data = try perform(.allocateTarget) { (cache) throws(FirestoreError) in
            let data = try cache.allocate(target)
            for feature in features { try feature.allocated(data.targetID, isRemote: isRemote, in: cache) }
            return data
        }
        if let known = active[data.targetID] { return known.newest }
        active[data.targetID] = ActiveTarget(newest: data, stored: data)
        return data
    }

    /// Ends the use of a target. Eager collection forgets it.
    package func release(_ id: TargetID) throws(FirestoreError) {
        guard let target = active[id] else { return try willRun?(.releaseTarget) ?? () }
        let shown = viewed.remove(id)
        do throws(FirestoreError) {
            try perform(.releaseTarget) { (cache) throws(FirestoreError) in
                // The documents that the authority has in the target follow from its key set; these may have been written here only.
                for key in shown { try cache.touch(key) }
                if active.count == 1 { unconfirmed.reconsider(in: cache, areTargetsActive: false) }
                if cache.isEager, try cache.isCollectable(id) { return try cache.removeTarget(id) }
                for feature in features where try feature.released(id, in: cache) { return }
                var data = target.newest
                data.sequenceNumber = cache.meta.sequence
                try cache.store(data)
            }
        } catch {
            viewed.add(shown, to: id)
            throw error
        }
        active[id] = nil
    }

    /// The newest state of an active target, which may not be stored yet (SY-97).
    package func targetData(of id: TargetID) -> TargetData? { active[id]?.newest }

    /// The documents that the authority says are in a target.
    package func remoteKeys(of id: TargetID) throws(FirestoreError) -> Set<DocumentKey> {
        try read(.remoteKeys) { (_, rows) throws(FirestoreError) in Set(try rows.keys(of: id)) }
    }

    // MARK: What the authority reports

    /// Applies a remote event: documents, key sets, tokens (SY-96).
    package func apply(_ event: RemoteEvent, waitsForDisk: Bool = true) throws(FirestoreError) -> [LocalChange] {
        try perform(.applyRemoteEvent, waitsForDisk: waitsForDisk) { (cache) throws(FirestoreError) in
            for id in Set(event.targetChanges.keys).union(event.mismatchedTargets.keys).sorted() {
                guard var target = active[id] else { continue }
                try cache.change(&target, by: event.targetChanges[id] ?? TargetDelta(), of: event)
                active[id] = target
            }
            try cache.note(.applied(event))
            let changes = try cache.apply(event.documents, at: event.snapshotVersion)
            for document in event.documents where event.resolvedLimboDocuments.contains(document.key) {
                try cache.touch(document.key)
            }
            if cache.meta.snapshotVersion < event.snapshotVersion {
                cache.meta.snapshotVersion = event.snapshotVersion
                unconfirmed.reconsider(in: cache)
            }
            return changes
        }
    }

    /// Records which documents entered and left the views of a target (SY-99). A view that is not from the cache also moves
    /// the target's limbo-free version (SY-98).
    package func noteViewChanges(_ changes: [ViewDifference]) throws(FirestoreError) {
        var undo: [(added: Set<DocumentKey>, removed: Set<DocumentKey>, id: TargetID)] = []
        for change in changes {
            let added = viewed.add(change.added, to: change.targetID)
            undo.append((added, viewed.remove(change.removed, from: change.targetID), change.targetID))
        }
        // The process that has the streams has views of the same targets.
        if !ownsStreams { return try willRun?(.noteViewChanges) ?? () }
        // Most steps only change documents that their views show already.
        guard changes.contains(where: isWorthStoring) else {
            try willRun?(.noteViewChanges)
            for change in changes where !change.isFromCache { active[change.targetID]?.noteLimboFree() }
            return
        }
        do throws(FirestoreError) {
            try perform(.noteViewChanges, waitsForDisk: false) { (cache) throws(FirestoreError) in
                for change in changes {
                    for key in change.added { try cache.touch(key) }
                    for key in change.removed { try cache.touch(key) }
                    guard !change.isFromCache, var target = active[change.targetID] else { continue }
                    target.noteLimboFree()
                    if target.isWorthStoring {
                        target.stored = target.newest
                        try cache.store(target.newest)
                    }
                    active[change.targetID] = target
                }
            }
        } catch {
            for step in undo.reversed() {
                viewed.add(step.removed, to: step.id)
                viewed.remove(step.added, from: step.id)
            }
            throw error
        }
    }

    private func isWorthStoring(_ change: ViewDifference) -> Bool {
        if !change.added.isEmpty || !change.removed.isEmpty { return true }
        guard !change.isFromCache, var target = active[change.targetID] else { return false }
        target.noteLimboFree()
        return target.isWorthStoring
    }
}

extension LocalStore.ActiveTarget {
    /// Five minutes, in microseconds.
    private static var mostUnsaved: Int64 { 300_000_000 }

    mutating func noteLimboFree() { newest.lastLimboFreeSnapshotVersion = newest.snapshotVersion }

    /// Whether the target was quiet, so that only its token and versions are new, for long enough (SY-97).
    var isWorthStoring: Bool {
        func isOld(_ version: (TargetData) -> DocumentVersion) -> Bool {
            version(newest).microseconds - version(stored).microseconds >= Self.mostUnsaved
        }
        return (stored.resumeToken.isEmpty && stored != newest) || isOld(\.snapshotVersion) || isOld(\.lastLimboFreeSnapshotVersion)
    }
}

extension CacheRows {
    func keys(of target: TargetID) throws(FirestoreError) -> [DocumentKey] {
        try source.all("SELECT collection, id FROM target_documents WHERE target = ?1", target) { (row) throws(FirestoreError) in
            try key(in: row, at: 0)
        }
    }
}

extension CacheTransaction {
    func allocate(_ target: SyncTarget) throws(FirestoreError) -> TargetData {
        let canonical = target.canonical(in: database)
        let stored = try sql.first("SELECT id, token, version, limbo_free, sequence FROM targets WHERE canonical = ?1", canonical) { row in
            TargetData(
                target: target, targetID: TargetID(truncatingIfNeeded: row.integer(0)), sequenceNumber: row.integer(4),
                resumeToken: row.blob(1).map { ByteSlice(copying: $0) } ?? .empty,
                snapshotVersion: DocumentVersion(microseconds: row.integer(2)),
                lastLimboFreeSnapshotVersion: DocumentVersion(microseconds: row.integer(3)))
        }
        if let stored { return stored }
        meta.highestTarget += 2
        let data = TargetData(target: target, targetID: meta.highestTarget, sequenceNumber: meta.sequence)
        try sql.run(
            "INSERT INTO targets(id, canonical, token, version, limbo_free, sequence) VALUES(?1, ?2, zeroblob(0), 0, 0, ?3)",
            data.targetID, canonical, data.sequenceNumber)
        return data
    }

    /// Whether nothing exempts a target and its documents from collection.
    func isCollectable(_ id: TargetID) throws(FirestoreError) -> Bool {
        try sql.exists("SELECT 1 FROM targets WHERE id = ?1 AND \(features.collectable)", id)
    }

    func store(_ data: TargetData) throws(FirestoreError) {
        try sql.run(
            "UPDATE targets SET token = ?2, version = ?3, limbo_free = ?4, sequence = ?5 WHERE id = ?1",
            data.targetID, data.resumeToken, data.snapshotVersion.microseconds, data.lastLimboFreeSnapshotVersion.microseconds,
            data.sequenceNumber)
    }

    /// Removes a target and its key set. Documents that were in no other become orphans as of the target's last use.
    func removeTarget(_ id: TargetID, lastUse: Int64? = nil) throws(FirestoreError) {
        for key in try rows.keys(of: id) {
            try remove(key, from: id)
            guard let lastUse else {
                potentialOrphans.insert(key)
                continue
            }
            try run(
                """
                INSERT INTO orphans SELECT ?1, ?2, ?3
                WHERE NOT EXISTS (SELECT 1 FROM target_documents WHERE collection = ?1 AND id = ?2)
                ON CONFLICT DO UPDATE SET sequence = max(sequence, excluded.sequence)
                """, on: key, lastUse)
        }
        try sql.run("DELETE FROM targets WHERE id = ?1", id)
    }

    func add(_ key: DocumentKey, to target: TargetID) throws(FirestoreError) {
        try run(
            "INSERT OR IGNORE INTO target_documents(collection, id, target) VALUES(?1, ?2, ?3)", on: key, Int64(target), creating: true)
        try note(.member(key, target))
    }

    func remove(_ key: DocumentKey, from target: TargetID) throws(FirestoreError) {
        try run("DELETE FROM target_documents WHERE collection = ?1 AND id = ?2 AND target = ?3", on: key, Int64(target))
        try note(.member(key, target))
    }

    /// Applies what an event says of one target.
    func change(_ target: inout LocalStore.ActiveTarget, by delta: TargetDelta, of event: RemoteEvent) throws(FirestoreError) {
        let id = target.newest.targetID
        for key in delta.removed {
            try remove(key, from: id)
            try touch(key)
        }
        for key in delta.added { try add(key, to: id) }
        target.newest.sequenceNumber = meta.sequence
        let isMismatch = event.mismatchedTargets[id] != nil
        if isMismatch {
            target.newest.resumeToken = .empty
            target.newest.snapshotVersion = .none
            target.newest.lastLimboFreeSnapshotVersion = .none
        } else if !delta.resumeToken.isEmpty {
            target.newest.resumeToken = delta.resumeToken
            target.newest.snapshotVersion = event.snapshotVersion
        }
        let hasChanges = !delta.added.isEmpty || !delta.modified.isEmpty || !delta.removed.isEmpty
        guard hasChanges || isMismatch || target.isWorthStoring else { return }
        target.stored = target.newest
        try store(target.newest)
    }

    /// Takes documents of the authority, unless something newer is known of them.
    func apply(_ documents: [RemoteDocument], at snapshotVersion: DocumentVersion) throws(FirestoreError) -> [LocalChange] {
        var changes: [LocalChange] = []
        changes.reserveCapacity(documents.count)
        for document in documents {
            let old = try entry(document.key)
            guard let remote = old.remote.replaced(by: document, readTime: snapshotVersion) else { continue }
            var new = old
            new.setRemote(remote)
            let existenceChanged = (remote.kind == .found) != (old.remote.kind == .found)
            // The precondition of an update may hold now, or no longer, and there may be something to merge with.
            if existenceChanged, meta.batchCount > 0 { try replay(&new) }
            try store(new, replacing: old)
            changes.append(LocalChange(old: old.local, new: new.local))
        }
        return changes
    }
}

extension RemoteState {
    /// The state after the authority reported a document, nil if this one is newer (SY-96).
    func replaced(by document: RemoteDocument, readTime: DocumentVersion) -> RemoteState? {
        // Made up for a rejected lookup: its contents are unknown.
        if document.document == nil, document.version == .none { return RemoteState() }
        guard kind == .none || document.version > version || (document.version == version && isCommitted) else { return nil }
        guard let found = document.document else {
            return RemoteState(kind: .missing, version: document.version, readTime: readTime)
        }
        return RemoteState(
            kind: .found, version: document.version, createTime: found.createTime, readTime: readTime, fields: found.fields)
    }
}
