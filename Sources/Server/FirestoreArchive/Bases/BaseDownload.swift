// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Puts the copy of an archive into a file again.
struct BaseDownload {
    let store: any ArchiveStore
    let layout: ArchiveLayout
    let history: UInt64
    let base: BaseName

    func manifest() async throws(FirestoreError) -> BaseManifest {
        let name = layout.manifest(of: base, history)
        let bytes = try await store.existing(name)
        return try BaseManifest.read(bytes, base, history, in: layout)
    }

    /// Writes the file, which must not exist. A failed one is removed.
    func run(_ manifest: BaseManifest, to file: String, _ progress: (Int64) -> Void) async throws(FirestoreError) {
        let download = PartsDownload(
            store: store, parts: manifest.parts, bytes: manifest.bytes, manifest: layout.manifest(of: base, history)
        ) { layout.part($0, of: base, history) }
        try await download.run(to: file, progress)
    }
}
