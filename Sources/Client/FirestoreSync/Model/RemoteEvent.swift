// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Everything the authority reported up to one version, over all targets (SY-95).
package struct RemoteEvent: Sendable {
    package var snapshotVersion: DocumentVersion
    package var targetChanges: [TargetID: TargetDelta]
    /// Targets whose key sets were wrong: they start anew, for this purpose.
    package var mismatchedTargets: [TargetID: TargetPurpose]
    /// In the order of arrival.
    package var documents: [RemoteDocument]
    /// Documents that only limbo targets reported.
    package var resolvedLimboDocuments: Set<DocumentKey>

    package init(
        snapshotVersion: DocumentVersion, targetChanges: [TargetID: TargetDelta] = [:],
        mismatchedTargets: [TargetID: TargetPurpose] = [:], documents: [RemoteDocument] = [],
        resolvedLimboDocuments: Set<DocumentKey> = []
    ) {
        self.snapshotVersion = snapshotVersion
        self.targetChanges = targetChanges
        self.mismatchedTargets = mismatchedTargets
        self.documents = documents
        self.resolvedLimboDocuments = resolvedLimboDocuments
    }
}

/// What changed for one target between two global snapshots.
package struct TargetDelta: Sendable, Equatable {
    /// The newest token; empty if none arrived.
    package var resumeToken: ByteSlice
    /// Whether the target is CURRENT.
    package var isCurrent: Bool
    package var added: Set<DocumentKey>
    package var modified: Set<DocumentKey>
    package var removed: Set<DocumentKey>

    package init(
        resumeToken: ByteSlice = .empty, isCurrent: Bool = false, added: Set<DocumentKey> = [],
        modified: Set<DocumentKey> = [], removed: Set<DocumentKey> = []
    ) {
        self.resumeToken = resumeToken
        self.isCurrent = isCurrent
        self.added = added
        self.modified = modified
        self.removed = removed
    }
}

/// A document as the authority reported it.
package struct RemoteDocument: Sendable, Equatable {
    package let key: DocumentKey
    /// nil: the document is missing as of `version`.
    package let document: Document?
    /// `.none` for a missing document that was made up for a rejected lookup.
    package let version: DocumentVersion

    package init(_ document: Document) {
        key = document.key
        self.document = document
        version = document.updateTime
    }

    package init(missing key: DocumentKey, at version: DocumentVersion) {
        self.key = key
        document = nil
        self.version = version
    }
}
