// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Files that only their owner can read, whatever the process's umask: what a user of an app has read and written.
///
/// SQLite gives the files beside a database the mode of the database itself, so it is enough to create that one first.
enum PrivateFiles {
    static func prepare(_ path: StorePath) throws(FirestoreError) {
        for file in [path.path, path.path + ".lock"] {
            let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            // Whoever opens the file next reports why it cannot be opened.
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & 0o777 != 0o600 else { continue }
            guard fchmod(descriptor, 0o600) == 0 else {
                throw FirestoreError(
                    .permissionDenied, "the file cannot be made private to its owner; check who owns it", at: file)
            }
        }
    }
}
