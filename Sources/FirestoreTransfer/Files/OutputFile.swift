package import FirestoreCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#endif

/// A file, or standard output, written once from its beginning to its end by one thread.
///
/// A file is written under a name of its own beside the one it will have, forced to the disk and renamed by `finish`: half
/// a file never looks like a whole one. Without `finish` it goes away again.
package final class OutputFile {
    /// As messages name it.
    package let name: String
    /// Bytes taken so far.
    package private(set) var position: Int64 = 0
    private let descriptor: Int32
    /// nil for standard output.
    private var pending: (temporary: String, final: String)?
    private let replaces: Bool
    private var buffer: [UInt8] = []
    private static let bufferSize = 1 << 18

    /// `-` is standard output. A file that is there already is refused unless it is to be replaced.
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
        guard opened >= 0 else { throw FirestoreError(.failedPrecondition, "the file cannot be made: \(SystemError.current)", at: path) }
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

    /// Everything is written; the file gets its name.
    package func finish() throws(FirestoreError) {
        try flush()
        guard let pending else { return }
        guard fsync(descriptor) == 0 else { throw failure() }
        // Between the check at the beginning and now somebody else may have made one.
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
        // Who reads our output may have had enough of it.
        FirestoreError(errno == EPIPE ? .cancelled : .dataLoss, "the file cannot be written: \(SystemError.current)", at: name)
    }
}

extension FirestoreError {
    static func outputExists(_ path: String) -> FirestoreError {
        FirestoreError(.alreadyExists, "there is something of this name already; choose another, or replace it with --overwrite", at: path)
    }
}
