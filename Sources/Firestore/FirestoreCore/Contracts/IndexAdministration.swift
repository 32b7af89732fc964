// SPDX-License-Identifier: Apache-2.0

/// Inspects and changes the indexes of a database. The embedded engine conforms.
package protocol IndexAdministration: Sendable {
    var indexPolicy: IndexPolicy { get }
    func setIndexPolicy(_ policy: IndexPolicy) throws(FirestoreError)

    /// Makes these the configured indexes: builds missing ones on the live database and drops configured ones that are not in
    /// the list. Returns when the change is recorded; building continues in the background.
    func configureIndexes(_ definitions: [IndexDefinition]) async throws(FirestoreError)

    func indexes() async throws(FirestoreError) -> [IndexStatus]

    /// Adds a configured index, and returns its number. Fails with `alreadyExists` if it is configured already. Returns when the change
    /// is recorded; building continues in the background.
    func addIndex(_ definition: IndexDefinition) async throws(FirestoreError) -> Int64

    /// Removes a configured index by its number, also while it is being built. Returns whether there was one.
    func removeIndex(_ number: Int64) async throws(FirestoreError) -> Bool

    /// Replaces the fields without an index of their own, for which no index is created automatically. Drops those that were.
    func setExemptions(_ exemptions: IndexExemptions) async throws(FirestoreError)

    /// Drops all automatic indexes (`configured: false`), or all indexes.
    func dropIndexes(includingConfigured: Bool) async throws(FirestoreError)

    /// Drops automatic indexes that no query has used since a commit time; returns the dropped ones.
    func dropIndexes(unusedSince time: DocumentVersion) async throws(FirestoreError) -> [IndexDefinition]

    /// Returns when no index is being built.
    func indexesSettled() async throws(FirestoreError)

    /// The composite and collection-group indexes that the service would require for the queries run since the engine was
    /// opened: what `firestore.indexes.json` has to list for this program.
    func neededIndexes() -> [IndexDefinition]
}
