// SPDX-License-Identifier: Apache-2.0

/// How indexes come into being.
package enum IndexPolicy: String, Sendable, Hashable, CaseIterable {
    /// The engine creates an index for a query once scans have read many more documents than they returned.
    case automatic
    /// Only configured indexes exist; a query without an index scans.
    case manual
    /// As on the service: single-field indexes exist automatically; a query that needs a composite or collection-group index
    /// that is not configured fails with `failedPrecondition` (QR-52).
    case required
}

/// The current state of an index.
package struct IndexStatus: Sendable {
    package enum State: String, Sendable { case building, ready }

    /// Identifies the index in its database.
    package var number: Int64
    package var definition: IndexDefinition
    package var state: State
    /// Whether the index was configured explicitly. Others were created automatically and may be dropped again.
    package var isConfigured: Bool
    /// Entries written so far.
    package var entries: Int
    /// The bytes of these entries, without what the file needs to arrange them.
    package var bytes: Int
    /// The part of the documents whose entries are written, from 0 to 1.
    package var progress: Double
    /// The database's commit time when a query last used it; `.none` for never.
    package var lastUsed: DocumentVersion

    package init(
        number: Int64, definition: IndexDefinition, state: State, isConfigured: Bool, entries: Int, bytes: Int, progress: Double,
        lastUsed: DocumentVersion
    ) {
        self.number = number
        self.definition = definition
        self.state = state
        self.isConfigured = isConfigured
        self.entries = entries
        self.bytes = bytes
        self.progress = progress
        self.lastUsed = lastUsed
    }
}
