// SPDX-License-Identifier: Apache-2.0

/// One state of a query's result, and how it differs from the state delivered before.
package struct ViewSnapshot: Sendable {
    package var documents: DocumentList
    package var readTime: DocumentVersion
    /// Those of the documents that show writes the authority has not acknowledged.
    package var pendingKeys: Set<DocumentKey>
    /// The authority may know more.
    package var isFromCache: Bool
    /// nil for a first snapshot, where every document is an added one; spelled out when `changes` is first read.
    private var differences: [ViewChange]?

    /// `changes` nil: a first snapshot.
    package init(
        documents: DocumentList, changes: [ViewChange]?, readTime: DocumentVersion, pendingKeys: Set<DocumentKey> = [],
        isFromCache: Bool = false
    ) {
        self.documents = documents
        differences = changes
        self.readTime = readTime
        self.pendingKeys = pendingKeys
        self.isFromCache = isFromCache
    }

    package var hasPendingWrites: Bool { !pendingKeys.isEmpty }

    /// Removed first, then added, then modified, then metadata; indices as if applied one after the other (LS-48, LS-49).
    package var changes: [ViewChange] {
        differences
            ?? documents.enumerated().map { index, document in
                ViewChange(kind: .added, document: document, oldIndex: nil, newIndex: index)
            }
    }
}

package struct ViewChange: Sendable {
    package enum Kind: Sendable {
        case added, modified, removed
        /// The document is the same; whether it has pending writes is not.
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
