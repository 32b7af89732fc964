// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
package import FirestoreRPC
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The directory of a server's databases: created if it is missing, and used by one server at a time.
///
/// Held by a lock on `hearth.lock`. The name cannot be that of a project's directory, in which a dot is percent-encoded.
package final class DataDirectory: Sendable {
    package static let lockName = "hearth.lock"

    private let lock: LockedFile

    package init(_ path: String, advice: OperatorAdvice = .none) throws(RPCStatus) {
        let another = "another one\(advice(.dataDirectory))"
        try Self.make(path, another)
        let file = path + "/" + Self.lockName
        do {
            lock = try LockedFile(exclusive: file)
        } catch {
            switch error {
            case .cannotOpen(let reason):
                throw RPCStatus(
                    reason == EACCES || reason == EROFS ? .permissionDenied : .failedPrecondition,
                    "the data directory \(path) cannot be used: \(file) cannot be written (\(Self.text(of: reason))); make the "
                        + "directory writable for the user that runs the server, or choose \(another)")
            case .cannotLock(let reason):
                throw RPCStatus(.failedPrecondition, "the data directory \(path) cannot be locked (\(Self.text(of: reason)))")
            case .held(let holder):
                throw RPCStatus(
                    .failedPrecondition,
                    "the data directory \(path) is served by another process (pid \(holder)); stop that one, or choose another "
                        + "directory\(advice(.dataDirectory))")
            }
        }
    }

    // MARK: Making it

    private static func make(_ path: String, _ another: String) throws(RPCStatus) {
        var existing = URL(fileURLWithPath: path).standardizedFileURL.path
        while !FileManager.default.fileExists(atPath: existing), existing != "/" {
            existing = URL(fileURLWithPath: existing).deletingLastPathComponent().path
        }
        var status = stat()
        if stat(existing, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
            throw RPCStatus(
                .failedPrecondition,
                "the data directory \(path) cannot be used: \(existing) is not a directory; choose \(another)")
        }
        guard (try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)) == nil else { return }
        // Tried again without Foundation, for the system's error number.
        let reason = mkdir(path, 0o755) == 0 ? 0 : errno
        throw RPCStatus(
            reason == EACCES ? .permissionDenied : .failedPrecondition,
            "the data directory \(path) cannot be created in \(existing) (\(text(of: reason))); choose \(another)")
    }

    private static func text(of code: Int32) -> String { String(cString: strerror(code)) }
}
