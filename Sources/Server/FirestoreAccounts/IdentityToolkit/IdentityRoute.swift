// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// The resource that a path of Identity Toolkit names, and its project.
struct IdentityRoute: Hashable {
    enum Target: Hashable {
        /// `accounts:signUp`; `accounts` alone creates an account, as an administrator.
        case accounts(String)
        case token
        /// The properties of the project that clients may read before they sign in.
        case configuration
        case emulatorAccounts, emulatorConfig, emulatorCodes, emulatorVerificationCodes, emulatorAction
        case keys
        /// The keys under the names that libraries use for the keys of session cookies: as a set, and as PEM.
        case cookieKeys, keysInPEM
        /// `projects/P:createSessionCookie`
        case sessionCookie
        case ready
    }

    let target: Target
    /// nil for the default project.
    let project: String?

    /// The methods of the protocol before version 1, which the Apple SDK uses (AU-20).
    private static let legacyNames = [
        "signupNewUser": "signUp", "verifyPassword": "signInWithPassword", "verifyCustomToken": "signInWithCustomToken",
        "verifyAssertion": "signInWithIdp", "getAccountInfo": "lookup", "setAccountInfo": "update", "deleteAccount": "delete",
        "createAuthUri": "createAuthUri", "getOobConfirmationCode": "sendOobCode", "resetPassword": "resetPassword",
        "emailLinkSignin": "signInWithEmailLink", "sendVerificationCode": "sendVerificationCode",
        "verifyPhoneNumber": "signInWithPhoneNumber",
    ]
    private static let cookieMethod = ":createSessionCookie"
    private static let hosts: Set<Substring> = ["identitytoolkit.googleapis.com", "securetoken.googleapis.com", "www.googleapis.com"]

    /// The segments of a path, without the host that stands first in paths of libraries.
    static func segments(of path: String) -> [Substring] {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        return parts.first.map(hosts.contains) == true ? Array(parts.dropFirst()) : parts
    }

    /// Returns nil if nothing lives at the path.
    init?(_ path: String) {
        let parts = Self.segments(of: path)
        let words = parts.map(String.init)
        switch words.count {
        case 0: (target, project) = (.ready, nil)
        case 2 where words == [".well-known", "jwks.json"]: (target, project) = (.keys, nil)
        case 2 where words == ["v1", "token"]: (target, project) = (.token, nil)
        case 2 where words == ["v1", "sessionCookiePublicKeys"]: (target, project) = (.cookieKeys, nil)
        case 2 where words == ["emulator", "action"]: (target, project) = (.emulatorAction, nil)
        case 2 where words[0] == "v1":
            if words[1] == "projects" {
                (target, project) = (.configuration, nil)
            } else {
                guard let method = Self.method(words[1]), !method.isEmpty else { return nil }
                (target, project) = (.accounts(method), nil)
            }
        case 4 where words[..<3] == ["identitytoolkit", "v3", "relyingparty"]:
            if words[3] == "getProjectConfig" {
                (target, project) = (.configuration, nil)
            } else if words[3] == "publicKeys" {
                (target, project) = (.keysInPEM, nil)
            } else {
                guard let method = Self.legacyNames[words[3]] else { return nil }
                (target, project) = (.accounts(method), nil)
            }
        case 3 where words[..<2] == ["v1", "projects"] && words[2].hasSuffix(Self.cookieMethod):
            guard let name = PercentEncoding.decode(parts[2].dropLast(Self.cookieMethod.count)) else { return nil }
            (target, project) = (.sessionCookie, name)
        case 4 where words[..<2] == ["v1", "projects"]:
            guard let method = Self.method(words[3]), let name = PercentEncoding.decode(parts[2]) else { return nil }
            (target, project) = (.accounts(method), name)
        case 5 where words[..<2] == ["v1", "projects"] && words[3] == "tenants" && path.contains("/tenants//"):
            // The official tools write accounts without a tenant under an empty one (section 19.1).
            guard let method = Self.method(words[4]), let name = PercentEncoding.decode(parts[2]) else { return nil }
            (target, project) = (.accounts(method), name)
        case 5 where words[..<3] == ["emulator", "v1", "projects"]:
            guard let name = PercentEncoding.decode(parts[3]) else { return nil }
            switch words[4] {
            case "accounts": (target, project) = (.emulatorAccounts, name)
            case "config": (target, project) = (.emulatorConfig, name)
            case "oobCodes": (target, project) = (.emulatorCodes, name)
            case "verificationCodes": (target, project) = (.emulatorVerificationCodes, name)
            default: return nil
            }
        default: return nil
        }
    }

    private static func method(_ word: String) -> String? {
        if word == "accounts" { return "" }
        return word.hasPrefix("accounts:") ? String(word.dropFirst("accounts:".count)) : nil
    }
}
