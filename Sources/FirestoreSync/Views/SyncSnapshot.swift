// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// One state of a view, and its differences from the state before.
package struct SyncSnapshot: Sendable {
    package var documents: DocumentList
    /// In the order of delivery: removed, added, modified and metadata (LS-48).
    package var changes: [SyncChange]
    /// The documents of the result that have pending writes (SY-72).
    package var pendingKeys: Set<DocumentKey>
    package var isFromCache: Bool
    /// Whether `isFromCache` differs from the state before.
    package var syncStateChanged: Bool
    /// Whether the result is known from an earlier synchronisation, even if it is empty (SY-92).
    package var hasCachedResults: Bool
    package var readTime: DocumentVersion
    /// The documents of the state before, which the indices of changes refer to.
    package var documentsBefore: DocumentList

    package var hasPendingWrites: Bool { !pendingKeys.isEmpty }

    package init(
        documents: DocumentList, changes: [SyncChange], pendingKeys: Set<DocumentKey>, isFromCache: Bool,
        syncStateChanged: Bool, hasCachedResults: Bool, readTime: DocumentVersion, documentsBefore: DocumentList = DocumentList()
    ) {
        self.documents = documents
        self.changes = changes
        self.pendingKeys = pendingKeys
        self.isFromCache = isFromCache
        self.syncStateChanged = syncStateChanged
        self.hasCachedResults = hasCachedResults
        self.readTime = readTime
        self.documentsBefore = documentsBefore
    }
}

package struct SyncChange: Sendable, Equatable {
    package var kind: ViewChange.Kind
    package var document: LocalDocument

    package init(kind: ViewChange.Kind, document: LocalDocument) {
        self.kind = kind
        self.document = document
    }
}
