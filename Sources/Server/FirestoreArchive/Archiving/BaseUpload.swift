// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import Foundation

/// Makes a copy of a database and stores it in the archive.
struct BaseUpload {
    let engine: Engine
    let store: any ArchiveStore
    let layout: ArchiveLayout
    let history: UInt64
    let lease: Int
    /// The last commit in the archive, before the copy is made.
    let position: DocumentVersion
    let policy: ArchivePolicy
    let traffic: ArchiveTraffic
    /// A file that does not exist, on the disk of the databases.
    let file: String

    /// Returns what the copy is. The copy counts once `done` is stored.
    func run() async throws(FirestoreError) -> BaseManifest {
        defer { unlink(file) }
        try await engine.writeCopy(to: file)
        let (path, number) = (file, history)
        let content = try await Blocking.run { () throws(FirestoreError) in try CopyContent(of: path, history: number) }
        // The journal continues at `position`: if the copy has no later change, it is the database of that moment, even if the last
        // commits before it had no effect.
        let time = content.lastChange.map { max($0, position) } ?? position
        let name = BaseName(time: time, lease: lease)
        // Nothing was committed since the last copy.
        let known = BaseDownload(store: store, layout: layout, history: history, base: name)
        do throws(FirestoreError) {
            return try await known.manifest()
        } catch {
            // One that is damaged is replaced.
            guard error.code == .dataLoss else { throw error }
        }
        let upload = PartsUpload(store: store, traffic: traffic, partBytes: policy.partBytes)
        let (size, parts) = try await upload.run(file) { layout.part($0, of: name, history) }
        let manifest = BaseManifest(
            format: BaseManifest.newestFormat, project: layout.database.projectID, database: layout.database.databaseID,
            history: ArchiveLayout.text(ofHistory: history), lease: lease, commit: time.microseconds,
            last: content.last.microseconds, time: time.timestamp.text,
            documents: content.documents, bytes: size, digest: content.digest.text, parts: parts)
        try await upload.put(layout.manifest(of: name, history), ArchiveJSON.bytes(manifest))
        return manifest
    }
}
