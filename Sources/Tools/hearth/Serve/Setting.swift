// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// One setting of `hearth serve`: its name on the command line and in the file, from which its environment variable follows, and the option
/// that has its value.
struct Setting: Sendable {
    enum Kind: Sendable {
        case text, number, list
        /// On the command line without a value.
        case flag
    }

    let name: String
    let kind: Kind
    /// The value in the options; nil if it is not given.
    let value: @Sendable (ServeOptions) -> JSON?
    /// Ignores a value of another kind.
    let set: @Sendable (inout ServeOptions, JSON) -> Void

    var variable: String { Self.prefix + name.uppercased().replacing("-", with: "_") }

    static let prefix = "HEARTH_"

    static let all = listener + security + console + accounts

    private static let listener: [Setting] = [
        text("data", \.data), flag("in-memory", \.inMemory), text("host", \.host), number("port", \.port), text("port-file", \.portFile),
        text("project", \.project), flag("strict", \.strict), text("durability", \.durability), text("indexes", \.indexes),
        flag("no-migration-copy", \.noMigrationCopy), text("tls-cert", \.tlsCert), text("tls-key", \.tlsKey),
        list("allow-host", \.allowHost), list("allow-origin", \.allowOrigin), text("log-level", \.logLevel),
        text("log-format", \.logFormat),
        number("max-databases", \.maxDatabases), number("max-calls", \.maxCalls), number("max-connections", \.maxConnections),
        number("max-streams", \.maxStreams), number("grace", \.grace),
    ]

    private static let security: [Setting] = [
        list("rules", \.security.rules), flag("strict-lists", \.security.strictLists), flag("allow-everything", \.security.allowEverything),
        flag("development", \.security.development), list("firebase-project", \.security.firebaseProject),
        text("firebase-keys-url", \.security.firebaseKeysURL), list("issuer", \.security.issuer),
        number("token-skew", \.security.tokenSkew),
        text("admin-key-file", \.security.adminKeyFile), list("trusted-proxy", \.security.trustedProxy),
    ]

    private static let console: [Setting] = [
        flag("no-console", \.console.noConsole), text("console-token", \.console.consoleToken),
        flag("console-read-only", \.console.consoleReadOnly), flag("console-values", \.console.consoleValues),
        text("console-dir", \.console.consoleDir),
    ]

    private static let accounts: [Setting] = [
        number("auth", \.accounts.auth), text("auth-host", \.accounts.authHost), text("auth-url", \.accounts.authURL),
        text("auth-project", \.accounts.authProject), list("auth-providers", \.accounts.authProviders),
        list("auth-continue-domains", \.accounts.authContinueDomains), number("auth-max-accounts", \.accounts.authMaxAccounts),
        number("auth-sign-ups", \.accounts.authSignUps), text("mail-command", \.accounts.mailCommand),
        text("custom-token-keys", \.accounts.customTokenKeys),
    ]

    /// The values that options have. `hasAccounts`: whether the settings of accounts that are not given are members, too.
    static func members(of options: ServeOptions, hasAccounts: Bool) -> [(name: String, value: JSON)] {
        (listener + security + console).compactMap { $0.member(of: options, isComplete: true) }
            + accounts.compactMap { $0.member(of: options, isComplete: hasAccounts) }
    }

    private func member(of options: ServeOptions, isComplete: Bool) -> (name: String, value: JSON)? {
        let absence: JSON? =
            switch kind {
            case .text, .number: nil
            case .flag: .boolean(false)
            case .list: .array([])
            }
        return (value(options) ?? (isComplete ? absence : nil)).map { (name, $0) }
    }

    private static func text(_ name: String, _ path: any WritableKeyPath<ServeOptions, String?> & Sendable) -> Setting {
        Setting(name: name, kind: .text) {
            $0[keyPath: path].map { .string($0) }
        } set: { options, value in
            if case .string(let text) = value { options[keyPath: path] = text }
        }
    }

    private static func number(_ name: String, _ path: any WritableKeyPath<ServeOptions, Int?> & Sendable) -> Setting {
        Setting(name: name, kind: .number) {
            $0[keyPath: path].map { .number($0) }
        } set: { options, value in
            if case .number(let text) = value { options[keyPath: path] = Int(text) }
        }
    }

    private static func flag(_ name: String, _ path: any WritableKeyPath<ServeOptions, Bool> & Sendable) -> Setting {
        Setting(name: name, kind: .flag) {
            $0[keyPath: path] ? .boolean(true) : nil
        } set: { options, value in
            if case .boolean(let flag) = value { options[keyPath: path] = flag }
        }
    }

    private static func list(_ name: String, _ path: any WritableKeyPath<ServeOptions, [String]> & Sendable) -> Setting {
        Setting(name: name, kind: .list) {
            $0[keyPath: path].isEmpty ? nil : .array($0[keyPath: path].map { .string($0) })
        } set: { options, value in
            if case .array(let texts) = value {
                options[keyPath: path] = texts.compactMap { if case .string(let text) = $0 { text } else { nil } }
            }
        }
    }
}
