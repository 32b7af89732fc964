// SPDX-License-Identifier: Apache-2.0
import Crypto
import FirestoreCore
import FirestoreRPC
import Foundation

/// Stores a file in an archive in pieces, each compressed.
struct PartsUpload {
    let store: any ArchiveStore
    let traffic: ArchiveTraffic
    /// The size of a piece, before it is compressed.
    let partBytes: Int

    /// - Parameter name: The name of the object of a piece, counted from 1.
    func run(_ file: String, _ name: @Sendable (Int) -> String) async throws(FirestoreError) -> (bytes: Int64, parts: [ArchivePart]) {
        let size = try size(of: file)
        var parts: [ArchivePart] = []
        while Int64(parts.count) * Int64(partBytes) < size {
            parts.append(try await upload(parts.count, of: file, as: name(parts.count + 1)))
        }
        return (size, parts)
    }

    private func upload(_ number: Int, of file: String, as name: String) async throws(FirestoreError) -> ArchivePart {
        if Task.isCancelled { throw FirestoreError(.cancelled, "the copy was cancelled") }
        let (start, count) = (UInt64(number) * UInt64(partBytes), partBytes)
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
        try await put(name, bytes)
        return ArchivePart(bytes: bytes.count, sha256: bytes.sha256)
    }

    /// Stores an object of a copy, in place of what an interrupted one has left.
    func put(_ name: String, _ bytes: [UInt8]) async throws(FirestoreError) {
        await traffic.turn()
        if try await store.put(name, bytes) { return }
        // A copy of this moment was interrupted. Its file may have been another one: facts are in it, too.
        try await store.delete(name)
        guard try await store.put(name, bytes) else {
            throw FirestoreError(.aborted, "another server stores a copy under the lease of this one", at: name)
        }
    }

    private func size(of file: String) throws(FirestoreError) -> Int64 {
        var status = stat()
        guard stat(file, &status) == 0 else {
            throw FirestoreError(.unavailable, "the copy for the archive cannot be read", at: file)
        }
        return Int64(status.st_size)
    }
}

extension Sequence<UInt8> {
    /// In hexadecimal digits.
    var hexadecimal: String { map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined() }
}

extension [UInt8] {
    /// In hexadecimal digits.
    var sha256: String { SHA256.hash(data: self).hexadecimal }
}
