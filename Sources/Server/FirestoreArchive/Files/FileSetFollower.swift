// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Foundation

/// The files of a standby: the newest copy of a file set that an archive has.
package actor FileSetFollower {
    /// Beside the files that a follower has fetched, and that the next copy replaces.
    static let markName = "following"

    private let store: any ArchiveStore
    private let set: ArchivedFileSet
    private let folder: String

    /// - Parameter directory: The data directory of the standby.
    package init(_ set: ArchivedFileSet, in store: any ArchiveStore, directory: String) {
        self.store = store
        self.set = set
        folder = set.folder(in: directory)
    }

    /// Fetches the newest copy, unless the files are that copy already. Fails if they are not those of a standby. Returns when the copy was
    /// made; nil if there is none.
    package func step() async throws(FirestoreError) -> DocumentVersion? {
        try await MissingObject.listingAgain { () async throws(FirestoreError) in try await fetchNewest() }
    }

    private func fetchNewest() async throws(FirestoreError) -> DocumentVersion? {
        let catalog = try await FileSetCatalog.load(set, from: store)
        let mark = folder + "/" + Self.markName
        let known = FileManager.default.contents(atPath: mark).map { String(decoding: $0, as: UTF8.self) }
        guard let missing = catalog.missing(at: nil) else { return try await fetch(catalog.copies.last, mark, known) }
        // The newest copy may be here, and nowhere else.
        if known == missing.text { return missing.time }
        if known.flatMap({ BaseName($0) }) == nil { _ = try await fetch(catalog.copies.last, mark, known) }
        throw .missingCopy(missing, of: set)
    }

    private func fetch(_ copy: BaseName?, _ mark: String, _ known: String?) async throws(FirestoreError) -> DocumentVersion? {
        guard let copy else { return nil }
        if known == copy.text { return copy.time }
        if known == nil, FileManager.default.fileExists(atPath: folder) {
            throw FirestoreError(
                .failedPrecondition,
                "the data directory has the \(set.description) already, which may be newer than the archive; choose another directory, or "
                    + "move it away", at: folder)
        }
        // The mark first: what an interrupted fetch leaves is replaced by the next one.
        try write(mark, "")
        let manifest = try await FileSetManifest.load(copy, of: set, from: store)
        try await FileSetDownload(store: store, set: set, copy: copy).run(manifest, into: folder)
        try write(mark, copy.text)
        return copy.time
    }

    private func write(_ mark: String, _ text: String) throws(FirestoreError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data(text.utf8).write(to: URL(fileURLWithPath: mark), options: .atomic)
        } catch {
            throw FirestoreError(.failedPrecondition, "the file cannot be written", at: mark, cause: error)
        }
    }
}
