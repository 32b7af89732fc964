// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Foundation

/// Puts the files of a file set into a data directory, from which they are missing.
package struct FileSetRestore: Sendable {
    package let store: any ArchiveStore
    package let set: ArchivedFileSet
    /// The data directory.
    package let directory: String
    /// Copies from after it are not used; nil for the newest.
    package var moment: DocumentVersion?
    /// Whether an earlier copy is restored if the one is missing in the archive that would be. Otherwise none is.
    package var isUpToGap = false

    package init(from store: any ArchiveStore, of set: ArchivedFileSet, into directory: String) {
        self.store = store
        self.set = set
        self.directory = directory
    }

    package enum Outcome: Sendable, Equatable {
        case restored([String], copy: DocumentVersion)
        /// The files are there already, and stay as they are.
        case present
        /// The archive has no complete copy.
        case missing
    }

    package var folder: String { self.set.folder(in: directory) }

    /// When the copy was made that would be restored; nil if there is none.
    package func plan() async throws(FirestoreError) -> DocumentVersion? {
        try await FileSetCatalog.load(set, from: store).copy(at: moment)?.time
    }

    package func run() async throws(FirestoreError) -> Outcome {
        try await MissingObject.listingAgain { () async throws(FirestoreError) in try await restoreListed() }
    }

    private func restoreListed() async throws(FirestoreError) -> Outcome {
        let catalog = try await FileSetCatalog.load(set, from: store)
        if !isUpToGap, let missing = catalog.missing(at: moment) { throw .missingCopy(missing, of: set) }
        guard let copy = catalog.copy(at: moment) else { return .missing }
        let manifest = try await FileSetManifest.load(copy, of: set, from: store)
        let isPresent = manifest.files.contains { FileManager.default.fileExists(atPath: folder + "/" + $0.name) }
        if isPresent { return .present }
        try await FileSetDownload(store: store, set: set, copy: copy).run(manifest, into: folder)
        return .restored(manifest.files.map(\.name), copy: copy.time)
    }
}

/// Fetches the files of a copy.
struct FileSetDownload {
    let store: any ArchiveStore
    let set: ArchivedFileSet
    let copy: BaseName

    /// Puts the files into a folder, which only its owner can enter, when all of them are complete. Those of the same names are replaced.
    func run(_ manifest: FileSetManifest, into folder: String) async throws(FirestoreError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw FirestoreError(.failedPrecondition, "the folder cannot be created", at: folder, cause: error)
        }
        let suffix = ".\(AutoID.make()).restoring"
        defer { for file in manifest.files { unlink("\(folder)/\(file.name)\(suffix)") } }
        for (index, file) in manifest.files.enumerated() {
            try await fetch(file, number: index + 1, to: "\(folder)/\(file.name)\(suffix)")
        }
        for file in manifest.files { try moveFile("\(folder)/\(file.name)\(suffix)", to: "\(folder)/\(file.name)") }
    }

    /// Fetches a file, and checks that it is what was stored.
    func fetch(_ file: FileSetManifest.File, number: Int, to path: String) async throws(FirestoreError) {
        let manifest = set.manifest(of: copy)
        let download = PartsDownload(store: store, parts: file.parts, bytes: file.bytes, manifest: manifest) {
            set.part($0, ofFile: number, of: copy)
        }
        try await download.run(to: path) { _ in }
        let hash = try await Blocking.run { () throws(FirestoreError) in try FileSetArchiver.sha256(of: path) }
        guard hash == file.sha256 else { throw .damagedObject(manifest, "the file \(file.name) is another one than was stored") }
    }
}
