// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAccounts
import FirestoreAuthentication
import FirestoreCore
import FirestoreTokens
import Foundation

extension AccountSettings {
    /// The project in development mode, unless a setting names another one.
    static let developmentProject = "demo-hearth"
    private static let providerNames = ["anonymous", "password", "emailLink", "custom"]

    /// The server's settings that the accounts depend on.
    struct Server {
        var isDevelopment: Bool
        var host: String
        var project: String?
    }

    /// Returns nil without `--auth`.
    init?(_ options: AccountOptions, _ server: Server) throws {
        func elements(_ texts: [String]) -> [String] {
            texts.flatMap { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } }.filter { !$0.isEmpty }
        }
        let (url, host, project) = (options.authURL, options.authHost, options.authProject)
        let (providers, domains) = (elements(options.authProviders), elements(options.authContinueDomains))
        let (maximumAccounts, signUps) = (options.authMaxAccounts, options.authSignUps)
        let (mailCommand, keys) = (options.mailCommand, options.customTokenKeys)
        guard let port = options.auth else {
            if let unused = Setting.values(of: options).first(where: \.isGiven) {
                throw ValidationError("--\(unused.name) has no effect without --auth")
            }
            return nil
        }
        guard (0...65_535).contains(port) else { throw ValidationError("the port of --auth must lie between 0 and 65535, not \(port)") }
        let isDevelopment = server.isDevelopment
        let chosenHost = host ?? server.host
        guard !isDevelopment || LoopbackAddress.names(chosenHost) else {
            throw ValidationError("--development believes every token, so --auth-host must be a loopback address, not \(chosenHost)")
        }
        if isDevelopment {
            // The emulator's way: none of this is limited or verified there. A setting that is ignored would pretend to protect.
            let unused: [(name: String, isGiven: Bool, reason: String)] = [
                ("auth-providers", !providers.isEmpty, "every way to sign in is enabled"),
                ("auth-continue-domains", !domains.isEmpty, "links may continue to every domain"),
                ("auth-sign-ups", signUps != nil, "the number of sign-ups is not limited"),
                ("custom-token-keys", keys != nil, "custom tokens are accepted without a proof"),
            ]
            if let unused = unused.first(where: \.isGiven) {
                throw ValidationError(
                    "--\(unused.name) has no effect in development mode, where \(unused.reason); leave it out, or start the server without "
                        + "--development")
            }
        }
        if let named = project ?? server.project { _ = try Self.project(named) }
        if !isDevelopment { try Self.checkRequired(hasURL: url != nil, hasProject: (project ?? server.project) != nil) }
        self.init(
            isDevelopment: isDevelopment, port: port, host: chosenHost, url: try url.map { try AccountURL($0) },
            project: try Self.project(project ?? server.project),
            providers: try Self.checked(providers, isDevelopment, hasKeys: keys != nil),
            continueDomains: try Self.checked(domains: domains), maximumAccounts: maximumAccounts ?? 1_000_000,
            signUpsPerHour: signUps ?? 100, mailCommand: mailCommand, customTokenKeys: keys,
            customTokens: try keys.map { TokenIssuer(.customTokens, keys: IssuerKeys(try Self.keys($0))) })
        advice = CommandAdvice.server
        guard self.maximumAccounts > 0 else { throw ValidationError("--auth-max-accounts must be positive, not \(self.maximumAccounts)") }
        guard signUpsPerHour > 0 else { throw ValidationError("--auth-sign-ups must be positive, not \(signUpsPerHour)") }
    }

    /// Names everything that is missing in one message, and the mode that needs none of it.
    private static func checkRequired(hasURL: Bool, hasProject: Bool) throws {
        let url = "--auth-url (the address under which clients reach the accounts, such as https://auth.example.com)"
        let project = "--auth-project or --project (the project that the accounts belong to)"
        let missing = [hasURL ? nil : url, hasProject ? nil : project].compactMap(\.self)
        guard !missing.isEmpty else { return }
        throw ValidationError(
            "--auth needs \(missing.joined(separator: " and ")); to try it out on this machine, add --development, which needs neither")
    }

    private static func project(_ id: String?) throws -> String {
        let id = id ?? developmentProject
        guard AccountProjects.isProject(id) else {
            throw ValidationError("\"\(id)\" is not a project id; give 1 to 100 letters, digits, hyphens, dots and colons")
        }
        return id
    }

    private static func checked(_ providers: [String], _ isDevelopment: Bool, hasKeys: Bool) throws -> [String] {
        for name in providers where !providerNames.contains(name) {
            let advice = NearestName.advice(name, in: providerNames)
            throw ValidationError("--auth-providers: \"\(name)\" is not one of \(providerNames.joined(separator: ", "))\(advice)")
        }
        if !isDevelopment, providers.contains("custom"), !hasKeys {
            throw ValidationError("--auth-providers: custom needs --custom-token-keys, the keys that custom tokens are verified with")
        }
        return isDevelopment && providers.isEmpty ? providerNames : providers
    }

    private static func checked(domains: [String]) throws -> [String] {
        try domains.map { domain in
            let name = domain.lowercased()
            let isName = name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
            guard isName, !name.hasPrefix("."), !name.hasSuffix("."), name.utf8.count <= 253 else {
                throw ValidationError(
                    "--auth-continue-domains: \"\(domain)\" is not a domain; give a name such as example.com, without scheme and port")
            }
            return name
        }
    }

    private static func keys(_ file: String) throws -> VerificationKeySet {
        guard let handle = FileHandle(forReadingAtPath: file), let data = try? handle.read(upToCount: VerificationKeySet.maximumBytes + 1)
        else { throw ValidationError("--custom-token-keys: the file \(file) cannot be read") }
        do throws(VerificationKey.Refusal) {
            return try VerificationKeySet(file: data)
        } catch {
            throw ValidationError("--custom-token-keys: \(file): \(error.message)")
        }
    }

    /// Sets the values in effect.
    func complete(_ options: inout AccountOptions) {
        (options.auth, options.authHost, options.authURL) = (port, host, url?.text)
        (options.authProject, options.authMaxAccounts) = (project, maximumAccounts)
        guard !isDevelopment else { return }
        (options.authProviders, options.authContinueDomains, options.authSignUps) = (providers, continueDomains, signUpsPerHour)
    }
}

extension AccountURL {
    /// Checks the address of `--auth-url`.
    init(_ given: String) throws {
        var text = given
        while text.hasSuffix("/") { text.removeLast() }
        guard let parts = URLComponents(string: text), let host = parts.host?.lowercased(), !host.isEmpty, parts.query == nil,
            parts.fragment == nil, parts.user == nil, parts.password == nil, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw ValidationError("--auth-url: \"\(given)\" is not an address; give one such as https://auth.example.com") }
        let isLocal = ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host) || host.hasSuffix(".localhost")
        guard let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http" && isLocal else {
            throw ValidationError("--auth-url: \"\(given)\" must begin with https:// (http:// for this machine only)")
        }
        self.init(text: text, host: host, origin: "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? ""))
    }
}
