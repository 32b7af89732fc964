// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Files that only their owner can read, whatever the process's umask: the data that a user of an app has read and written.
///
/// SQLite gives the files beside a database the mode of the database itself, so it is enough to create that one first.
enum PrivateFiles {
    static func prepare(_ path: StorePath) throws(FirestoreError) {
        for file in [path.path, path.path + ".lock"] {
            let descriptor = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if descriptor >= 0 {
                _ = fchmod(descriptor, 0o600)
                close(descriptor)
                continue
            }
            // An existing database must not be opened here: closing it would release the locks that SQLite has on it in this
            // process. The next process that opens the file reports why it cannot be opened.
            try restrict(file)
        }
        // Files that an earlier process has left.
        for suffix in ["-wal", "-shm", ".leader"] { try restrict(path.path + suffix) }
    }

    private static func restrict(_ file: String) throws(FirestoreError) {
        var status = stat()
        guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o777 != 0o600 else { return }
        // Another process may have removed it in the meantime.
        guard chmod(file, 0o600) == 0 || errno == ENOENT else {
            throw FirestoreError(
                .permissionDenied, "the file cannot be made private to its owner; check who owns it", at: file)
        }
    }
}
