// SPDX-License-Identifier: Apache-2.0
import Crypto
package import FirestoreCore
import Foundation

/// An encrypted object: a `SealedHeader`, the nonce, the encrypted bytes, and the authentication tag. AES-256-GCM with a random nonce,
/// over the header and the object's name.
package enum SealedObject {
    private static let nonceBytes = 12
    private static let tagBytes = 16
    /// How many bytes an encrypted object has more than its content.
    static let overhead = SealedHeader.byteCount + nonceBytes + tagBytes

    /// - Parameter place: The place of the archive, for messages.
    static func seal(
        _ bytes: [UInt8], _ name: String, _ key: ArchiveKey, at place: String
    ) throws(FirestoreError) -> [UInt8] {
        let header = SealedHeader(key, name).bytes
        do {
            let box = try AES.GCM.seal(bytes, using: key.objects, authenticating: authenticated(header, name))
            return header + Array(box.nonce) + box.ciphertext + box.tag
        } catch {
            throw FirestoreError(.internal, "the object cannot be encrypted", at: "\(place): \(name)", cause: error)
        }
    }

    /// Returns the content of an object, or says why it cannot be one of this name and this key.
    package static func open(
        _ object: [UInt8], _ name: String, _ key: ArchiveKey, at place: String
    ) throws(FirestoreError) -> [UInt8] {
        do {
            let header = try SealedHeader(reading: object)
            try header.check(SealedHeader(key, name))
            guard object.count >= overhead else { throw SealedHeader.Problem.damaged }
            let body = object[SealedHeader.byteCount...]
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: body.prefix(nonceBytes)), ciphertext: body.dropFirst(nonceBytes).dropLast(tagBytes),
                tag: body.suffix(tagBytes))
            return [UInt8](try AES.GCM.open(box, using: key.objects, authenticating: authenticated(header.bytes, name)))
        } catch {
            throw (error as? SealedHeader.Problem ?? .damaged).error(at: "\(place): \(name)")
        }
    }

    private static func authenticated(_ header: [UInt8], _ name: String) -> Data { Data(header) + Data(name.utf8) }
}

extension SealedHeader.Problem {
    func error(at location: String) -> FirestoreError {
        let (code, message): (FirestoreError.Code, String) =
            switch self {
            case .damaged: (.dataLoss, "the encrypted object is damaged; restore a copy of it")
            case .otherName: (.dataLoss, "the object was stored under another name; give it its name back, or restore a copy of it")
            case .otherKey:
                (.failedPrecondition, "the object was encrypted with another key; use the key that the archive was written with")
            case .notEncrypted:
                (
                    .failedPrecondition,
                    "the object is not encrypted, or its beginning is damaged; read an archive without encryption without a key"
                )
            case .encrypted: (.failedPrecondition, "the object is encrypted; give the key that it was written with")
            case .newerFormat(let format):
                (.failedPrecondition, "the object has the format \(format) of a newer version; use that version")
            }
        return FirestoreError(code, message, at: location, cause: self)
    }
}

extension FirestoreError {
    /// Whether an object is under another key than the archive, or in plain text where the archive is not.
    var isOfOtherKey: Bool {
        switch cause as? SealedHeader.Problem {
        case .otherKey, .notEncrypted, .encrypted: true
        case .damaged, .newerFormat, .otherName, nil: false
        }
    }

    /// Throws if an object that is read without a key needs one.
    static func checkIsPlain(_ bytes: some Collection<UInt8>, name: String) throws(FirestoreError) {
        if bytes.starts(with: SealedHeader.magic) { throw SealedHeader.Problem.encrypted.error(at: name) }
    }
}
