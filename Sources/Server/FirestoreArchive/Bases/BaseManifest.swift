// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What a copy in the archive is: the object `done`, which is written last.
package struct BaseManifest: Sendable, Codable, Hashable {
    static let newestFormat = 1
    /// The largest file of SQLite.
    private static let mostBytes = Int64(1) << 48

    /// Of the archive.
    let format: Int
    package let project: String
    package let database: String
    let history: String
    let lease: Int
    /// Where the journal continues, in microseconds: behind the last commit in the copy that changed something.
    let commit: Int64
    /// The last commit of all.
    let last: Int64
    /// For people.
    let time: String
    package let documents: Int
    /// Of the file.
    package let bytes: Int64
    let digest: String
    let parts: [ArchivePart]

    package var lastCommit: DocumentVersion { DocumentVersion(microseconds: commit) }
    package var databaseID: DatabaseID { DatabaseID(projectID: project, databaseID: database) }
    var name: BaseName { BaseName(time: lastCommit, lease: lease) }
    /// The size of the objects.
    package var storedBytes: Int { parts.reduce(0) { $0 + $1.bytes } }

    func digest(_ history: UInt64) -> DocumentDigest? {
        UInt128(digest, radix: 16).map { DocumentDigest(history: history, sum: $0) }
    }

    /// Reads the object of a name.
    static func read(_ bytes: [UInt8], _ base: BaseName, _ history: UInt64, in layout: ArchiveLayout) throws(FirestoreError) -> Self {
        let name = layout.manifest(of: base, history)
        let head: ArchiveFormat = try ArchiveJSON.read(bytes, name: name)
        try head.check(newest: newestFormat, name: name)
        let manifest: BaseManifest = try ArchiveJSON.read(bytes, name: name)
        guard manifest.name == base, manifest.history == ArchiveLayout.text(ofHistory: history), manifest.databaseID == layout.database,
            !manifest.parts.isEmpty, manifest.digest(history) != nil, (0...mostBytes).contains(manifest.bytes),
            ArchivePart.areValid(manifest.parts)
        else { throw .damagedObject(name, "it describes another copy than its name says") }
        return manifest
    }
}
