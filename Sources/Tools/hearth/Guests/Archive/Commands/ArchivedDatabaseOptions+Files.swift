// SPDX-License-Identifier: Apache-2.0
import FirestoreArchive
import FirestoreCore

extension ArchivedDatabaseOptions {
    /// The file sets of an archive that the options name: the accounts of a project; without a project all, and no accounts if one database
    /// is named.
    func fileSets(in store: any ArchiveStore) async throws(FirestoreError) -> [ArchivedFileSet] {
        guard database == nil else { return [] }
        let all = try await ArchivedFileSet.all(in: store)
        guard let project else { return all }
        return all.filter { $0 == .accounts(project: project) }
    }
}
