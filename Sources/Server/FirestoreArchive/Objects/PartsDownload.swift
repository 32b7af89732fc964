// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import Foundation

/// Puts a file of an archive together from its pieces.
struct PartsDownload {
    /// A part is not inflated to more than this.
    private static let maximumPart = 256 << 20

    let store: any ArchiveStore
    let parts: [ArchivePart]
    /// Of the file.
    let bytes: Int64
    /// The object that lists the parts.
    let manifest: String
    /// The name of the object of a piece, counted from 1.
    let name: @Sendable (Int) -> String

    /// Writes the file, which must not exist. A failed one is removed.
    func run(to file: String, _ progress: (Int64) -> Void) async throws(FirestoreError) {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(file) }
        defer { close(descriptor) }
        do throws(FirestoreError) {
            var next = parts.isEmpty ? nil : store.fetch(name(1))
            for (index, part) in parts.enumerated() {
                guard let bytes = try await next?.value.get() else { break }
                if Task.isCancelled { throw .restoreCancelled }
                // The next part is fetched while this one is written.
                next = index + 1 < parts.count ? store.fetch(name(index + 2)) : nil
                try await write(bytes, part, name(index + 1), to: descriptor, file)
                progress(Int64(Double(self.bytes) * Double(index + 1) / Double(parts.count)))
            }
            let size = lseek(descriptor, 0, SEEK_END)
            guard size == bytes else {
                throw .damagedObject(manifest, "the copy is \(size) bytes long instead of \(bytes)")
            }
        } catch {
            unlink(file)
            throw error
        }
    }

    private func write(
        _ bytes: [UInt8], _ part: ArchivePart, _ name: String, to descriptor: Int32, _ file: String
    ) async throws(FirestoreError) {
        try await Blocking.run { () throws(FirestoreError) in
            guard bytes.count == part.bytes, bytes.sha256 == part.sha256 else { throw .damagedObject(name, "its checksum is wrong") }
            let content: ByteSlice
            do {
                content = try GzipInflater.inflate(ByteSlice(bytes), limit: Self.maximumPart, oversizedCode: .dataLoss)
            } catch {
                throw .damagedObject(name, "it cannot be inflated")
            }
            var rest = content.buffer
            defer { withExtendedLifetime(content) {} }
            while !rest.isEmpty {
                let written = Foundation.write(descriptor, rest.baseAddress, rest.count)
                guard written > 0 else { throw Self.failure(file) }
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            }
        }
    }

    private static func failure(_ file: String) -> FirestoreError {
        FirestoreError(
            errno == ENOSPC || errno == EDQUOT ? .resourceExhausted : .failedPrecondition,
            "the restored file cannot be written (\(String(cString: strerror(errno))))", at: file)
    }
}
