// SPDX-License-Identifier: Apache-2.0

/// Everything that a commit (or the initial read) changes for one target. Applied to the state of the previous batch, it gives
/// the complete state at `readTime`.
package struct WatchBatch: Sendable {
    package enum Change: Sendable {
        /// The document matches the target and is new or changed.
        case update(Document)
        /// The document no longer matches, or was deleted.
        case remove(DocumentKey)
    }

    /// The state that the changes apply to.
    package enum Basis: Sendable {
        /// Empty: discard everything known; this is the whole state. The first batch, except for resumed watches.
        case nothing
        /// The state of the previous batch, or the one resumed from.
        case known
        /// The state resumed from, which is too old for its removals to be known: documents not in `keys` are gone.
        case partial
    }

    package var readTime: DocumentVersion
    /// Where a later watch of the target can resume, in this process or another one.
    package var token: ResumeToken
    package var basis: Basis
    package var changes: [Change]
    /// The current states of documents that `changes` removes and that still exist: they no longer match, or are outside a
    /// limit. A removed document that is not here was deleted (LS-14, LS-15).
    package var departed: [Document]
    /// Documents that `changes` removes and whose current states the watcher may not see: whether they exist is not said.
    package var withheld: [DocumentKey] = []
    /// The keys of the whole result, in the first batch of a resumed watch that asked for them.
    package var keys: [DocumentKey]?

    /// Discard everything known: `changes` is the whole state.
    package var isReset: Bool { basis == .nothing }

    package init(
        readTime: DocumentVersion, token: ResumeToken? = nil, basis: Basis, changes: [Change], departed: [Document] = [],
        keys: [DocumentKey]? = nil
    ) {
        self.readTime = readTime
        self.token = token ?? .time(readTime)
        self.basis = basis
        self.changes = changes
        self.departed = departed
        self.keys = keys
    }

    package init(readTime: DocumentVersion, isReset: Bool, changes: [Change]) {
        self.init(readTime: readTime, basis: isReset ? .nothing : .known, changes: changes)
    }
}
