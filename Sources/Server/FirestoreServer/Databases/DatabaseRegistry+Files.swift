// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Foundation
import Logging

/// The sizes of write-ahead logs from which a warning is logged.
package struct LogBounds: Sendable {
    /// Load alone does not make a log this long (decision 25).
    package var long: Int64 = 64 << 20
    /// The disk has to be watched.
    package var huge: Int64 = 1 << 30

    package init() {}
}

extension DatabaseRegistry {
    /// The folder in which copies are made. Its name cannot be that of a project's directory, in which a dot is percent-encoded.
    package static let copiesFolder = "hearth.copies"

    /// A path for a copy that is about to be sent, on the disk of the databases.
    package func pathForCopy() throws(FirestoreError) -> String {
        let name = AutoID.make() + ".sqlite"
        guard let directory, opening.presence?.isLost != true else {
            return FileManager.default.temporaryDirectory.path + "/hearth-" + name
        }
        let folder = directory + "/" + Self.copiesFolder
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw FirestoreError(.unavailable, "the directory of copies cannot be created", at: folder, cause: error)
        }
        return folder + "/" + name
    }

    /// Removes files that a crash has left. The data directory must be locked.
    package func removeOldCopies() {
        if let directory { try? FileManager.default.removeItem(atPath: directory + "/" + Self.copiesFolder) }
    }

    /// The sizes of the write-ahead logs of the open databases.
    package var logs: [(database: DatabaseID, bytes: Int64)] {
        openNames.compactMap { name in
            guard let path = opening.path(of: name.database) else { return nil }
            return (name.database, DatabaseOpening.size(of: path + "-wal"))
        }
    }

    /// Names the databases whose log is long. Commits continue; the log is short again soon after the reader has ended.
    func warnOfLongLogs(to log: Logger) {
        for (database, bytes) in logs where bytes >= opening.logBounds.long {
            let isHuge = bytes >= opening.logBounds.huge
            log.log(
                level: isHuge ? .error : .warning,
                "write-ahead log is long; another process that reads the database file keeps it\(isHuge ? ", and the disk fills" : "")",
                metadata: database.metadata.merging(["bytes": "\(bytes)"]) { $1 })
        }
    }
}
