// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// The security settings, checked against each other.
struct SecuritySettings {
    /// The other settings, as far as they matter here.
    struct Surroundings {
        /// The address that the server listens on.
        var host: String
        var usesTLS: Bool
        /// Whether the server has accounts (`--auth`).
        var hasAccounts = false
    }

    var rules: [RulesArgument]
    var strictLists: Bool
    var allowEverything: Bool
    /// Tokens are accepted without proof, and rules can be replaced over HTTP.
    var isDevelopment: Bool
    var firebaseProjects: [String]
    var firebaseKeysURL: String?
    var issuerFiles: [String]
    /// In seconds.
    var tokenSkew: Int
    var adminKeyFile: String?
    var trustedProxies: TrustedProxies
    /// As given.
    private var proxies: [String]

    init(_ options: SecurityOptions, _ source: SettingSource, _ surroundings: Surroundings) throws {
        func list(_ given: [String], _ name: String) throws -> [String] { try given.isEmpty ? source.list(name) ?? [] : given }
        rules = try list(options.rules, "rules").map(RulesArgument.init)
        strictLists = try options.strictLists || (source.bool("strict-lists") ?? false)
        allowEverything = try options.allowEverything || (source.bool("allow-everything") ?? false)
        firebaseProjects = try list(options.firebaseProject, "firebase-project")
        firebaseKeysURL = try options.firebaseKeysURL ?? source.string("firebase-keys-url")
        issuerFiles = try list(options.issuer, "issuer")
        tokenSkew = try options.tokenSkew ?? source.int("token-skew") ?? 60
        adminKeyFile = try options.adminKeyFile ?? source.string("admin-key-file")
        proxies = try list(options.trustedProxy, "trusted-proxy")
        trustedProxies = try TrustedProxies(proxies)
        let isLocal = LoopbackAddress.names(surroundings.host)
        let isSecured =
            !rules.isEmpty || !firebaseProjects.isEmpty || !issuerFiles.isEmpty || adminKeyFile != nil || surroundings.usesTLS
            || surroundings.hasAccounts
        let chosen = try options.development ? true : source.bool("development")
        isDevelopment = chosen ?? (!isSecured && isLocal)
        try check(surroundings.host, isLocal: isLocal)
    }

    private func check(_ host: String, isLocal: Bool) throws {
        if isDevelopment {
            guard isLocal else {
                throw ValidationError(
                    "--development believes every token, so the server must listen on a loopback address such as 127.0.0.1, not on \(host)")
            }
            guard firebaseProjects.isEmpty, issuerFiles.isEmpty else {
                let option = firebaseProjects.isEmpty ? "--issuer" : "--firebase-project"
                throw ValidationError("--development believes tokens without proof, so \(option) has no meaning; omit one of the two")
            }
        }
        if rules.isEmpty, !isLocal, !allowEverything {
            throw ValidationError(
                "without --rules, every client that reaches \(host) could read and write everything; give --rules FILE, "
                    + "listen on 127.0.0.1, or confirm with --allow-everything")
        }
        if !rules.isEmpty, allowEverything {
            throw ValidationError("--allow-everything and --rules exclude each other")
        }
        var databases: Set<String> = []
        for argument in rules where !databases.insert(argument.database ?? "").inserted {
            let whose = argument.database.map { "the database \($0)" } ?? "all databases"
            throw ValidationError("--rules names two files for \(whose)")
        }
        guard (0...300).contains(tokenSkew) else { throw ValidationError("--token-skew must lie between 0 and 300, not \(tokenSkew)") }
        for project in firebaseProjects where !Self.isProject(project) {
            throw ValidationError("--firebase-project: \"\(project)\" is not the id of a project")
        }
    }

    /// The ids of Google's projects: letters, digits and hyphens, in old ones also colons and points.
    private static func isProject(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || "-.:".utf8.contains(byte)
            }
    }

    /// For `--print-config`.
    var members: [(name: String, value: JSON)] {
        func list(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
        var members: [(name: String, value: JSON)] = [
            ("rules", list(rules.map(\.text))), ("strict-lists", .boolean(strictLists)), ("allow-everything", .boolean(allowEverything)),
            ("development", .boolean(isDevelopment)), ("firebase-project", list(firebaseProjects)), ("issuer", list(issuerFiles)),
            ("token-skew", .number(tokenSkew)), ("trusted-proxy", list(proxies)),
        ]
        for (name, text) in [("firebase-keys-url", firebaseKeysURL), ("admin-key-file", adminKeyFile)] {
            if let text { members.append((name, .string(text))) }
        }
        return members
    }
}
