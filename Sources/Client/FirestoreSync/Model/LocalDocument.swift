// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A document as the cache shows it: the authority's last known state with the pending writes over it (SY-6).
package struct LocalDocument: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        /// `updateTime` is the version of the base; `.none` for a document that only pending writes have created.
        case found(Document)
        /// Known to be missing.
        case missing
        /// Exists at a version, but its content is not known.
        case unknown
        /// Nothing is known.
        case none
    }

    package enum State: Sendable, Equatable {
        /// As the authority reported it.
        case synced
        /// Pending writes lie over it.
        case hasLocalMutations
        /// An acknowledged write was applied, and the watch has not delivered it yet.
        case hasCommittedMutations
    }

    package let key: DocumentKey
    package let content: Content
    /// The authority's update time of the base; `.none` without a base (SY-7).
    package let version: DocumentVersion
    package let state: State

    /// The document, if it is found.
    package var document: Document? { if case .found(let document) = content { document } else { nil } }

    package var hasLocalMutations: Bool { state == .hasLocalMutations }
    package var hasCommittedMutations: Bool { state == .hasCommittedMutations }
}

/// What a transaction of the cache changed in the local view of one document.
package struct LocalChange: Sendable {
    package let old: LocalDocument
    package let new: LocalDocument

    package var key: DocumentKey { new.key }
}
