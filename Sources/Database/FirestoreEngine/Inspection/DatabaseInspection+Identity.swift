// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

extension DatabaseInspection {
    /// Which database a file holds; nil if the file does not exist or is empty. Fails if it is not a Hearth database, or if a process
    /// has it open.
    package static func databaseID(of path: String) throws(FirestoreError) -> DatabaseID? {
        try StoreInspector.identity(of: path)
    }

    /// Removes a database file that never contained a document, together with the files beside it. Any other file is retained, and so
    /// is one that a process has open.
    package static func removeIfEmpty(_ path: String) {
        StoreInspector.removeIfEmpty(path, besides: CreationNote.fact)
    }

    /// Whether a file exists that can only be read: it is on a read-only medium, or the permission to write is missing.
    package static func isReadOnly(_ path: String) throws(FirestoreError) -> Bool {
        try StoreInspector.isReadOnly(path)
    }
}
