// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The public keys of an issuer.
package struct VerificationKeySet: Sendable {
    /// Issuers have two or three keys; the bound is for unusual answers.
    package static let maximumKeys = 100
    package static let maximumBytes = 1 << 20

    package let keys: [VerificationKey]

    package init(_ keys: [VerificationKey]) { self.keys = keys }

    /// Reads a JSON web key set, `{"keys": […]}`. Keys that cannot verify tokens are skipped, and at least one must remain.
    package init(document: some Collection<UInt8>) throws(VerificationKey.Refusal) {
        guard document.count <= Self.maximumBytes else {
            throw VerificationKey.Refusal(message: "the key set has more than \(Self.maximumBytes) bytes")
        }
        guard let json = try? JSON(document), case .array(let elements)? = json["keys"] else {
            throw VerificationKey.Refusal(message: "the document is not a JSON web key set: an array \"keys\" is expected")
        }
        guard elements.count <= Self.maximumKeys else {
            throw VerificationKey.Refusal(message: "the key set has more than \(Self.maximumKeys) keys")
        }
        var keys: [VerificationKey] = []
        for element in elements {
            if let key = try VerificationKey(element) { keys.append(key) }
        }
        guard !keys.isEmpty else {
            let names = SigningAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw VerificationKey.Refusal(message: "the key set has no key for signatures with \(names)")
        }
        self.keys = keys
    }

    /// Reads a file with keys that an operator configures: a JSON web key set, or public keys in PEM form one after the other.
    package init(file: some Collection<UInt8>) throws(VerificationKey.Refusal) {
        guard file.count <= Self.maximumBytes else {
            throw VerificationKey.Refusal(message: "the file has more than \(Self.maximumBytes) bytes")
        }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        if file.first(where: { !isBlank($0) }) == UInt8(ascii: "{") {
            try self.init(document: file)
            return
        }
        var keys: [VerificationKey] = []
        var block = ""
        for line in String(decoding: file, as: UTF8.self).split(whereSeparator: \.isNewline) {
            if line.hasPrefix("-----BEGIN ") { block = "" }
            block += line + "\n"
            guard line.hasPrefix("-----END ") else { continue }
            guard keys.count < Self.maximumKeys else {
                throw VerificationKey.Refusal(message: "the file has more than \(Self.maximumKeys) keys")
            }
            keys.append(try VerificationKey(pem: block))
        }
        guard !keys.isEmpty else {
            throw VerificationKey.Refusal(
                message: "the file has no keys; give a JSON web key set, or public keys in PEM form (BEGIN PUBLIC KEY)")
        }
        self.init(keys)
    }

    /// The keys that may have signed a token: of its algorithm, with its key id. Where either side does not name a key,
    /// every key is a candidate.
    func candidates(keyID: String?, _ algorithm: SigningAlgorithm) -> [VerificationKey] {
        keys.filter { key in
            guard key.algorithm == algorithm else { return false }
            guard let keyID, let id = key.id else { return true }
            return equalUTF8(id, keyID)
        }
    }

    /// Whether a token can be verified without looking for newer keys.
    func knows(keyID: String?) -> Bool {
        guard let keyID else { return true }
        return keys.contains { $0.id.map { equalUTF8($0, keyID) } ?? true }
    }
}
