// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTokens
import HearthBase

/// Keys and tokens of issuers that exist in tests only.
enum TestIssuer {
    static let project = "demo-tokens"
    /// Made anew in each run: no key is in the repository.
    static let first = Result { try SigningKey.create() }
    static let second = Result { try SigningKey.create() }

    /// The claims of a Firebase ID token at a time in seconds, with changes; nil removes a claim.
    static func claims(at now: Int64, _ changes: [(name: String, value: JSON?)] = []) -> [(name: String, value: JSON)] {
        var claims: [(name: String, value: JSON)] = [
            ("iss", .string("https://securetoken.google.com/" + project)), ("aud", .string(project)), ("sub", .string("alice")),
            ("iat", .number(now - 10)), ("auth_time", .number(now - 20)), ("exp", .number(now + 3_590)), ("role", .string("editor")),
        ]
        for change in changes {
            claims.removeAll { equalUTF8($0.name, change.name) }
            if let value = change.value { claims.append((change.name, value)) }
        }
        return claims
    }

    static func token(header: String, _ claims: [(name: String, value: JSON)], signature: [UInt8] = []) -> String {
        [[UInt8](header.utf8), JSON.object(claims).bytes(), signature].map(Base64.encodeForURL).joined(separator: ".")
    }
}
