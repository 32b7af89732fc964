// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Files that only their owner can read.
enum PrivateFile {
    /// Writes a file, replacing another one atomically. It is never readable for others, not even while it is being written.
    static func write(_ bytes: [UInt8], to path: String) throws(FirestoreError) {
        let draft = "\(path).\(getpid())"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("the file cannot be created", path) }
        let isWritten = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) } == bytes.count
        close(descriptor)
        guard isWritten, rename(draft, path) == 0 else {
            let error = failure("the file cannot be written", path)
            unlink(draft)
            throw error
        }
    }

    /// Makes a directory, or checks that the one there is this user's alone: in a directory that all users can write to, another user
    /// could have made it first.
    static func makeDirectory(_ path: String) throws(FirestoreError) {
        guard mkdir(path, 0o700) != 0 else { return }
        guard errno == EEXIST else { throw failure("the directory cannot be made", path) }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
            throw FirestoreError(
                .permissionDenied, "this is not a directory of this user; remove it, or set XDG_RUNTIME_DIR to a directory of yours",
                at: path)
        }
        guard status.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0 else { throw failure("the directory is open to other users", path) }
    }

    private static func failure(_ what: String, _ path: String) -> FirestoreError {
        FirestoreError(.permissionDenied, "\(what): \(String(cString: strerror(errno)))", at: path)
    }
}
