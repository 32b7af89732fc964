// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Files that a command makes and never overwrites.
enum NewFile {
    /// Writes a file and makes it last. It must not exist; nothing is left of one that could not be written.
    /// - Parameter advice: What to do if the file exists.
    static func write(_ text: String, to path: String, mode: mode_t, ifThere advice: String) throws(FirestoreError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            if errno == EEXIST { throw FirestoreError(.alreadyExists, "the file exists; \(advice)", at: path) }
            throw FirestoreError(.permissionDenied, "the file cannot be created: \(String(cString: strerror(errno)))", at: path)
        }
        let isWritten = writeWhole(Array(text.utf8), to: descriptor) == nil && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten else {
            unlink(path)
            throw FirestoreError(.resourceExhausted, "the file cannot be written; check the disk", at: path)
        }
    }
}
