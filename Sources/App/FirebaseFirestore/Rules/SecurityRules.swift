// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Security rules for an embedded database: the text of a `firestore.rules` file.
///
/// ```swift
/// let settings = FirestoreSettings()
/// settings.storage = .memory
/// settings.rules = .file(URL(fileURLWithPath: "firestore.rules"))
/// settings.user = SecurityRules.User(uid: "alice", claims: ["role": "editor"])
/// db.settings = settings
/// ```
/// The language and its limits are those of Cloud Firestore. A denied operation fails with `permissionDenied`, and its message
/// says which condition was false, where, and for which values.
///
/// Beyond the Apple SDK.
public enum SecurityRules: Hashable, Sendable {
    /// A file, read when the database is opened.
    case file(URL)
    /// The text itself.
    case source(String)
}

extension SecurityRules {
    /// The user for whom rules decide: `request.auth`.
    ///
    /// Beyond the Apple SDK.
    public struct User: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case signedIn(uid: String, claims: [String: Claim])
            case signedOut
            case administrator
        }

        let kind: Kind

        /// A signed-in user.
        ///
        /// - Parameters:
        ///   - uid: The user's id, `request.auth.uid`.
        ///   - claims: Claims of the user's token, `request.auth.token`. They add to or replace those that a token of
        ///     Firebase Authentication has: `sub`, `user_id`, `aud`, `iss`, `iat`, `exp`, `auth_time` and `firebase`.
        public init(uid: String, claims: [String: Claim] = [:]) { kind = .signedIn(uid: uid, claims: claims) }

        private init(_ kind: Kind) { self.kind = kind }

        /// A client that is not signed in: `request.auth` is null.
        public static let signedOut = User(.signedOut)
        /// An administrator, to whom rules do not apply.
        public static let administrator = User(.administrator)
    }

    /// A claim of a user's token: what JSON can express.
    ///
    /// Literals are claims: `["role": "editor", "level": 3, "teams": ["red", "blue"]]`.
    ///
    /// Beyond the Apple SDK.
    public enum Claim: Hashable, Sendable {
        /// Null.
        case null
        /// True or false.
        case boolean(Bool)
        /// A whole number.
        case integer(Int64)
        /// A number. Rules see one without a fraction as an integer.
        case double(Double)
        /// Text.
        case string(String)
        /// A list.
        case array([Claim])
        /// A map.
        case map([String: Claim])
    }
}

extension SecurityRules.Claim: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Null.
    public init(nilLiteral: ()) { self = .null }
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A list.
    public init(arrayLiteral elements: SecurityRules.Claim...) { self = .array(elements) }
    /// A map. Of entries with the same key the last one is used.
    public init(dictionaryLiteral elements: (String, SecurityRules.Claim)...) {
        self = .map(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}
