// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
package import FirestoreCore
import Foundation
import HearthBase

/// A public key. Its type alone decides the algorithm.
package struct VerificationKey: Sendable {
    private enum Material: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
    }

    /// The name by which tokens refer to the key. A key without one is tried for every token.
    package let id: String?
    private let material: Material

    /// Why a key was rejected.
    package struct Refusal: Error {
        package let message: String
    }

    package var algorithm: SigningAlgorithm {
        switch material {
        case .rsa: .rs256
        case .p256: .es256
        case .ed25519: .edDSA
        }
    }

    /// Reads a JSON web key (RFC 7517). Returns nil for keys with another purpose or of another algorithm, which key sets may contain.
    package init?(_ jwk: JSON) throws(Refusal) {
        func text(_ name: String) throws(Refusal) -> String? {
            guard let value = jwk[name] else { return nil }
            guard case .string(let text) = value else { throw Refusal(message: "\"\(name)\" of a key is not a string") }
            return text
        }
        func bytes(_ name: String) throws(Refusal) -> [UInt8] {
            guard let encoded = try text(name), encoded.utf8.count <= 4_096, let bytes = Base64.decode(encoded), !bytes.isEmpty else {
                throw Refusal(message: "\"\(name)\" of a key is missing or is not base64url")
            }
            return bytes
        }
        if let use = try text("use"), use != "sig" { return nil }
        let algorithm = try text("alg")
        id = try text("kid")
        switch (try text("kty"), try text("crv")) {
        case ("RSA", _):
            guard algorithm ?? "RS256" == "RS256" else { return nil }
            material = .rsa(try Self.rsa(modulus: try bytes("n"), exponent: try bytes("e")))
        case ("EC", "P-256"):
            guard algorithm ?? "ES256" == "ES256" else { return nil }
            let (x, y) = (try bytes("x"), try bytes("y"))
            guard x.count == 32, y.count == 32, let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y) else {
                throw Refusal(message: "a key is not a point of the curve P-256")
            }
            material = .p256(key)
        case ("OKP", "Ed25519"):
            guard algorithm ?? "EdDSA" == "EdDSA" || algorithm == "Ed25519" else { return nil }
            let x = try bytes("x")
            guard x.count == 32, let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x) else {
                throw Refusal(message: "a key is not an Ed25519 key")
            }
            material = .ed25519(key)
        default: return nil
        }
    }

    /// Reads a public key in PEM form, `BEGIN PUBLIC KEY` or `BEGIN RSA PUBLIC KEY`. Certificates are not read.
    package init(pem: String, id: String? = nil) throws(Refusal) {
        self.id = id
        if let key = try? _RSA.Signing.PublicKey(pemRepresentation: pem) {
            guard key.keySizeInBits <= Self.rsaBits.upperBound else { throw Self.rsaSize }
            material = .rsa(key)
        } else if let key = try? P256.Signing.PublicKey(pemRepresentation: pem) {
            material = .p256(key)
        } else {
            throw Refusal(
                message: "the text is not a public key in PEM form, RSA of at least \(Self.rsaBits.lowerBound) bits or P-256; "
                    + "`openssl pkey -in KEY -pubout` writes one from a private key")
        }
    }

    init(_ key: _RSA.Signing.PublicKey, id: String) {
        self.id = id
        material = .rsa(key)
    }

    /// Larger keys would make a verification expensive.
    private static let rsaBits = 2_048...8_192
    private static let rsaSize = Refusal(message: "RSA keys must have \(rsaBits.lowerBound) to \(rsaBits.upperBound) bits")

    private static func rsa(modulus: [UInt8], exponent: [UInt8]) throws(Refusal) -> _RSA.Signing.PublicKey {
        let modulus = [UInt8](modulus.drop { $0 == 0 })
        let exponent = [UInt8](exponent.drop { $0 == 0 })
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        guard rsaBits.contains(bits) else { throw rsaSize }
        guard let last = exponent.last, last & 1 == 1, (1...4).contains(exponent.count), exponent != [1],
            let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
        else { throw Refusal(message: "\"n\" and \"e\" are not an RSA key") }
        return key
    }

    func isValid(_ signature: [UInt8], for bytes: [UInt8]) -> Bool {
        switch material {
        case .rsa(let key):
            guard signature.count == (key.keySizeInBits + 7) / 8 else { return false }
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: Data(signature)), for: Data(bytes), padding: .insecurePKCS1v1_5)
        case .p256(let key):
            guard signature.count == 64, let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
                return false
            }
            return key.isValidSignature(signature, for: Data(bytes))
        case .ed25519(let key): return signature.count == 64 && key.isValidSignature(Data(signature), for: Data(bytes))
        }
    }
}
