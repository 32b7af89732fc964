// SPDX-License-Identifier: Apache-2.0
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
/// A lock on `hearth.lock` holds it. The name is not that of a project's directory, in which a dot is percent-encoded.
final class DataDirectory: Sendable {
    static let lockName = "hearth.lock"

    private let lock: LockedFile

    init(_ path: String) throws(RPCStatus) {
        try Self.make(path)
        let file = path + "/" + Self.lockName
        do {
            lock = try LockedFile(exclusive: file)
        } catch {
            switch error {
            case .cannotOpen(let reason):
                throw RPCStatus(
                    reason == EACCES || reason == EROFS ? .permissionDenied : .failedPrecondition,
                    "the data directory \(path) cannot be used: \(file) cannot be written (\(Self.text(of: reason))); make the "
                        + "directory writable for the user that runs the server, or choose another one with --data")
            case .cannotLock(let reason):
                throw RPCStatus(.failedPrecondition, "the data directory \(path) cannot be locked (\(Self.text(of: reason)))")
            case .held(let holder):
                throw RPCStatus(
                    .failedPrecondition,
                    "the data directory \(path) is served by another process (pid \(holder)); stop that one, or choose another "
                        + "directory with --data")
            }
        }
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
            "the data directory \(path) cannot be created in \(existing) (\(text(of: reason))); choose another one with --data")
    }

    private static func text(of code: Int32) -> String { String(cString: strerror(code)) }
}
