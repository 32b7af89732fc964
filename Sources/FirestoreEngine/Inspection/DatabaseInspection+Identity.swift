package import FirestoreCore
import FirestoreStorage

extension DatabaseInspection {
    /// Which database a file holds; nil if there is no such file, or nothing in it yet. Fails if it is not one of ours, or
    /// if a process has it open.
    package static func databaseID(of path: String) throws(FirestoreError) -> DatabaseID? {
        try StoreInspector.identity(of: path)
    }
}
