// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreEngine
import FirestoreServer
import Foundation

/// A data directory whose databases follow an archive.
package enum StandbyDirectory {
    static let suffix = ".following"

    package static func file(of database: DatabaseID, in directory: String) -> String {
        directory + "/" + DatabaseRules.relativePath(of: database)
    }

    /// The databases that a follower has left in a directory, which no process may use.
    package static func standbys(in directory: String) -> [(database: DatabaseID, file: String)] {
        let manager = FileManager.default
        var found: [(database: DatabaseID, file: String)] = []
        for project in ((try? manager.contentsOfDirectory(atPath: directory)) ?? []).sorted() {
            let folder = directory + "/" + project
            for name in ((try? manager.contentsOfDirectory(atPath: folder)) ?? []).sorted() where name.hasSuffix(".sqlite" + suffix) {
                guard let database = try? DatabaseInspection.databaseID(of: folder + "/" + name) else { continue }
                found.append((database, folder + "/" + String(name.dropLast(suffix.count))))
            }
        }
        return found
    }

    /// The files that a follower has fetched are from now on those of a server.
    package static func keepFiles(in directory: String) {
        let accounts = directory + "/hearth.accounts"
        let projects = ((try? FileManager.default.contentsOfDirectory(atPath: accounts)) ?? []).map { accounts + "/" + $0 }
        for folder in projects + [ArchivedFileSet.configuration.folder(in: directory)] {
            unlink(folder + "/" + FileSetFollower.markName)
        }
    }

    /// Puts the copies of a follower in their places: the beginning of new histories.
    package static func takeOver(
        in directory: String, _ configure: (inout DatabaseRestore) -> Void = { _ in }
    ) throws(FirestoreError) -> [DatabaseRestore.Outcome] {
        var outcomes: [DatabaseRestore.Outcome] = []
        for (database, file) in standbys(in: directory) {
            var restore = DatabaseRestore(
                source: .made(of: database, name: file + suffix) { (path) throws(FirestoreError) in
                    // With its log, if the follower was ended by force.
                    let copy = try DatabaseReplay(file + suffix, of: database)
                    try copy.close()
                    try moveFile(file + suffix, to: path)
                    unlink(file + suffix + ".lock")
                }, destination: file)
            configure(&restore)
            outcomes.append(try restore.run())
        }
        return outcomes
    }
}
