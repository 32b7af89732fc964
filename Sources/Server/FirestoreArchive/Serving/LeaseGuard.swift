// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Refuses the writes to databases whose archive another server has taken over: what is written here would be lost to the others.
final class LeaseGuard: Sendable {
    private let lost = Mutex<Set<DatabaseID>>([])

    func lose(_ database: DatabaseID) { lost.withLock { _ = $0.insert(database) } }

    /// The lease of a database is taken anew.
    func forget(_ database: DatabaseID) { lost.withLock { _ = $0.remove(database) } }

    func admission(of database: DatabaseID) -> any WriteAdmission { Admission(database: database, leases: self) }

    private struct Admission: WriteAdmission {
        let database: DatabaseID
        let leases: LeaseGuard

        func admit(_ writes: [Write], for caller: RequestContext.Caller) throws(FirestoreError) {
            guard leases.lost.withLock({ $0.contains(database) }), !writes.isEmpty else { return }
            // Clients keep such writes, and send them to the server that took over once they reach it.
            throw FirestoreError(
                .unavailable,
                "another server has taken over this database, so this one accepts no writes; connect to that one, and stop this one",
                at: "projects/\(database.projectID)/databases/\(database.databaseID)")
        }
    }
}
