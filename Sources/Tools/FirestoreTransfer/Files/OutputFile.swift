// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#endif

/// A file, or standard output, written once from beginning to end by one thread.
///
/// A file is written under a temporary name beside its final one, synchronized to the disk and renamed by `finish`: an
/// incomplete file never looks like a complete one. Without `finish` it is removed.
package final class OutputFile {
    /// The name for messages.
    package let name: String
    /// The number of bytes written so far.
    package private(set) var position: Int64 = 0
    private let descriptor: Int32
    /// nil for standard output.
    private var pending: (temporary: String, final: String)?
    private let replaces: Bool
    private var buffer: [UInt8] = []
    private static let bufferSize = 1 << 18

    /// `-` is standard output. Throws if the file exists, unless it is to be replaced.
    package init(_ path: String, replacing: Bool) throws(FirestoreError) {
        replaces = replacing
        if path.utf8.elementsEqual(InputFile.standard.utf8) {
            name = "standard output"
            descriptor = STDOUT_FILENO
            return
        }
        guard replacing || access(path, F_OK) != 0 else { throw .outputExists(path) }
        let temporary = "\(path).\(AutoID.make()).partial"
        let opened = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard opened >= 0 else { throw FirestoreError(.failedPrecondition, "the file cannot be created: \(SystemError.current)", at: path) }
        name = path
        descriptor = opened
        pending = (temporary, path)
        buffer.reserveCapacity(Self.bufferSize + (1 << 16))
    }

    deinit {
        guard let pending else { return }
        close(descriptor)
        unlink(pending.temporary)
    }

    package func append(_ bytes: some Collection<UInt8>) throws(FirestoreError) {
        buffer.append(contentsOf: bytes)
        position += Int64(bytes.count)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Completes the file, which gets its final name.
    package func finish() throws(FirestoreError) {
        try flush()
        guard let pending else { return }
        guard fsync(descriptor) == 0 else { throw failure() }
        // Another process may have created the file since the check at the beginning.
        guard replaces || access(pending.final, F_OK) != 0 else { throw .outputExists(pending.final) }
        guard rename(pending.temporary, pending.final) == 0 else { throw failure() }
        self.pending = nil
        close(descriptor)
    }

    private func flush() throws(FirestoreError) {
        var written = 0
        while written < buffer.count {
            let count = buffer.withUnsafeBytes { bytes in
                write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure()
            }
            written += count
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private func failure() -> FirestoreError {
        // The reader of standard output may have ended.
        FirestoreError(errno == EPIPE ? .cancelled : .dataLoss, "the file cannot be written: \(SystemError.current)", at: name)
    }
}

extension FirestoreError {
    static func outputExists(_ path: String) -> FirestoreError {
        FirestoreError(
            .alreadyExists, "a file or folder of this name exists already; choose another name", at: path,
            cause: TransferReason.outputExists)
    }
}
