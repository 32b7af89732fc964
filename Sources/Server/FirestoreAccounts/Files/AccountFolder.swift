// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreTokens
import Foundation

/// The folder of a project's accounts: `accounts.sqlite`, its lock, and the signing key. It can be entered by its owner only.
package struct AccountFolder: Sendable {
    static let accountsFile = "accounts.sqlite"
    /// The current key that tokens are signed with, and the one before it.
    static let keyFiles = ["signing-key.pem", "previous-signing-key.pem"]

    package let path: String

    /// Creates the folder if it is missing. A folder that others can enter is rejected instead of changed: others may already have read or
    /// replaced its content.
    package init(_ path: String) throws(FirestoreError) {
        self.path = path
        var status = stat()
        if lstat(path, &status) != 0 {
            do {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw FirestoreError(
                    .permissionDenied, "the folder of the accounts cannot be created; create it with mode 700", at: path, cause: error)
            }
            guard chmod(path, 0o700) == 0, lstat(path, &status) == 0 else { throw Self.unusable(path) }
        }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else { throw Self.unusable(path) }
        guard status.st_mode & 0o077 == 0 else {
            throw FirestoreError(
                .permissionDenied, "the folder of the accounts is open to other users of this machine; run chmod 700 on it", at: path)
        }
    }

    private static func unusable(_ path: String) -> FirestoreError {
        FirestoreError(.failedPrecondition, "the folder of the accounts is not a folder of this user; give another path", at: path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// The key that tokens are signed with, made on first use.
    package func signingKey() throws(FirestoreError) -> SigningKey {
        let file = file(Self.keyFiles[0])
        if let key = try existingKey(file) { return key }
        let key: SigningKey
        do throws(SigningKey.Refusal) {
            key = try SigningKey.create()
        } catch {
            throw FirestoreError(.internal, "a signing key could not be made", at: file)
        }
        // Whole, or not there: of two processes that start at the same time one wins, and both use its key.
        let draft = file + ".\(getpid()).new"
        try Self.write([UInt8](key.pem.utf8), to: draft)
        defer { unlink(draft) }
        guard link(draft, file) == 0 else {
            if errno == EEXIST, let key = try existingKey(file) { return key }
            throw FirestoreError(.unavailable, "the signing key cannot be stored; check the disk", at: file)
        }
        return key
    }

    /// The key before the current one. To rotate keys, rename `signing-key.pem` to `previous-signing-key.pem` and start the server again:
    /// tokens of both are accepted. After an hour the previous one can be removed.
    package func previousSigningKeys() throws(FirestoreError) -> [SigningKey] {
        try existingKey(file(Self.keyFiles[1])).map { [$0] } ?? []
    }

    private func existingKey(_ file: String) throws(FirestoreError) -> SigningKey? { try SigningKeyFile.read(file) }

    /// Writes a new file that only its owner can read, and makes it durable.
    static func write(_ bytes: [UInt8], to file: String) throws(FirestoreError) {
        unlink(file)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw FirestoreError(.permissionDenied, "the file cannot be created; check the owner and mode of its folder", at: file)
        }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw FirestoreError(.resourceExhausted, "the file cannot be written; check the disk", at: file) }
            rest = rest.dropFirst(count)
        }
        guard fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0 else {
            throw FirestoreError(.unavailable, "the file cannot be made durable; check the disk", at: file)
        }
    }
}
