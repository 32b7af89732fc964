// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Foundation

/// Compares an archive with a data directory before a server begins with it: one without any of the databases that the archive has is
/// that of a disk that is not mounted, or of a machine that was lost.
package struct ArchivedDirectory: Sendable {
    private let store: any ArchiveStore
    private let directory: String

    package init(_ directory: String, in store: any ArchiveStore) {
        self.directory = directory
        self.store = store
    }

    /// Throws if the archive has databases, or accounts of a project, and the directory has none.
    ///
    /// - Parameter project: The project whose accounts the server has; nil if it has none.
    package func check(accountsOf project: String?) async throws(FirestoreError) {
        if try await ArchiveContents.first(in: store, where: { isPresent($0) }) == nil,
            let missing = try await ArchiveContents.first(
                in: store, where: { (database) async throws(FirestoreError) in try await isInUse(database) })
        {
            throw refusal("the database \(missing.databaseID) of project \(missing.projectID)")
        }
        guard let project else { return }
        let set = ArchivedFileSet.accounts(project: project)
        if !hasFiles(of: set), try await !FileSetCatalog.load(set, from: store).copies.isEmpty {
            throw refusal("the \(set.description)")
        }
    }

    private func refusal(_ what: String) -> FirestoreError {
        FirestoreError(
            .failedPrecondition,
            "the archive \(store.description) has \(what), and the data directory \(directory) does not: mount its disk, restore what is "
                + "missing, or let it begin anew", cause: ArchivingEnd.unknownDatabase)
    }

    private func isPresent(_ database: DatabaseID) -> Bool {
        let file = StandbyDirectory.file(of: database, in: directory)
        return [file, file + StandbyDirectory.suffix].contains { FileManager.default.fileExists(atPath: $0) }
    }

    private func isInUse(_ database: DatabaseID) async throws(FirestoreError) -> Bool {
        do throws(FirestoreError) {
            return try await ArchiveCatalog.load(ArchiveLayout(database), from: store).isInUse
        } catch {
            // What cannot be read is there.
            guard error.code == .dataLoss || error.isOfOtherKey else { throw error }
            return true
        }
    }

    private func hasFiles(of set: ArchivedFileSet) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: set.folder(in: directory))) ?? []
        return names.contains { $0.hasSuffix(".sqlite") }
    }
}
