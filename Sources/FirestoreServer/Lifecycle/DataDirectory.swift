import FirestoreCore
import FirestoreRPC
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The directory below which a server keeps its databases: made if it is missing, and held by one server at a time.
///
/// An exclusive `flock` on `hearth.lock` holds it, which the kernel releases when the process ends, however it ends. The name
/// is not that of a project's directory, in which a dot is percent-encoded.
final class DataDirectory: Sendable {
    static let lockName = "hearth.lock"

    private let descriptor: Int32

    init(_ path: String) throws(RPCStatus) {
        try Self.make(path)
        let file = path + "/" + Self.lockName
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw RPCStatus(
                errno == EACCES || errno == EROFS ? .permissionDenied : .failedPrecondition,
                "the data directory \(path) cannot be used: \(file) cannot be written (\(Self.text(of: errno))); make the "
                    + "directory writable for the user that runs the server, or choose another one with --data")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            let holder = Self.holder(descriptor)
            close(descriptor)
            guard reason == EWOULDBLOCK else {
                throw RPCStatus(.failedPrecondition, "the data directory \(path) cannot be locked (\(Self.text(of: reason)))")
            }
            throw RPCStatus(
                .failedPrecondition,
                "the data directory \(path) is served by another process (pid \(holder)); stop that one, or choose another "
                    + "directory with --data")
        }
        self.descriptor = descriptor
        // For the message above; the lock holds without it, on a full disk too.
        let pid = [UInt8]("\(getpid())\n".utf8)
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, pid, pid.count, 0)
    }

    deinit {
        // A child process that is being started has the descriptor too: closing ours alone would leave the lock to it.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func holder(_ descriptor: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 20)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        let digits = buffer.prefix(max(0, count)).prefix { (48...57).contains($0) }
        return digits.isEmpty ? "unknown" : String(decoding: digits, as: UTF8.self)
    }

    // MARK: Making it

    private static func make(_ path: String) throws(RPCStatus) {
        var existing = URL(fileURLWithPath: path).standardizedFileURL.path
        while !FileManager.default.fileExists(atPath: existing), existing != "/" {
            existing = URL(fileURLWithPath: existing).deletingLastPathComponent().path
        }
        var status = stat()
        if stat(existing, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
            throw RPCStatus(
                .failedPrecondition,
                "the data directory \(path) cannot be used: \(existing) is not a directory; choose another one with --data")
        }
        guard (try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)) == nil else { return }
        // Once more without Foundation, for the system's reason.
        let reason = mkdir(path, 0o755) == 0 ? 0 : errno
        throw RPCStatus(
            reason == EACCES ? .permissionDenied : .failedPrecondition,
            "the data directory \(path) cannot be made in \(existing) (\(text(of: reason))); choose another one with --data")
    }

    private static func text(of code: Int32) -> String { String(cString: strerror(code)) }
}
