// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// A file that gets its name when it is complete: after a crash or a failure, a file of a name has all of its bytes.
enum NewFile {
    /// Returns false if there is a file of this name, which stays. Durable when this returns.
    static func create(_ name: String, _ bytes: [UInt8], in folder: OpenFolder) throws(FirestoreError) -> Bool {
        let temporary = temporaryName(of: name)
        let path = folder.path(of: name)
        try write(bytes, to: temporary, in: folder, path)
        defer { unlinkat(folder.descriptor, temporary, 0) }
        guard linkat(folder.descriptor, temporary, folder.descriptor, name, 0) == 0 else {
            if errno == EEXIST { return false }
            throw linkFailure(path)
        }
        do throws(FirestoreError) {
            try folder.sync()
        } catch {
            // Reported as not stored: it must not appear later.
            unlinkat(folder.descriptor, name, 0)
            throw error
        }
        return true
    }

    /// Creates a file with these bytes, which are on the disk when this returns. After a failure there is no file.
    private static func write(
        _ bytes: [UInt8], to temporary: String, in folder: OpenFolder, _ path: String
    ) throws(FirestoreError) {
        let file = openat(folder.descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system("the object cannot be created", at: path) }
        defer { close(file) }
        do throws(FirestoreError) {
            try write(bytes, to: file, path)
            guard fsync(file) == 0 else { throw .system("the object cannot be synchronized with the disk", at: path) }
        } catch {
            unlinkat(folder.descriptor, temporary, 0)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to file: Int32, _ path: String) throws(FirestoreError) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { Foundation.write(file, $0.baseAddress.map { $0 + offset }, bytes.count - offset) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system("the object cannot be written", at: path) }
            offset += count
        }
    }

    /// FAT and some network file systems report the absence of hard links as a lack of rights.
    private static func linkFailure(_ path: String) -> FirestoreError {
        guard errno == EPERM else { return .system("the object cannot be given its name", at: path) }
        return FirestoreError(
            .failedPrecondition,
            "the file system of the archive has no hard links, without which two servers could overwrite each other's objects; "
                + "use another file system", at: path)
    }

    // MARK: Temporary names

    private static let ending = ".partial"

    static func temporaryName(of name: String) -> String { ".\(name).\(AutoID.make())\(ending)" }

    static func isTemporary(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(ending) }
}
