// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import HearthBase

/// How the passwords of an import are hashed, with the names that `accounts:batchCreate` has for it: `hashAlgorithm` and its parameters.
package struct HashImport: Sendable {
    private enum Algorithm: String, CaseIterable {
        case firebase = "SCRYPT"
        case scrypt = "STANDARD_SCRYPT"
        case bcrypt = "BCRYPT"
        case pbkdf2SHA1 = "PBKDF_SHA1"
        case pbkdf2SHA256 = "PBKDF2_SHA256"
    }

    private let algorithm: Algorithm
    private let signerKey: [UInt8]
    private let separator: [UInt8]
    private let rounds: Int
    private let memoryCost: Int
    private let blockSize: Int
    private let parallelism: Int

    /// Returns nil if the body of a request does not say how passwords are hashed.
    package init?(_ body: JSON) throws(AccountError) {
        switch body["hashAlgorithm"] {
        case nil, .null?, .string("")?: return nil
        default: break
        }
        guard case .string(let text)? = body["hashAlgorithm"], let algorithm = Algorithm(rawValue: text.uppercased()) else {
            let known = Algorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw AccountError("INVALID_HASH_ALGORITHM", "passwords can be imported with the hash algorithms \(known)")
        }
        func number(_ names: String..., otherwise: Int = 0) throws(AccountError) -> Int {
            switch names.lazy.compactMap({ body[$0] }).first {
            case nil, .null?: return otherwise
            case .number(let text)?, .string(let text)?: if let number = Int(text) { return number }
            default: break
            }
            throw AccountError("INVALID_HASH_PARAMETER", "\(names[0]) is not a whole number")
        }
        func bytes(_ name: String) throws(AccountError) -> [UInt8] {
            switch body[name] {
            case nil, .null?: return []
            case .string(let text)?: if let bytes = Base64.decode(text) { return bytes }
            default: break
            }
            throw AccountError("INVALID_HASH_PARAMETER", "\(name) is not in Base64")
        }
        self.algorithm = algorithm
        signerKey = try bytes("signerKey")
        separator = try bytes("saltSeparator")
        rounds = try number("rounds")
        memoryCost = try number("cpuMemCost", "memoryCost")
        blockSize = try number("blockSize", otherwise: 8)
        parallelism = try number("parallelization", otherwise: 1)
        if algorithm == .firebase {
            guard !signerKey.isEmpty else {
                throw AccountError("INVALID_HASH_PARAMETER", "signerKey, the key of the project's hashes, is missing")
            }
            guard ImportedHash.Firebase.rounds.contains(rounds), ImportedHash.Firebase.memoryCosts.contains(memoryCost) else {
                throw AccountError("INVALID_HASH_PARAMETER", "rounds must lie between 1 and 8, and memoryCost between 1 and 14")
            }
        }
        if algorithm == .scrypt, memoryCost < 2 || memoryCost & (memoryCost - 1) != 0 {
            throw AccountError("INVALID_HASH_PARAMETER", "the memory cost of scrypt is a power of two, such as 16384")
        }
    }

    /// The text that an account stores.
    func text(hash: [UInt8], salt: [UInt8]) throws(AccountError) -> String {
        let text =
            switch algorithm {
            case .firebase:
                ImportedHash.Firebase(
                    rounds: rounds, memoryCost: memoryCost, salt: salt, separator: separator, signerKey: signerKey, hash: hash
                ).text
            case .scrypt:
                PasswordHash.text(
                    .init(logRounds: memoryCost.trailingZeroBitCount, blockSize: blockSize, parallelism: parallelism), salt: salt, key: hash
                )
            case .bcrypt: String(decoding: hash, as: UTF8.self)
            case .pbkdf2SHA1: ImportedHash.PBKDF2(function: "sha1", rounds: rounds, salt: salt, hash: hash).text
            case .pbkdf2SHA256: ImportedHash.PBKDF2(function: "sha256", rounds: rounds, salt: salt, hash: hash).text
            }
        guard PasswordHash.isHash(text) else {
            throw AccountError(
                "INVALID_PASSWORD_HASH", "the hash is malformed, or its cost is beyond what sign-ins may cost (\(algorithm.rawValue))")
        }
        return text
    }
}
