// SPDX-License-Identifier: Apache-2.0

/// One state of a query's result, and its differences from the state delivered before.
package struct ViewSnapshot: Sendable {
    package var documents: DocumentList
    package var readTime: DocumentVersion
    /// The keys of documents that show writes the authority has not acknowledged.
    package var pendingKeys: KeySet
    /// Whether the authority may have newer data.
    package var isFromCache: Bool
    /// nil for a first snapshot, in which every document is added; computed when `changes` is first read.
    private var differences: [ViewChange]?

    /// `changes` is nil for a first snapshot.
    package init(
        documents: DocumentList, changes: [ViewChange]?, readTime: DocumentVersion, pendingKeys: KeySet = [],
        isFromCache: Bool = false
    ) {
        self.documents = documents
        differences = changes
        self.readTime = readTime
        self.pendingKeys = pendingKeys
        self.isFromCache = isFromCache
    }

    package var hasPendingWrites: Bool { !pendingKeys.isEmpty }

    /// Removed first, then added, then modified, then metadata; the indices assume that changes are applied in order (LS-48, LS-49).
    package var changes: [ViewChange] {
        differences
            ?? documents.enumerated().map { index, document in
                ViewChange(kind: .added, document: document, oldIndex: nil, newIndex: index)
            }
    }

    /// nil makes this a first snapshot.
    package mutating func replaceChanges(_ changes: [ViewChange]?) { differences = changes }
}

package struct ViewChange: Sendable {
    package enum Kind: Sendable {
        case added, modified, removed
        /// The document is unchanged, but whether it has pending writes has changed.
        case metadata
    }

    package var kind: Kind
    /// The new state; the last known one when removed.
    package var document: Document
    /// nil for added.
    package var oldIndex: Int?
    /// nil for removed.
    package var newIndex: Int?

    package init(kind: Kind, document: Document, oldIndex: Int?, newIndex: Int?) {
        self.kind = kind
        self.document = document
        self.oldIndex = oldIndex
        self.newIndex = newIndex
    }
}
