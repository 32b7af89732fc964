// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A place of many databases that several processes share: the nodes.
package protocol StoreCluster: AnyObject, Sendable {
    /// Opens a database. nil if it does not exist and is not to be created.
    func open(_ database: DatabaseID, creating: Bool) throws(FirestoreError) -> (any InspectableStore)?

    func exists(_ database: DatabaseID) throws(FirestoreError) -> Bool

    /// All databases, by project and name.
    func databases() throws(FirestoreError) -> [DatabaseID]

    /// The databases that have a fact, without opening them.
    func databases(with fact: String) throws(FirestoreError) -> [DatabaseID]

    /// Deletes a database with everything in it.
    func delete(_ database: DatabaseID) throws(FirestoreError)

    /// nil for a cluster without leases and notices.
    var nodes: (any ClusterNodes)? { get }

    /// The tables of an owner that is not a database, for example the accounts of a project. nil if there are none and none are to be made.
    ///
    /// - Parameters:
    ///   - name: Letters, digits, hyphens, underscores, dots and colons; with a prefix the name of the schema, so of limited length.
    ///   - lock: A table with one row, which writing transactions hold.
    ///   - creation: The statements that make the tables.
    func tables(named name: String, lock: String, creation: String?) throws(FirestoreError) -> (any ClusterTables)?

    func close()
}
