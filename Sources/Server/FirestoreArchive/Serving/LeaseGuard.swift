// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Refuses the writes to databases that are not archived: another server has taken over, and what is written here would be lost to the
/// others, or the archive is of another database.
final class LeaseGuard: Sendable {
    private let lost = Mutex<[DatabaseID: ArchivingEnd]>([:])

    func lose(_ database: DatabaseID, _ end: ArchivingEnd) { lost.withLock { $0[database] = end } }

    /// The lease of a database is taken anew.
    func forget(_ database: DatabaseID) { lost.withLock { _ = $0.removeValue(forKey: database) } }

    func admission(of database: DatabaseID) -> any WriteAdmission { Admission(database: database, leases: self) }

    private struct Admission: WriteAdmission {
        let database: DatabaseID
        let leases: LeaseGuard

        func admit(_ writes: [Write], for caller: RequestContext.Caller) throws(FirestoreError) {
            guard let end = leases.lost.withLock({ $0[database] }), !writes.isEmpty else { return }
            // Clients keep such writes, and send them to the server that took over once they reach it.
            throw FirestoreError(
                .unavailable, end.refusal,
                at: "projects/\(database.projectID)/databases/\(database.databaseID)")
        }
    }
}
