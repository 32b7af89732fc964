// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreTokens
import Foundation

/// A file with a key that tokens are signed with.
package enum SigningKeyFile {
    /// Reads the key. Returns nil if the file does not exist; a file that other users can read is rejected.
    package static func read(_ file: String) throws(FirestoreError) -> SigningKey? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw FirestoreError(.permissionDenied, "the signing key cannot be read; check the owner and mode of the file", at: file)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0 else {
            throw FirestoreError(
                .permissionDenied, "the signing key is open to other users of this machine; remove it, and all tokens become invalid",
                at: file)
        }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        do throws(SigningKey.Refusal) {
            return try SigningKey(pem: String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
        } catch {
            throw FirestoreError(
                .failedPrecondition,
                "the file is not an RSA key of at least 2048 bits in PEM form; restore it from a backup, or remove it "
                    + "and all tokens become invalid", at: file)
        }
    }
}
