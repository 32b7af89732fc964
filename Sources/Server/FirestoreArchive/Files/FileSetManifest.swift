// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// What a copy of a file set is: the object `done`, which is written last.
package struct FileSetManifest: Sendable, Codable, Hashable {
    package struct File: Sendable, Codable, Hashable {
        package let name: String
        let bytes: Int64
        /// Of the file.
        let sha256: String
        let parts: [ArchivePart]
    }

    static let newestFormat = 1
    private static let mostFiles = 1_000

    let format: Int
    /// The folder of the file set in the archive.
    let folder: String
    let lease: Int
    /// When the copy was made, in microseconds.
    let made: Int64
    /// For people.
    let time: String
    package let files: [File]

    var name: BaseName { BaseName(time: DocumentVersion(microseconds: made), lease: lease) }
    var bytes: Int64 { files.reduce(0) { $0 + $1.bytes } }

    init(of set: ArchivedFileSet, _ copy: BaseName, files: [File]) {
        format = Self.newestFormat
        folder = set.root
        lease = copy.lease
        made = copy.time.microseconds
        time = copy.time.timestamp.text
        self.files = files
    }

    static func load(_ copy: BaseName, of set: ArchivedFileSet, from store: any ArchiveStore) async throws(FirestoreError) -> Self {
        let name = set.manifest(of: copy)
        let bytes = try await store.existing(name)
        return try read(bytes, copy, of: set)
    }

    /// Reads the object of a name.
    static func read(_ bytes: [UInt8], _ copy: BaseName, of set: ArchivedFileSet) throws(FirestoreError) -> Self {
        let name = set.manifest(of: copy)
        let head: ArchiveFormat = try ArchiveJSON.read(bytes, name: name)
        try head.check(newest: newestFormat, name: name)
        let manifest: FileSetManifest = try ArchiveJSON.read(bytes, name: name)
        guard manifest.name == copy, manifest.folder == set.root, manifest.files.count <= mostFiles,
            manifest.files.allSatisfy(isValid), Set(manifest.files.map(\.name)).count == manifest.files.count
        else { throw .damagedObject(name, "it describes another copy than its name says") }
        return manifest
    }

    private static func isValid(_ file: File) -> Bool {
        // A name from an archive must not lead out of a folder.
        !file.name.contains("/") && ArchiveName.isValid(file.name) && (0...1 << 48).contains(file.bytes) && ArchivePart.areValid(file.parts)
    }
}

/// The format of an object, which is read before the rest.
struct ArchiveFormat: Decodable {
    let format: Int

    func check(newest: Int, name: String) throws(FirestoreError) {
        guard format > newest else { return }
        throw FirestoreError(
            .failedPrecondition,
            "the object has format \(format), and this Hearth knows formats up to \(newest); use a newer Hearth", at: name)
    }
}
