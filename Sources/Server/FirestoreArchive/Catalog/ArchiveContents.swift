// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The databases of an archive.
package enum ArchiveContents {
    /// Sorted by name. Looks at one object of each.
    package static func databases(in store: any ArchiveStore) async throws(FirestoreError) -> [DatabaseID] {
        var found: [DatabaseID] = []
        _ = try await first(in: store) { database in
            found.append(database)
            return false
        }
        return found
    }

    /// The first database, in the order of names, of which something is true.
    static func first(
        in store: any ArchiveStore, where predicate: (DatabaseID) async throws(FirestoreError) -> Bool
    ) async throws(FirestoreError) -> DatabaseID? {
        var after: String?
        while let object = try await store.list("", after: after, limit: 1).first {
            guard let database = ArchiveLayout.database(of: object.name) else {
                // Whole file sets are passed over.
                after = object.name.first == ArchivedFileSet.mark ? "," : object.name
                continue
            }
            if try await predicate(database) { return database }
            // The name behind everything that begins with the folder.
            after = String(ArchiveLayout(database).root.dropLast()) + "0"
        }
        return nil
    }
}
