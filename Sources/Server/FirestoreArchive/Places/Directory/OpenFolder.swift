// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// An open folder of an archive. Names in it are resolved without following symbolic links, which could lead out of the archive.
final class OpenFolder: Sendable {
    let descriptor: Int32
    /// For messages.
    let path: String

    /// - Parameter root: The folder of the archive itself may be a symbolic link.
    init(root: String) throws(FirestoreError) {
        path = root
        descriptor = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT {
                throw FirestoreError(
                    .unavailable, "the folder of the archive does not exist; mount its disk, or create the folder", at: root)
            }
            throw .system("the folder of the archive cannot be opened", at: root)
        }
    }

    private init(_ descriptor: Int32, _ path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    func path(of name: String) -> String { "\(path)/\(name)" }

    /// Opens a folder in this one; nil if there is none.
    func folder(_ name: String) throws(FirestoreError) -> OpenFolder? {
        let opened = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard opened < 0 else { return OpenFolder(opened, path(of: name)) }
        if errno == ENOENT { return nil }
        throw .system("the folder cannot be opened", at: path(of: name))
    }

    /// Opens a folder in this one, which is created if there is none. A new one is durable.
    func folderOrNew(_ name: String) throws(FirestoreError) -> OpenFolder {
        if let folder = try folder(name) { return folder }
        // Another process may create it meanwhile, or remove it.
        guard mkdirat(descriptor, name, 0o700) == 0 || errno == EEXIST else {
            throw .system("the folder cannot be created", at: path(of: name))
        }
        try sync()
        // One that was removed again meanwhile is created again.
        if let folder = try folder(name) { return folder }
        return try folderOrNew(name)
    }

    /// Whether the folder no longer has a name.
    var isRemoved: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }

    /// The numbers of the disk, and of the folder on it.
    var place: [UInt64]? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        return [UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino)]
    }

    /// Makes the names in this folder durable.
    func sync() throws(FirestoreError) {
        guard fsync(descriptor) == 0 else { throw .system("the folder cannot be synchronized with the disk", at: path) }
    }

    /// The bytes of a file; nil if there is none of this name.
    func bytes(of name: String) throws(FirestoreError) -> [UInt8]? {
        // Without waiting for the other end of a pipe.
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw .system("the object cannot be opened", at: path(of: name))
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .system("the object cannot be read", at: path(of: name)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw notFile(name) }
        return try Self.read(file, count: Int(status.st_size), path(of: name))
    }

    private static func read(_ file: Int32, count: Int, _ path: String) throws(FirestoreError) -> [UInt8] {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = Foundation.read(file, buffer.baseAddress.map { $0 + filled }, count - filled)
                if got < 0, errno == EINTR { continue }
                failed = got < 0
                if got <= 0 { break }
                filled += got
            }
        }
        if failed { throw .system("the object cannot be read", at: path) }
        guard bytes.count == count else { throw FirestoreError(.dataLoss, "the object ended while it was read", at: path) }
        return bytes
    }

    /// The entry of a name: its kind and size, without following a symbolic link; nil if there is none.
    func status(of name: String) throws(FirestoreError) -> stat? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) != 0 else { return status }
        if errno == ENOENT { return nil }
        throw .system("the object cannot be found", at: path(of: name))
    }

    /// Whether a name is that of a folder, and not of an object.
    func hasFolder(_ name: String) throws(FirestoreError) -> Bool { try status(of: name).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

    func notFile(_ name: String) -> FirestoreError {
        FirestoreError(
            .failedPrecondition, "an object of the archive must be a file, not a folder or a link; remove what is there", at: path(of: name)
        )
    }

    /// The names in this folder, in no order.
    func names() throws(FirestoreError) -> [String] {
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let entries = fdopendir(copy) else {
            if copy >= 0 { close(copy) }
            throw .system("the folder cannot be listed", at: path)
        }
        defer { closedir(entries) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: field.pointee)) {
                    String(validatingCString: $0)
                }
            }
            // A name that is not UTF-8 is not of the archive.
            if let name, name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        if errno != 0 { throw .system("the folder cannot be listed", at: path) }
        return names
    }
}
