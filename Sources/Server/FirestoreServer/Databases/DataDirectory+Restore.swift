// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreEngine
package import FirestoreRPC
import Foundation

extension DatabaseRestore {
    /// Restores a database of a data directory that no server uses. `project` and `database`: the name that the copy must have; nil for
    /// the one that it has.
    package static func run(
        _ source: String, into directory: String, project: String?, database: String?,
        advice: OperatorAdvice = .none, configure: (inout DatabaseRestore) -> Void = { _ in }
    ) throws(FirestoreError) -> (outcome: Outcome, file: String) {
        guard let stored = try DatabaseInspection.databaseID(of: source) else {
            throw FirestoreError(.notFound, "the file is not a Hearth database", at: source)
        }
        let wanted = DatabaseID(projectID: project ?? stored.projectID, databaseID: database ?? stored.databaseID)
        guard wanted == stored else {
            throw FirestoreError(
                .failedPrecondition,
                "the copy holds database \(stored.databaseID) of project \(stored.projectID), and can be restored under that "
                    + "name only, because references contain it; to give the documents "
                    + "another name, use hearth export and hearth import", at: source)
        }
        try DatabaseRules.check(wanted)
        let held: DataDirectory
        do {
            held = try DataDirectory(directory, advice: advice)
        } catch {
            throw FirestoreError(.failedPrecondition, error.message)
        }
        defer { withExtendedLifetime(held) {} }
        let file = directory + "/" + DatabaseRules.relativePath(of: wanted)
        var restore = DatabaseRestore(source: source, destination: file)
        configure(&restore)
        return (try restore.run(), file)
    }
}
