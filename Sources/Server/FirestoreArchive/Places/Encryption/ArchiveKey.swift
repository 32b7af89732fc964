// SPDX-License-Identifier: Apache-2.0
import Crypto
package import FirestoreCore
import Foundation
import HearthBase

/// The key of an encrypted archive. Without it the archive cannot be read.
package struct ArchiveKey: Sendable {
    package static let byteCount = 32
    private static let maximumFileBytes = 256

    /// Derived, so that one key is used for one purpose.
    let objects: SymmetricKey
    private let identities: SymmetricKey
    private let marks: SymmetricKey

    /// nil if the bytes are not 32.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        let key = SymmetricKey(data: bytes)
        func derived(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: Data("hearth archive 1 \(purpose)".utf8), outputByteCount: Self.byteCount)
        }
        objects = derived("objects")
        identities = derived("identities")
        marks = derived("marks")
    }

    /// Reads a file with the 32 bytes, or with one line of 64 hexadecimal digits or of base64.
    ///
    /// - Parameter environment: Names the folder of credentials that systemd gives to this service alone.
    package init(reading path: String, environment: [String: String] = [:]) throws(FirestoreError) {
        let file = PrivateFile(path, kind: "key file of the archive", maximumBytes: Self.maximumFileBytes)
        let content = try file.readIfPrivate(credentialsDirectory: environment["CREDENTIALS_DIRECTORY"])
        guard let bytes = Self.bytes(of: content), let key = ArchiveKey(bytes) else {
            throw FirestoreError(
                .failedPrecondition,
                "the key file of the archive must hold \(Self.byteCount) random bytes, or a line with them as hexadecimal digits or "
                    + "base64; `head -c 32 /dev/urandom` makes them", at: path)
        }
        guard Set(bytes).count >= 8 else {
            throw FirestoreError(.failedPrecondition, "the key file of the archive does not hold random bytes; make a new key", at: path)
        }
        self = key
    }

    private static func bytes(of content: [UInt8]) -> [UInt8]? {
        if content.count == byteCount { return content }
        let line = content.filter { !" \r\n\t".utf8.contains($0) }
        return line.count == 2 * byteCount ? hexadecimal(line) : Base64.decode(String(decoding: line, as: UTF8.self))
    }

    private static func hexadecimal(_ digits: [UInt8]) -> [UInt8]? {
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count == digits.count else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }

    /// Names the key in the mark of an archive, without revealing it: a code over a fixed text, under a key that is derived for this alone.
    var checkValue: String { HMAC<SHA256>.authenticationCode(for: Data("the key of this archive".utf8), using: marks).hexadecimal }

    /// Recognizes the key, without revealing it.
    var identity: [UInt8] { code(of: Data("key".utf8)) }

    /// Recognizes the name of an object, without revealing it.
    func identity(of name: String) -> [UInt8] { code(of: Data("name ".utf8) + Data(name.utf8)) }

    private func code(of text: Data) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: text, using: identities).prefix(SealedHeader.identityBytes))
    }
}
