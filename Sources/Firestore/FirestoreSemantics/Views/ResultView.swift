// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Converts changes of a target into the snapshots of one listener.
///
/// It stores the last delivered state and the changes since then, by document: a slow consumer costs one entry per
/// changed document, and the changes it missed are merged into one diff. The diff is between two states (LS-47), so a
/// document that was added and removed again is not in it, and one that was removed and added again is modified.
package struct ResultView: Sendable {
    private let ordering: DocumentOrdering
    /// The delivered state, in order and by key.
    private var documents = DocumentList()
    private var byKey: [DocumentKey: Document] = [:]
    /// The newest state of every document changed since; nil if it left the result.
    private var pending: [DocumentKey: Document?] = [:]
    private var readTime = DocumentVersion.none
    private var isFirst = true
    private var isReady = false

    package init(ordering: DocumentOrdering) { self.ordering = ordering }

    /// Whether there may be something to deliver.
    package var hasNews: Bool { isReady && (isFirst || !pending.isEmpty) }

    /// Merges the effect of a commit, or the initial read, on the target. Costs one step per change.
    package mutating func apply(_ batch: WatchBatch) {
        readTime = batch.readTime
        if batch.isReset {
            // Every delivered document is removed unless the batch contains it.
            pending = byKey.mapValues { _ in nil }
            isReady = true
        }
        for change in batch.changes {
            switch change {
            case .update(let document): pending.updateValue(document, forKey: document.key)
            case .remove(let key): pending.updateValue(nil, forKey: key)
            }
        }
    }

    /// The snapshot to deliver now, or nil if the changes cancel out. It becomes the delivered state.
    package mutating func nextSnapshot() -> ViewSnapshot? {
        guard hasNews else { return nil }
        defer { pending = [:] }
        if isFirst {
            isFirst = false
            return firstSnapshot()
        }
        let changes = applyPending()
        guard !changes.isEmpty else { return nil }
        return ViewSnapshot(documents: documents, changes: changes, readTime: readTime)
    }

    /// Every document of the first snapshot is an added one (LS-50).
    private mutating func firstSnapshot() -> ViewSnapshot {
        byKey = pending.compactMapValues { $0 }
        documents = DocumentList(byKey.values.sorted { ordering.compare($0, $1) < 0 })
        return ViewSnapshot(documents: documents, changes: nil, readTime: readTime)
    }

    private mutating func applyPending() -> [ViewChange] {
        var removed: [Document] = []
        var added: [Document] = []
        var modified: [(old: Document, new: Document)] = []
        for (key, new) in pending {
            switch (byKey[key], new) {
            case (nil, nil): break
            case (let old?, nil): removed.append(old)
            case (nil, let new?): added.append(new)
            case (let old?, let new?):
                // Equal fields at another time: changed and changed back. Nothing is reported, but the newer
                // document is stored.
                if old.fields != new.fields || old.createTime != new.createTime {
                    modified.append((old, new))
                } else if old != new {
                    replaceSilently(old, by: new)
                }
            }
        }
        removed.sort { ordering.compare($0, $1) < 0 }
        added.sort { ordering.compare($0, $1) < 0 }
        modified.sort { ordering.compare($0.new, $1.new) < 0 }

        // The indices apply when the changes are performed one at a time in this order (LS-48, LS-49).
        var changes: [ViewChange] = []
        changes.reserveCapacity(removed.count + added.count + modified.count)
        for old in removed {
            changes.append(ViewChange(kind: .removed, document: old, oldIndex: take(old), newIndex: nil))
            byKey[old.key] = nil
        }
        for new in added {
            changes.append(ViewChange(kind: .added, document: new, oldIndex: nil, newIndex: put(new)))
        }
        for (old, new) in modified {
            let oldIndex = take(old)
            changes.append(ViewChange(kind: .modified, document: new, oldIndex: oldIndex, newIndex: put(new)))
        }
        return changes
    }

    private mutating func take(_ document: Document) -> Int {
        let index = documents.position(of: document, by: ordering.compare)
        precondition(index < documents.count && documents[index].key == document.key, "the view has lost \(document.key)")
        documents.remove(at: index)
        return index
    }

    private mutating func put(_ document: Document) -> Int {
        let index = documents.position(of: document, by: ordering.compare)
        documents.insert(document, at: index)
        byKey[document.key] = document
        return index
    }

    private mutating func replaceSilently(_ old: Document, by new: Document) {
        _ = take(old)
        _ = put(new)
    }
}
