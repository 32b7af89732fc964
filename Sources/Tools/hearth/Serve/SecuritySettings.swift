// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAuthentication

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
    /// `chosen`: whether development mode is on; nil if that follows from the other settings.
    init(_ options: SecurityOptions, isDevelopment chosen: Bool?, _ surroundings: Surroundings) throws {
        rules = try options.rules.map(RulesArgument.init)
        strictLists = options.strictLists
        allowEverything = options.allowEverything
        firebaseProjects = options.firebaseProject
        firebaseKeysURL = options.firebaseKeysURL
        issuerFiles = options.issuer
        tokenSkew = options.tokenSkew ?? 60
        adminKeyFile = options.adminKeyFile
        do throws(TrustedProxies.Refusal) {
            trustedProxies = try TrustedProxies(options.trustedProxy)
        } catch {
            throw ValidationError(
                "--trusted-proxy: \"\(error.text)\" is not an address; give one such as 10.0.0.7, or a block such as 10.0.0.0/24")
        }
        let isLocal = LoopbackAddress.names(surroundings.host)
        let isSecured =
            !rules.isEmpty || !firebaseProjects.isEmpty || !issuerFiles.isEmpty || adminKeyFile != nil || surroundings.usesTLS
            || surroundings.hasAccounts
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

    var issuers: IssuerSettings {
        IssuerSettings(
            firebaseProjects: firebaseProjects, firebaseKeysURL: firebaseKeysURL, issuerFiles: issuerFiles, tokenSkew: tokenSkew,
            isDevelopment: isDevelopment)
    }
}
