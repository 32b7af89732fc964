// SPDX-License-Identifier: Apache-2.0
import Crypto
import FirestoreCore
import FirestoreEngine
import FirestoreRPC
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
        if try await store.get(layout.manifest(of: name, history)) != nil { return try await known.manifest() }
        let size = try size()
        var parts: [BaseManifest.Part] = []
        while Int64(parts.count) * Int64(policy.partBytes) < size {
            parts.append(try await upload(parts.count, of: name))
        }
        let manifest = BaseManifest(
            format: BaseManifest.newestFormat, project: layout.database.projectID, database: layout.database.databaseID,
            history: ArchiveLayout.text(ofHistory: history), lease: lease, commit: time.microseconds,
            last: content.last.microseconds, time: time.timestamp.text,
            documents: content.documents, bytes: size, digest: content.digest.text, parts: parts)
        try await put(layout.manifest(of: name, history), ArchiveJSON.bytes(manifest))
        return manifest
    }

    private func upload(_ number: Int, of name: BaseName) async throws(FirestoreError) -> BaseManifest.Part {
        if Task.isCancelled { throw FirestoreError(.cancelled, "the copy was cancelled") }
        let (file, start, count) = (file, UInt64(number) * UInt64(policy.partBytes), policy.partBytes)
        let bytes = try await Blocking.run { () throws(FirestoreError) in
            let piece: Data
            do {
                let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
                defer { try? handle.close() }
                try handle.seek(toOffset: start)
                piece = try handle.read(upToCount: count) ?? Data()
            } catch {
                throw FirestoreError(.unavailable, "the copy for the archive cannot be read", at: file, cause: error)
            }
            guard let bytes = GzipDeflater.compress(Array(piece)) else {
                throw FirestoreError(.resourceExhausted, "there is not enough memory to compress a copy", at: file)
            }
            return bytes
        }
        try await put(layout.part(number + 1, of: name, history), bytes)
        return BaseManifest.Part(bytes: bytes.count, sha256: bytes.sha256)
    }

    private func put(_ name: String, _ bytes: [UInt8]) async throws(FirestoreError) {
        await traffic.turn()
        if try await store.put(name, bytes) { return }
        // A copy of this moment was interrupted. Its file may have been another one: facts are in it, too.
        try await store.delete(name)
        guard try await store.put(name, bytes) else {
            throw FirestoreError(.aborted, "another server stores a copy under the lease of this one", at: name)
        }
    }

    private func size() throws(FirestoreError) -> Int64 {
        var status = stat()
        guard stat(file, &status) == 0 else {
            throw FirestoreError(.unavailable, "the copy for the archive cannot be read", at: file)
        }
        return Int64(status.st_size)
    }
}

extension [UInt8] {
    /// In hexadecimal digits.
    var sha256: String {
        SHA256.hash(data: self).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
