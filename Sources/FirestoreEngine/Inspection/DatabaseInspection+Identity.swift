// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreStorage

extension DatabaseInspection {
    /// Which database a file holds; nil if there is no such file, or nothing in it yet. Fails if it is not one of ours, or
    /// if a process has it open.
    package static func databaseID(of path: String) throws(FirestoreError) -> DatabaseID? {
        try StoreInspector.identity(of: path)
    }

    /// Removes a database file in which there has never been a document, and what lies beside it. Any other file stays, and so
    /// does one that a process has open.
    package static func removeIfEmpty(_ path: String) { StoreInspector.removeIfEmpty(path) }

    /// Whether a file is there that can only be read: on a read-only medium, or without the permission to write.
    package static func isReadOnly(_ path: String) throws(FirestoreError) -> Bool {
        try StoreInspector.isReadOnly(path)
    }
}
