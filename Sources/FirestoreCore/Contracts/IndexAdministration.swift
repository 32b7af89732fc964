// SPDX-License-Identifier: Apache-2.0

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
