// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import HearthBase

extension AccountJSON {
    /// Milliseconds until the year 10000, which times in JSON cannot pass.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799_999

    static func linkedProvider(_ id: String, _ rawID: String, _ json: JSON) -> LinkedProvider {
        func text(_ name: String) -> String? { if case .string(let text)? = json[name], !text.isEmpty { text } else { nil } }
        var provider = LinkedProvider(id: id, rawID: rawID)
        provider.email = text("email")
        provider.displayName = text("displayName")
        provider.photoURL = text("photoUrl")
        provider.phoneNumber = text("phoneNumber")
        return provider
    }

    /// An account from an export, and its password if the export contains it readably, as the emulator's do (AU-25).
    static func account(
        _ json: JSON, created: Int64, validSince: Int64, hashes: HashImport?
    ) throws(AccountError) -> (Account, password: String?) {
        func text(_ name: String) throws(AccountError) -> String? {
            switch json[name] {
            case nil, .null?, .string("")?: return nil
            case .string(let text)? where text.utf8.count <= 65_536: return text
            default: throw AccountError("INVALID_ARGUMENT", "\(name) is not a string")
            }
        }
        /// Whether a flag is set.
        func flag(_ name: String) -> Bool { if case .boolean(true)? = json[name] { true } else { false } }
        func time(_ name: String) -> Int64? {
            switch json[name] {
            case .number(let text)?, .string(let text)?: Int64(text).flatMap { times.contains($0) ? $0 : nil }
            default: nil
            }
        }
        guard let id = try text("localId") else { throw AccountError("MISSING_LOCAL_ID") }
        try AccountRules.check(userID: id)
        if try text("tenantId") != nil { throw Unsupported.tenants }
        var account = Account(id: id, created: time("createdAt") ?? created, validSince: min(time("validSince") ?? validSince, validSince))
        account.email = try text("email").map { (text) throws(AccountError) in try AccountRules.email(text) }
        account.isEmailVerified = flag("emailVerified")
        account.displayName = try text("displayName")
        account.photoURL = try text("photoUrl")
        account.phoneNumber = try text("phoneNumber")
        account.passwordUpdated = time("passwordUpdatedAt")
        // The second name is that of files of `firebase auth:export`.
        account.lastLogin = time("lastLoginAt") ?? time("lastSignedInAt")
        account.lastRefresh = try text("lastRefreshAt").flatMap(TimestampValue.init(text:)).map {
            $0.seconds * 1_000 + Int64($0.nanoseconds) / 1_000_000
        }
        account.isDisabled = flag("disabled")
        account.isCustom = flag("customAuth")
        account.customAttributes = try text("customAttributes")
        if let attributes = account.customAttributes { try AccountRules.check(attributes: attributes) }
        account.initialEmail = try text("initialEmail") ?? account.email
        account.usesEmailLink = flag("emailLinkSignin")
        if case .array(let entries)? = json["providerUserInfo"] {
            for entry in entries {
                guard case .string(let provider)? = entry["providerId"], case .string(let rawID)? = entry["rawId"] else { continue }
                // They follow from the other fields.
                if provider == "password" || provider == "phone" { continue }
                account.providers.append(linkedProvider(provider, rawID, entry))
            }
        }
        if let password = try password(try text("passwordHash"), salt: try text("salt"), hashes, &account) { return (account, password) }
        return (account, try text("rawPassword"))
    }

    private static func password(
        _ hash: String?, salt: String?, _ hashes: HashImport?, _ account: inout Account
    ) throws(AccountError) -> String? {
        guard let hash else { return nil }
        if PasswordHash.isHash(hash) {
            account.passwordHash = hash
            return nil
        }
        // fakeHash:salt=SALT:password=PLAIN
        if hash.hasPrefix("fakeHash:"), let range = hash.range(of: ":password=") { return String(hash[range.upperBound...]) }
        guard let hashes else {
            throw AccountError(
                "INVALID_PASSWORD_HASH",
                "how the password is hashed is not known: give the hash algorithm and its parameters")
        }
        guard let bytes = Base64.decode(hash), let saltBytes = Base64.decode(salt ?? "") else {
            throw AccountError("INVALID_PASSWORD_HASH", "the hash or its salt is not in Base64")
        }
        account.passwordHash = try hashes.text(hash: bytes, salt: saltBytes)
        return nil
    }
}
