// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// A small file with a secret.
struct PrivateFile {
    let path: String
    /// What messages call the file.
    let kind: String
    let maximumBytes: Int

    init(_ path: String, kind: String, maximumBytes: Int) {
        self.path = path
        self.kind = kind
        self.maximumBytes = maximumBytes
    }

    /// Reads a file that other users may be able to read.
    func read() throws(FirestoreError) -> [UInt8] { try read { _ in nil } }

    /// Reads a file that only this user can read, or this service.
    ///
    /// - Parameter credentialsDirectory: The folder of credentials that systemd gives to this service alone. It shows the right of this
    ///   service as one of the file's group.
    func readIfPrivate(credentialsDirectory: String?) throws(FirestoreError) -> [UInt8] {
        let isCredential = credentialsDirectory.map { path.hasPrefix($0 + "/") } ?? false
        return try read { status in
            guard status.st_uid == geteuid() || status.st_uid == 0 else {
                return "belongs to another user of this machine; change its owner"
            }
            guard status.st_mode & (isCredential ? 0o037 : 0o077) == 0 else {
                return "can be read or changed by other users of this machine; run chmod 600 on it, and consider a new key"
            }
            return nil
        }
    }

    private func read(unless refusal: (stat) -> String?) throws(FirestoreError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure("cannot be opened: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw failure("is not a file") }
        if let reason = refusal(status) { throw failure(reason) }
        var bytes = [UInt8](repeating: 0, count: maximumBytes + 1)
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        guard (0...maximumBytes).contains(count) else { throw failure("cannot be read, or has more than \(maximumBytes) bytes") }
        return Array(bytes.prefix(count))
    }

    private func failure(_ reason: String) -> FirestoreError { FirestoreError(.failedPrecondition, "the \(kind) \(reason)", at: path) }
}
