// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

extension FirestoreError {
    /// What a failed call of the system means for an archive in a folder. Reads `errno`.
    static func system(_ what: String, at path: String) -> FirestoreError {
        let number = errno
        let (code, advice): (Code, String) =
            switch number {
            case ENOSPC, EDQUOT: (.resourceExhausted, "free space on the disk of the archive")
            case EACCES, EPERM: (.permissionDenied, "give the user of this process the right to it")
            case EROFS: (.failedPrecondition, "its disk is mounted for reading only; mount it for writing")
            case ELOOP, ENOTDIR, EISDIR: (.failedPrecondition, "an archive consists of folders and files; remove what else is there")
            case ENOENT: (.unavailable, "it was removed; check that its disk is mounted")
            case EOPNOTSUPP, EMLINK: (.failedPrecondition, "its file system lacks hard links or file synchronization; use another one")
            default: (.unavailable, "check the disk of the archive")
            }
        return FirestoreError(code, "\(what) (\(String(cString: strerror(number)))): \(advice)", at: path)
    }
}
