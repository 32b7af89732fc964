// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import FirestorePostgres
    import FirestoreRPC
    import FirestoreServer
    import FirestoreSQLite
    import FirestoreStorage
    import Foundation

    /// Where `hearth store copy` reads or writes.
    protocol CopyPlace {
        func databases() throws(FirestoreError) -> [DatabaseID]
        func reading(_ database: DatabaseID) throws(FirestoreError) -> any DocumentStore
        func writing(_ database: DatabaseID) throws(FirestoreError) -> any DocumentStore

        /// Whether nothing serves this place any more: what is read from now on does not change.
        func isUnused() throws(FirestoreError) -> Bool
    }

    final class DirectoryPlace: CopyPlace {
        private let path: String
        private let opening: DatabaseOpening
        /// Held while nothing else may serve the directory.
        private var lock: DataDirectory?

        init(_ path: String, isTarget: Bool) throws(FirestoreError) {
            self.path = path
            opening = DatabaseOpening(storage: .directory(path))
            guard isTarget else {
                var isDirectory: ObjCBool = false
                guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue else {
                    throw FirestoreError(.notFound, "the data directory does not exist", at: path)
                }
                return
            }
            do throws(RPCStatus) { lock = try DataDirectory(path) } catch { throw FirestoreError(.failedPrecondition, error.message) }
        }

        func databases() -> [DatabaseID] {
            opening.stored().map(\.database).sorted { $0.documentsPrefix.utf8.lexicographicallyPrecedes($1.documentsPrefix.utf8) }
        }

        func reading(_ database: DatabaseID) throws(FirestoreError) -> any DocumentStore {
            try SQLiteStore.openBeside(try file(of: database), databaseID: database)
        }

        func writing(_ database: DatabaseID) throws(FirestoreError) -> any DocumentStore {
            try SQLiteStore.open(try file(of: database), durability: .full, databaseID: database)
        }

        private func file(of database: DatabaseID) throws(FirestoreError) -> StorePath {
            try StorePath(preparing: opening.path(of: database) ?? path)
        }

        func isUnused() throws(FirestoreError) -> Bool {
            if lock != nil { return true }
            do throws(RPCStatus) {
                lock = try DataDirectory(path)
                return true
            } catch {
                // Another user's directory would be waited for without an end.
                if error.code == .permissionDenied { throw FirestoreError(.permissionDenied, error.message) }
                return false
            }
        }
    }

    struct ClusterPlace: CopyPlace {
        private let cluster: PostgresCluster

        init(_ cluster: PostgresCluster) { self.cluster = cluster }

        func databases() throws(FirestoreError) -> [DatabaseID] { try cluster.databases() }

        func reading(_ database: DatabaseID) throws(FirestoreError) -> any DocumentStore { try open(database, creating: false) }

        func writing(_ database: DatabaseID) throws(FirestoreError) -> any DocumentStore { try open(database, creating: true) }

        private func open(_ database: DatabaseID, creating: Bool) throws(FirestoreError) -> any DocumentStore {
            guard let store = try cluster.open(database, creating: creating) else {
                throw FirestoreError(.notFound, "the database \(database.databaseID) was deleted")
            }
            return store
        }

        func isUnused() throws(FirestoreError) -> Bool { try !(cluster.membership.all().contains { $0.isLive }) }
    }
#endif
