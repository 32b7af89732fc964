// SPDX-License-Identifier: Apache-2.0
import CryptoExtras
import FirestoreCore
import Foundation
import HearthBase

/// The scrypt hash of a password with its salt and cost, as text: `scrypt$14$8$5$SALT$KEY`.
package enum PasswordHash {
    /// The cost of a hash. A stored hash retains the cost it was made with.
    package struct Cost: Sendable, Hashable {
        /// The binary logarithm of scrypt's N.
        package let logRounds: Int
        package let blockSize: Int
        package let parallelism: Int

        package init(logRounds: Int, blockSize: Int, parallelism: Int) {
            self.logRounds = logRounds
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        /// 16 MB and about a fifth of a second: one of the settings that OWASP's cheat sheet on password storage lists as equal.
        package static let standard = Cost(logRounds: 14, blockSize: 8, parallelism: 5)

        /// A stored cost, which may be an import's, must not make a sign-in use more than 128 MB, or three times the processor time of the
        /// standard.
        var isReasonable: Bool {
            (1...20).contains(logRounds) && (1...64).contains(blockSize) && (1...64).contains(parallelism)
                && blockSize << logRounds <= 1 << 20 && (blockSize * parallelism) << logRounds <= 3 * (8 * 5 << 14)
        }
    }

    static let saltBytes = 16
    private static let keyBytes = 32
    /// The salt that is hashed for accounts without a password, so that they take as long as others. An imported hash takes its own time
    /// until the first sign-in replaces it.
    private static let placeholderSalt = [UInt8](repeating: 0x5A, count: saltBytes)

    static func make(_ password: String, salt: [UInt8], cost: Cost) -> String? {
        derive(password, salt, cost, count: keyBytes).map { text(cost, salt: salt, key: $0) }
    }

    static func text(_ cost: Cost, salt: [UInt8], key: [UInt8]) -> String {
        "scrypt$\(cost.logRounds)$\(cost.blockSize)$\(cost.parallelism)$\(Base64.encodeForURL(salt))$\(Base64.encodeForURL(key))"
    }

    /// Whether the password is the one that was hashed. Without a hash it costs the same, and the answer is false.
    static func matches(_ password: String, _ hash: String?, cost: Cost) -> Bool {
        if let hash, let imported = ImportedHash(hash) { return imported.matches(password) }
        guard let hash, let stored = parse(hash) else {
            _ = derive(password, placeholderSalt, cost, count: keyBytes)
            return false
        }
        guard let key = derive(password, stored.salt, stored.cost, count: stored.key.count) else { return false }
        return Secrets.areEqual(key, stored.key)
    }

    /// Whether passwords can be compared with the text: a hash of Hearth, or one that can be imported.
    static func isHash(_ text: String) -> Bool { parse(text) != nil || ImportedHash(text) != nil }

    /// Whether the hash is what `make` makes at this cost; others are replaced at the next sign-in.
    static func isCurrent(_ text: String, cost: Cost) -> Bool {
        parse(text).map { $0.cost == cost && $0.key.count == keyBytes } ?? false
    }

    private static func parse(_ text: String) -> (cost: Cost, salt: [UInt8], key: [UInt8])? {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let size = Int(parts[2]), let parallelism = Int(parts[3]),
            let salt = Base64.decode(String(parts[4])), let key = Base64.decode(String(parts[5])), (1...256).contains(salt.count),
            (16...64).contains(key.count)
        else { return nil }
        let cost = Cost(logRounds: rounds, blockSize: size, parallelism: parallelism)
        return cost.isReasonable ? (cost, salt, key) : nil
    }

    static func derive(_ password: String, _ salt: [UInt8], _ cost: Cost, count: Int) -> [UInt8]? {
        // The library requires at least a byte.
        let bytes = password.isEmpty ? [0] : [UInt8](password.utf8)
        let key = try? KDF.Scrypt.deriveKey(
            from: bytes, salt: salt, outputByteCount: count, rounds: 1 << cost.logRounds, blockSize: cost.blockSize,
            parallelism: cost.parallelism)
        return key?.withUnsafeBytes { [UInt8]($0) }
    }
}

enum Secrets {
    /// Compares in a time that depends on the lengths alone.
    static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
