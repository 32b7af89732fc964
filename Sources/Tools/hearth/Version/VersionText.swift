// SPDX-License-Identifier: Apache-2.0
import CBuildCommit
import FirestoreCore
import FirestoreSQLite

/// What `hearth --version` prints: `hearth 0.1.0 (commit 4f2a…, storage format 3)`.
enum VersionText {
    static let text = text(version: LibraryVersion.text, commit: String(cString: hearth_build_commit()), format: StorageFormat.newest)

    /// - Parameter commit: Empty for a build that was not given one.
    static func text(version: String, commit: String, format: Int64) -> String {
        let origin = commit.isEmpty ? "" : "commit \(commit), "
        return "hearth \(version) (\(origin)storage format \(format))"
    }
}
