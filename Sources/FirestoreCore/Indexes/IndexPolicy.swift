// SPDX-License-Identifier: Apache-2.0

/// Who decides which indexes there are.
package enum IndexPolicy: String, Sendable, Hashable, CaseIterable {
    /// The engine makes the index a query would like once scans have read many more documents than they returned.
    case automatic
    /// Only what has been configured; a query without an index scans.
    case manual
    /// As the service does it: single-field indexes come by themselves, a query that needs a composite or
    /// collection-group index that is not configured fails with `failedPrecondition` (QR-52).
    case required
}

/// An index as it stands at this moment.
package struct IndexStatus: Sendable {
    package enum State: String, Sendable { case building, ready }

    package var definition: IndexDefinition
    package var state: State
    /// Somebody asked for it by name; what is not configured was made by need and may be dropped again.
    package var isConfigured: Bool
    /// Entries written so far.
    package var entries: Int
    /// Commit time of the database when a query last used it; `.none` for never.
    package var lastUsed: DocumentVersion

    package init(
        definition: IndexDefinition, state: State, isConfigured: Bool, entries: Int, lastUsed: DocumentVersion
    ) {
        self.definition = definition
        self.state = state
        self.isConfigured = isConfigured
        self.entries = entries
        self.lastUsed = lastUsed
    }
}
