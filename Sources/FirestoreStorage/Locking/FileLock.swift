package import FirestoreCore
import Foundation

/// Keeps a database to one process: an exclusive `flock` on `<file>.lock`, which also says who holds it.
///
/// The kernel lets go of the lock when the process ends, however it ends; the file itself stays.
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// What to do about another process that has the database.
    private static let usualAdvice =
        "to use it from several processes, let one of them serve it and connect the others to that server"

    package init(for database: StorePath, advice: String? = nil) throws(FirestoreError) {
        let path = database.path + ".lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Self.unopenable(path, errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            let holder = Self.holder(descriptor)
            close(descriptor)
            guard reason == EWOULDBLOCK else { throw Self.unopenable(path, reason) }
            throw Self.inUse(database, by: holder, advice)
        }
        self.descriptor = descriptor
        // Only a hint for the message above; the lock holds without it, on a full disk too.
        let pid = [UInt8]("\(getpid())\n".utf8)
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, pid, pid.count, 0)
    }

    /// Keeps writers out where the lock file cannot be written; several readers share it. nil if there is no lock file.
    init?(sharing database: StorePath, advice: String? = nil) throws(FirestoreError) {
        let path = database.path + ".lock"
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.unopenable(path, errno)
        }
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
            let reason = errno
            let holder = Self.holder(descriptor)
            close(descriptor)
            guard reason == EWOULDBLOCK else { throw Self.unopenable(path, reason) }
            throw Self.inUse(database, by: holder, advice)
        }
        self.descriptor = descriptor
    }

    private static func inUse(_ database: StorePath, by holder: String, _ advice: String?) -> FirestoreError {
        FirestoreError(
            .failedPrecondition,
            "the database is open in another process (pid \(holder)); \(advice ?? usualAdvice)", at: database.path)
    }

    deinit {
        // A child process that is being started has the descriptor too, until it becomes another program; closing ours
        // would leave the lock to it for that long.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func holder(_ descriptor: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 20)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        let digits = buffer.prefix(max(0, count)).prefix { (48...57).contains($0) }
        return digits.isEmpty ? "unknown" : String(decoding: digits, as: UTF8.self)
    }

    private static func unopenable(_ path: String, _ reason: Int32) -> FirestoreError {
        let code: FirestoreError.Code =
            switch reason {
            case EACCES, EPERM, EROFS: .permissionDenied
            case ENOSPC, EDQUOT, EMFILE, ENFILE: .resourceExhausted
            default: .failedPrecondition
            }
        return FirestoreError(
            code, "the lock file cannot be made; the directory of the database must be writable "
                + "(\(String(cString: strerror(reason))))", at: path)
    }
}
