// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import Foundation

/// Puts the copy of an archive into a file again.
struct BaseDownload {
    /// A part is not inflated to more than this.
    private static let maximumPart = 256 << 20

    let store: any ArchiveStore
    let layout: ArchiveLayout
    let history: UInt64
    let base: BaseName

    func manifest() async throws(FirestoreError) -> BaseManifest {
        let name = layout.manifest(of: base, history)
        guard let bytes = try await store.get(name) else { throw .missingObject(name) }
        return try BaseManifest.read(bytes, base, history, in: layout)
    }

    /// Writes the file, which must not exist. A failed one is removed.
    func run(_ manifest: BaseManifest, to file: String, _ progress: (Int64) -> Void) async throws(FirestoreError) {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(file) }
        defer { close(descriptor) }
        do throws(FirestoreError) {
            var next = manifest.parts.isEmpty ? nil : store.fetch(part(1))
            for (index, part) in manifest.parts.enumerated() {
                guard let bytes = try await next?.value.get() else { break }
                if Task.isCancelled { throw .restoreCancelled }
                // The next part is fetched while this one is written.
                next = index + 1 < manifest.parts.count ? store.fetch(self.part(index + 2)) : nil
                try await write(bytes, part, number: index + 1, to: descriptor, file)
                progress(Int64(Double(manifest.bytes) * Double(index + 1) / Double(manifest.parts.count)))
            }
            let size = lseek(descriptor, 0, SEEK_END)
            guard size == manifest.bytes else {
                throw .damagedObject(layout.manifest(of: base, history), "the copy is \(size) bytes long instead of \(manifest.bytes)")
            }
        } catch {
            unlink(file)
            throw error
        }
    }

    private func part(_ number: Int) -> String { layout.part(number, of: base, history) }

    private func write(
        _ bytes: [UInt8], _ part: BaseManifest.Part, number: Int, to descriptor: Int32, _ file: String
    ) async throws(FirestoreError) {
        let name = layout.part(number, of: base, history)
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
            "the restored database cannot be written (\(String(cString: strerror(errno))))", at: file)
    }
}
