// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import FirestoreCore
import Foundation
import HearthBase

/// A password hash that another system has made: verified as it is, and replaced by Hearth's at the next sign-in.
///
/// As text it is complete, so that an account needs nothing else: `firebase$ROUNDS$MEMORY$SALT$SEPARATOR$SIGNER$HASH`,
/// `pbkdf2$FUNCTION$ROUNDS$SALT$HASH`, or bcrypt's own form. Costs have bounds, because a file of accounts must not make sign-ins take
/// minutes.
enum ImportedHash {
    /// Firebase's modified scrypt: the key of the project, encrypted with what scrypt derives from the password.
    case firebase(Firebase)
    case pbkdf2(PBKDF2)
    case bcrypt(Bcrypt)

    struct Firebase {
        /// The bounds of Firebase itself.
        static let rounds = 1...8
        static let memoryCosts = 1...14

        let rounds: Int
        let memoryCost: Int
        let salt: [UInt8]
        let separator: [UInt8]
        let signerKey: [UInt8]
        let hash: [UInt8]

        var isReasonable: Bool {
            Self.rounds.contains(rounds) && Self.memoryCosts.contains(memoryCost) && salt.count <= 256 && separator.count <= 256
                && (1...256).contains(signerKey.count) && hash.count == signerKey.count
        }

        var text: String {
            "firebase$\(rounds)$\(memoryCost)$" + [salt, separator, signerKey, hash].map(Base64.encodeForURL).joined(separator: "$")
        }

        func matches(_ password: String) -> Bool {
            let cost = PasswordHash.Cost(logRounds: memoryCost, blockSize: rounds, parallelism: 1)
            guard let key = PasswordHash.derive(password, salt + separator, cost, count: 32),
                let nonce = try? AES._CTR.Nonce(nonceBytes: [UInt8](repeating: 0, count: 16)),
                let encrypted = try? AES._CTR.encrypt(signerKey, using: SymmetricKey(data: key), nonce: nonce)
            else { return false }
            return Secrets.areEqual([UInt8](encrypted), hash)
        }
    }

    struct PBKDF2 {
        /// Rounds for each block of the hash: a second at most.
        static let mostRounds = 2_000_000
        static let functions: [String: (function: KDF.Insecure.PBKDF2.HashFunction, bytes: Int)] = [
            "sha1": (.insecureSHA1, 20), "sha256": (.sha256, 32), "sha512": (.sha512, 64),
        ]

        let function: String
        let rounds: Int
        let salt: [UInt8]
        let hash: [UInt8]

        var isReasonable: Bool {
            guard let bytes = Self.functions[function]?.bytes, (16...128).contains(hash.count), salt.count <= 256, rounds > 0 else {
                return false
            }
            return rounds <= Self.mostRounds / ((hash.count + bytes - 1) / bytes)
        }

        var text: String { "pbkdf2$\(function)$\(rounds)$\(Base64.encodeForURL(salt))$\(Base64.encodeForURL(hash))" }

        func matches(_ password: String) -> Bool {
            guard let function = Self.functions[function]?.function, !password.isEmpty,
                let key = try? KDF.Insecure.PBKDF2.deriveKey(
                    from: Data(password.utf8), salt: salt, using: function, outputByteCount: hash.count, unsafeUncheckedRounds: rounds)
            else { return false }
            return Secrets.areEqual(key.withUnsafeBytes { [UInt8]($0) }, hash)
        }
    }

    /// Returns nil if the text is not such a hash, or if verifying it would cost too much.
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.count) {
        case ("firebase", 7):
            let bytes = parts[3...].compactMap { Base64.decode($0) }
            guard let rounds = Int(parts[1]), let memoryCost = Int(parts[2]), bytes.count == 4 else { return nil }
            let known = Firebase(
                rounds: rounds, memoryCost: memoryCost, salt: bytes[0], separator: bytes[1], signerKey: bytes[2], hash: bytes[3])
            guard known.isReasonable else { return nil }
            self = .firebase(known)
        case ("pbkdf2", 5):
            guard let rounds = Int(parts[2]), let salt = Base64.decode(parts[3]), let hash = Base64.decode(parts[4]) else { return nil }
            let known = PBKDF2(function: parts[1], rounds: rounds, salt: salt, hash: hash)
            guard known.isReasonable else { return nil }
            self = .pbkdf2(known)
        case ("", 4):
            guard let known = Bcrypt(text) else { return nil }
            self = .bcrypt(known)
        default: return nil
        }
    }

    func matches(_ password: String) -> Bool {
        switch self {
        case .firebase(let hash): hash.matches(password)
        case .pbkdf2(let hash): hash.matches(password)
        case .bcrypt(let hash): hash.matches(password)
        }
    }
}
