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

/// What can be asked of and told to the indexes of a database. The embedded engine conforms.
package protocol IndexAdministration: Sendable {
    var indexPolicy: IndexPolicy { get }
    func setIndexPolicy(_ policy: IndexPolicy) throws(FirestoreError)

    /// Makes exactly these the configured indexes: builds what is missing on the live database, drops configured ones
    /// that are not among them. Returns when the change is recorded; building goes on behind.
    func configureIndexes(_ definitions: [IndexDefinition]) async throws(FirestoreError)

    func indexes() async throws(FirestoreError) -> [IndexStatus]

    /// Drops all indexes that were made by need (`configured: false`) or all of them.
    func dropIndexes(includingConfigured: Bool) async throws(FirestoreError)

    /// Drops indexes made by need that no query has used since a commit time; returns what went.
    func dropIndexes(unusedSince time: DocumentVersion) async throws(FirestoreError) -> [IndexDefinition]

    /// Returns when nothing is being built.
    func indexesSettled() async throws(FirestoreError)

    /// The composite and collection-group indexes that queries since the engine was opened would need on the service:
    /// what `firestore.indexes.json` has to list for this program.
    func neededIndexes() -> [IndexDefinition]
}
