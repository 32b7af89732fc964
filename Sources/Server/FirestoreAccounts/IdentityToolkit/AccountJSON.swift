// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Accounts in the JSON of Identity Toolkit.
enum AccountJSON {
    typealias Members = [(name: String, value: JSON)]

    /// - Parameter withPassword: Includes the hash, for exports by an administrator.
    static func user(_ account: Account, withPassword: Bool = false) -> JSON {
        var members: Members = [("localId", .string(account.id))]
        func set(_ name: String, _ text: String?) { if let text { members.append((name, .string(text))) } }
        set("email", account.email)
        if account.email != nil { members.append(("emailVerified", .boolean(account.isEmailVerified))) }
        set("displayName", account.displayName)
        set("photoUrl", account.photoURL)
        set("phoneNumber", account.phoneNumber)
        if withPassword { set("passwordHash", account.passwordHash) }
        if let time = account.passwordUpdated { members.append(("passwordUpdatedAt", .number(time))) }
        set("validSince", String(account.validSince))
        if account.isDisabled { members.append(("disabled", .boolean(true))) }
        set("createdAt", String(account.created))
        set("lastLoginAt", account.lastLogin.map(String.init))
        set("lastRefreshAt", account.lastRefresh.map(time))
        if account.isCustom { members.append(("customAuth", .boolean(true))) }
        set("customAttributes", account.customAttributes)
        set("initialEmail", account.initialEmail)
        if account.usesEmailLink { members.append(("emailLinkSignin", .boolean(true))) }
        let providers = providers(account)
        if !providers.isEmpty { members.append(("providerUserInfo", .array(providers))) }
        return .object(members)
    }

    /// The providers of an account, password and phone included, which follow from its fields.
    static func providers(_ account: Account) -> [JSON] {
        var list = account.providers.map(provider)
        if let email = account.email, account.passwordHash != nil || account.usesEmailLink {
            var own = LinkedProvider(id: "password", rawID: email)
            own.email = email
            own.displayName = account.displayName
            own.photoURL = account.photoURL
            list.append(provider(own))
        }
        if let phone = account.phoneNumber {
            var own = LinkedProvider(id: "phone", rawID: phone)
            own.phoneNumber = phone
            list.append(provider(own))
        }
        return list
    }

    private static func provider(_ provider: LinkedProvider) -> JSON {
        var members: Members = [
            ("providerId", .string(provider.id)), ("rawId", .string(provider.rawID)), ("federatedId", .string(provider.rawID)),
        ]
        func set(_ name: String, _ text: String?) { if let text { members.append((name, .string(text))) } }
        set("email", provider.email)
        set("displayName", provider.displayName)
        set("photoUrl", provider.photoURL)
        set("phoneNumber", provider.phoneNumber)
        return .object(members)
    }

    /// Milliseconds since 1970 in the form of RFC 3339.
    private static func time(_ milliseconds: Int64) -> String {
        TimestampValue(microsecondsSince1970: milliseconds * 1_000).text
    }

    /// A sign-in with its tokens.
    static func signIn(_ signIn: SignIn, kind: String, _ more: Members = []) -> JSON {
        var members: Members = [("kind", .string("identitytoolkit#" + kind)), ("localId", .string(signIn.account.id))]
        if let email = signIn.account.email { members.append(("email", .string(email))) }
        if let name = signIn.account.displayName { members.append(("displayName", .string(name))) }
        members += more
        return .object(members + tokens(signIn))
    }

    static func tokens(_ signIn: SignIn) -> Members {
        [
            ("idToken", .string(signIn.idToken)), ("refreshToken", .string(signIn.refreshToken)),
            ("expiresIn", .string(String(SignIn.lifetime))),
        ]
    }
}
