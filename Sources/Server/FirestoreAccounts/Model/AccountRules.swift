// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The rules for e-mail addresses, passwords, user ids and custom claims.
package enum AccountRules {
    static let minimumPassword = 6
    /// A longer one would only make hashing slower.
    static let maximumPasswordBytes = 4_096
    static let maximumAttributes = 1_000
    /// Claims that tokens set themselves (AU-8).
    static let reservedClaims: Set<String> = [
        "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf", "auth_time", "firebase", "at_hash", "c_hash",
    ]

    /// The address in lower case (AU-24).
    static func email(_ text: String) throws(AccountError) -> String {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && !$0.properties.isWhitespace }
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), isPlain, text.utf8.count <= 256 else {
            throw AccountError("INVALID_EMAIL")
        }
        return text.lowercased()
    }

    static func check(password: String) throws(AccountError) {
        guard password.count >= minimumPassword else {
            throw AccountError("WEAK_PASSWORD", "Password should be at least \(minimumPassword) characters")
        }
        guard password.utf8.count <= maximumPasswordBytes else {
            throw AccountError(
                "PASSWORD_DOES_NOT_MEET_REQUIREMENTS", "Missing password requirements: [Password may contain at most 4096 bytes]")
        }
    }

    static func check(userID: String) throws(AccountError) {
        guard !userID.isEmpty, userID.unicodeScalars.count <= 128 else {
            throw AccountError("INVALID_LOCAL_ID", "A user id has 1 to 128 characters")
        }
    }

    /// Whether a text, such as a code or the key of an app, can stand in links and pages as it is.
    package static func isPlainKey(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                let lower = byte | 0x20
                return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower) && byte >= 0x40
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }

    static func check(text: String, _ name: String, maximumBytes: Int = 4_096) throws(AccountError) -> String {
        guard text.utf8.count <= maximumBytes else { throw AccountError("INVALID_ARGUMENT", "\(name) is too long") }
        return text
    }

    /// Custom attributes as an administrator sets them: a JSON object as text.
    static func check(attributes text: String) throws(AccountError) {
        guard text.count <= maximumAttributes else { throw AccountError("CLAIMS_TOO_LARGE") }
        guard let json = try? JSON(text.utf8), case .object = json else { throw AccountError("INVALID_CLAIMS") }
        try check(claims: json)
    }

    static func check(claims json: JSON) throws(AccountError) {
        guard case .object(let members) = json else { throw AccountError("INVALID_CLAIMS") }
        for member in members where reservedClaims.contains(member.name) { throw AccountError("FORBIDDEN_CLAIM", member.name) }
    }
}
