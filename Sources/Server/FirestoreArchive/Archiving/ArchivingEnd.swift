// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Why a process archives a database no longer, until it is started again. The cause of an error.
package enum ArchivingEnd: Error, Sendable {
    /// Another server has taken over the archive.
    case leaseLost
    /// Another server writes under the lease of this one.
    case leaseShared
    /// The archive is of another database than the one that is here.
    case unknownDatabase

    /// The reason for callers whose writes are refused for it.
    var refusal: String {
        switch self {
        case .leaseLost, .leaseShared:
            "another server has taken over this database, so this one accepts no writes; connect to that one, and stop this one"
        case .unknownDatabase:
            "the archive of the server has another database of this name, so this one accepts no writes; its operator has to restore that "
                + "one, or to let this one begin anew"
        }
    }
}

extension FirestoreError {
    /// Why archiving ends, if it does.
    var archivingEnd: ArchivingEnd? { cause as? ArchivingEnd }

    /// Of a server that may no longer write into the archive of a database.
    static func leaseLost(_ lease: ArchiveLease, _ layout: ArchiveLayout) -> FirestoreError {
        FirestoreError(
            .failedPrecondition,
            "another server has archived the database since \(lease.taken), under lease \(lease.number), so this one does not: either it "
                + "is an earlier copy of the database, or the other server should not run", at: layout.root, cause: ArchivingEnd.leaseLost)
    }

    /// Of a database that is not the one that the archive has under its name, and did not come out of it.
    static func unknownDatabase(_ layout: ArchiveLayout) -> FirestoreError {
        let database = layout.database
        return FirestoreError(
            .failedPrecondition,
            "the archive has the database \(database.databaseID) of project \(database.projectID), and the data directory does "
                + "not, or has another one of this name: mount the disk that it is on, restore it, or let it begin anew",
            at: layout.root, cause: ArchivingEnd.unknownDatabase)
    }
}
