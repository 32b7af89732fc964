// SPDX-License-Identifier: Apache-2.0

/// What a program does with the stored form of a database that it serves. The embedded engine conforms.
package protocol StoreAdministration: Sendable {
    /// Whether a transaction is open. It would end if the database was closed.
    var hasOpenTransactions: Bool { get }

    /// What the database counts about itself. Taken from memory, in microseconds.
    var figures: StoreFigures { get }

    /// Returns when all commits that were submitted before are applied or rejected.
    func finishCommits() async

    /// Shuts down the caller of the database that has this administration, and every session that was made from it. Returns when their
    /// commits are finished and, if no other part of the process has the database open, its files are closed.
    func shutdownSessions() async

    /// Ends the database for all its users, because it is about to be deleted: listeners fail, later calls are rejected. Returns when
    /// its files are closed.
    func abandon() async

    /// The bytes that the content of the database takes, without room that deletes have left; nil where that is not known.
    func usedBytes() async throws(FirestoreError) -> Int64?

    /// Whether the files of the database are not where they were opened any more: nothing is committed then, and nothing may be closed,
    /// because this process has the only copy. Asks the system: some microseconds.
    var hasLostFiles: Bool { get }

    /// Writes a copy of the database to a file that does not exist, while the database is used.
    func writeCopy(to path: String) async throws(FirestoreError)
}
