// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreSemantics

/// One state of a view, and its differences from the state before.
package struct SyncSnapshot: Sendable {
    package var documents: DocumentList
    /// In the order of delivery: removed, added, modified and metadata (LS-48).
    package var changes: [SyncChange]
    /// The documents of the result that have pending writes (SY-72).
    package var pendingKeys: KeySet
    package var isFromCache: Bool
    /// Whether `isFromCache` differs from the state before.
    package var syncStateChanged: Bool
    /// Whether the result is known from an earlier synchronisation, even if it is empty (SY-92).
    package var hasCachedResults: Bool
    package var readTime: DocumentVersion
    /// Whether it shows acknowledged writes whose documents the authority has not reported yet.
    package var isUnconfirmed = false
    /// The documents of the state before, which the indices of changes refer to.
    package var documentsBefore = DocumentList()

    package var hasPendingWrites: Bool { !pendingKeys.isEmpty }
}

/// A change of one document in a view.
package struct SyncChange: Sendable {
    package var kind: ViewChange.Kind
    /// The new state; the last one shown when removed.
    package var document: LocalDocument
    /// The document as it stood in the state before; nil if it was not in it.
    package var before: Document?
}

extension SyncSnapshot {
    /// The snapshot as the public API delivers it; the first one of a listener lists every document as added.
    package func viewSnapshot(_ ordering: DocumentOrdering, isFirst: Bool) -> ViewSnapshot {
        ViewSnapshot(
            documents: documents, changes: isFirst ? nil : indexedChanges(ordering), readTime: readTime, pendingKeys: pendingKeys,
            isFromCache: isFromCache)
    }

    /// The indices apply when the changes are made one at a time, in this order (LS-49).
    private func indexedChanges(_ ordering: DocumentOrdering) -> [ViewChange] {
        var list = documentsBefore
        return changes.compactMap { change in
            var (oldIndex, newIndex): (Int?, Int?)
            if let before = change.before {
                let index = list.position(of: before, by: ordering.compare)
                if index < list.count, list[index].key == before.key {
                    list.remove(at: index)
                    oldIndex = index
                }
            }
            guard let document = change.document.document else { return nil }
            if change.kind != .removed {
                let index = list.position(of: document, by: ordering.compare)
                list.insert(document, at: index)
                newIndex = index
            }
            return ViewChange(kind: change.kind, document: document, oldIndex: oldIndex, newIndex: newIndex)
        }
    }
}
