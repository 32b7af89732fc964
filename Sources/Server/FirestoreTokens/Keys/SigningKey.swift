// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
package import FirestoreCore
import Foundation
import HearthBase

/// An RSA key that signs Hearth's tokens with RS256.
package struct SigningKey: Sendable {
    private let key: _RSA.Signing.PrivateKey
    /// The thumbprint of the public key (RFC 7638).
    package let id: String
    private let modulus: [UInt8]
    private let exponent: [UInt8]

    package enum Refusal: Error {
        /// The text is not an RSA key of at least 2048 bits. The library's message is left out, because it might quote the key.
        case notAKey
        case notCreated
    }

    /// Makes a new key of 2048 bits, from the system's randomness. Takes a tenth of a second to several seconds.
    package static func create() throws(Refusal) -> SigningKey {
        guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048) else { throw .notCreated }
        return try SigningKey(key)
    }

    package init(pem: String) throws(Refusal) {
        guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem) else { throw .notAKey }
        try self.init(key)
    }

    private init(_ key: _RSA.Signing.PrivateKey) throws(Refusal) {
        guard let numbers = try? key.publicKey.getKeyPrimitives() else { throw .notAKey }
        self.key = key
        modulus = [UInt8](numbers.modulus)
        exponent = [UInt8](numbers.publicExponent)
        let canonical = #"{"e":"\#(Base64.encodeForURL(exponent))","kty":"RSA","n":"\#(Base64.encodeForURL(modulus))"}"#
        id = Base64.encodeForURL([UInt8](SHA256.hash(data: Data(canonical.utf8))))
    }

    /// The private key, for a file that only its owner can read.
    package var pem: String { key.pkcs8PEMRepresentation }

    package var publicPEM: String { key.publicKey.pemRepresentation }

    package var publicKey: VerificationKey { VerificationKey(key.publicKey, id: id) }

    /// The public key as a JSON web key.
    package var jwk: JSON {
        .object([
            ("kty", .string("RSA")), ("use", .string("sig")), ("alg", .string(SigningAlgorithm.rs256.rawValue)), ("kid", .string(id)),
            ("n", .string(Base64.encodeForURL(modulus))), ("e", .string(Base64.encodeForURL(exponent))),
        ])
    }

    /// The key set that is published under `/.well-known/jwks.json`.
    package static func document(of keys: [SigningKey]) -> JSON { .object([("keys", .array(keys.map(\.jwk)))]) }

    /// A token with the claims, in compact form.
    package func sign(_ claims: [(name: String, value: JSON)]) throws(TokenError) -> String {
        let header = JSON.object([
            ("alg", .string(SigningAlgorithm.rs256.rawValue)), ("kid", .string(id)), ("typ", .string("JWT")),
        ])
        let text = Base64.encodeForURL(header.bytes()) + "." + Base64.encodeForURL(JSON.object(claims).bytes())
        guard let signature = try? key.signature(for: Data(text.utf8), padding: .insecurePKCS1v1_5) else {
            throw TokenError(.signature, "the token could not be signed; check the signing key of this server")
        }
        return text + "." + Base64.encodeForURL([UInt8](signature.rawRepresentation))
    }
}

/// Tokens without a signature, which only development mode writes and accepts.
package enum UnsignedToken {
    package static func make(_ claims: [(name: String, value: JSON)]) -> String {
        let header = JSON.object([("alg", .string("none")), ("typ", .string("JWT"))])
        return Base64.encodeForURL(header.bytes()) + "." + Base64.encodeForURL(JSON.object(claims).bytes()) + "."
    }
}
