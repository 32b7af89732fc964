// SPDX-License-Identifier: Apache-2.0

/// All a commit (or the initial read) means for one target. Applied to the state of the batch before, it gives the complete
/// state at `readTime`.
package struct WatchBatch: Sendable {
    package enum Change: Sendable {
        /// The document matches the target and is new or different.
        case update(Document)
        /// The document does not match any more, or is gone.
        case remove(DocumentKey)
    }

    /// What the changes are to be applied to.
    package enum Basis: Sendable {
        /// Nothing: forget everything known, this is the whole state. The first batch, but for resumed watches.
        case nothing
        /// The state of the batch before, or the one resumed from.
        case known
        /// The state resumed from, which lies too far back for its removals to be known: what is not in `keys` is gone.
        case partial
    }

    package var readTime: DocumentVersion
    /// Where a later watch of the target can go on, in this process or another one.
    package var token: ResumeToken
    package var basis: Basis
    package var changes: [Change]
    /// What documents that `changes` removes have become, those that still exist: they left by changing, or others took
    /// their places. A removed one that is not here is deleted (LS-14, LS-15).
    package var departed: [Document]
    /// The keys of the whole result, in the first batch of a watch that was resumed and asked for them.
    package var keys: [DocumentKey]?

    /// Forget everything known: `changes` is the whole state.
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
