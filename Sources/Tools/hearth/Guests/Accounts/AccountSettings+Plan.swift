// SPDX-License-Identifier: Apache-2.0
import FirestoreAccounts
import FirestoreAuthentication
import FirestoreAuthentication
import FirestoreCore
import FirestoreTokens
import Foundation

extension AccountSettings {
    /// The project in development mode, unless a setting names another one.
    static let developmentProject = "demo-hearth"
    private static let providerNames = ["anonymous", "password", "emailLink", "custom"]

    /// Returns nil without `--auth`.
    init?(_ plan: ServerPlan) throws(StartRefusal) {
        func elements(_ texts: [String]?) -> [String] {
            (texts ?? []).flatMap { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } }.filter { !$0.isEmpty }
        }
        let values = plan.values
        let (url, host) = (values[AccountsGuest.url], values[AccountsGuest.host])
        let project = values[AccountsGuest.project] ?? plan.project
        let (providers, domains) = (elements(values[AccountsGuest.providers]), elements(values[AccountsGuest.continueDomains]))
        let (maximumAccounts, signUps) = (values[AccountsGuest.maxAccounts], values[AccountsGuest.signUps])
        let (mailCommand, keys) = (values[AccountsGuest.mailCommand], values[AccountsGuest.customTokenKeys])
        guard let port = values[AccountsGuest.auth] else {
            if let unused = AccountsGuest.settings.first(where: { values.has($0) }) {
                throw StartRefusal("--\(unused.name) has no effect without --auth")
            }
            return nil
        }
        guard (0...65_535).contains(port) else { throw StartRefusal("the port of --auth must lie between 0 and 65535, not \(port)") }
        let isDevelopment = plan.isDevelopment
        let chosenHost = host ?? plan.host
        guard !isDevelopment || LoopbackAddress.names(chosenHost) else {
            throw StartRefusal("--development believes every token, so --auth-host must be a loopback address, not \(chosenHost)")
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
                throw StartRefusal(
                    "--\(unused.name) has no effect in development mode, where \(unused.reason); leave it out, or start the server without "
                        + "--development")
            }
        }
        if let project { _ = try Self.project(project) }
        if !isDevelopment { try Self.checkRequired(hasURL: url != nil, hasProject: project != nil) }
        self.init(
            isDevelopment: isDevelopment, port: port, host: chosenHost,
            url: try url.map { (text) throws(StartRefusal) in try AccountURL(text) },
            project: try Self.project(project),
            providers: try Self.checked(providers, isDevelopment, hasKeys: keys != nil),
            continueDomains: try Self.checked(domains: domains), maximumAccounts: maximumAccounts ?? 1_000_000,
            signUpsPerHour: signUps ?? 100, mailCommand: mailCommand, customTokenKeys: keys,
            customTokens: try keys.map { (file) throws(StartRefusal) in
                TokenIssuer(.customTokens, keys: IssuerKeys(try Self.keys(file)))
            })
        advice = CommandAdvice.server
        guard self.maximumAccounts > 0 else { throw StartRefusal("--auth-max-accounts must be positive, not \(self.maximumAccounts)") }
        guard signUpsPerHour > 0 else { throw StartRefusal("--auth-sign-ups must be positive, not \(signUpsPerHour)") }
    }

    /// Names everything that is missing in one message, and the mode that needs none of it.
    private static func checkRequired(hasURL: Bool, hasProject: Bool) throws(StartRefusal) {
        let url = "--auth-url (the address under which clients reach the accounts, such as https://auth.example.com)"
        let project = "--auth-project or --project (the project that the accounts belong to)"
        let missing = [hasURL ? nil : url, hasProject ? nil : project].compactMap(\.self)
        guard !missing.isEmpty else { return }
        throw StartRefusal(
            "--auth needs \(missing.joined(separator: " and ")); to try it out on this machine, add --development, which needs neither")
    }

    private static func project(_ id: String?) throws(StartRefusal) -> String {
        let id = id ?? developmentProject
        guard AccountProjects.isProject(id) else {
            throw StartRefusal("\"\(id)\" is not a project id; give 1 to 100 letters, digits, hyphens, dots and colons")
        }
        return id
    }

    private static func checked(_ providers: [String], _ isDevelopment: Bool, hasKeys: Bool) throws(StartRefusal) -> [String] {
        for name in providers where !providerNames.contains(name) {
            let advice = NearestName.advice(name, in: providerNames)
            throw StartRefusal("--auth-providers: \"\(name)\" is not one of \(providerNames.joined(separator: ", "))\(advice)")
        }
        if !isDevelopment, providers.contains("custom"), !hasKeys {
            throw StartRefusal("--auth-providers: custom needs --custom-token-keys, the keys that custom tokens are verified with")
        }
        return isDevelopment && providers.isEmpty ? providerNames : providers
    }

    private static func checked(domains: [String]) throws(StartRefusal) -> [String] {
        try domains.map { (domain) throws(StartRefusal) in
            let name = domain.lowercased()
            let isName = name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
            guard isName, !name.hasPrefix("."), !name.hasSuffix("."), name.utf8.count <= 253 else {
                throw StartRefusal(
                    "--auth-continue-domains: \"\(domain)\" is not a domain; give a name such as example.com, without scheme and port")
            }
            return name
        }
    }

    private static func keys(_ file: String) throws(StartRefusal) -> VerificationKeySet {
        guard let handle = FileHandle(forReadingAtPath: file), let data = try? handle.read(upToCount: VerificationKeySet.maximumBytes + 1)
        else { throw StartRefusal("--custom-token-keys: the file \(file) cannot be read") }
        do throws(VerificationKey.Refusal) {
            return try VerificationKeySet(file: data)
        } catch {
            throw StartRefusal("--custom-token-keys: \(file): \(error.message)")
        }
    }
}

extension AccountURL {
    /// Checks the address of `--auth-url`.
    init(_ given: String) throws(StartRefusal) {
        var text = given
        while text.hasSuffix("/") { text.removeLast() }
        guard let parts = URLComponents(string: text), let host = parts.host?.lowercased(), !host.isEmpty, parts.query == nil,
            parts.fragment == nil, parts.user == nil, parts.password == nil, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw StartRefusal("--auth-url: \"\(given)\" is not an address; give one such as https://auth.example.com") }
        let isLocal = ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host) || host.hasSuffix(".localhost")
        guard let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http" && isLocal else {
            throw StartRefusal("--auth-url: \"\(given)\" must begin with https:// (http:// for this machine only)")
        }
        self.init(text: text, host: host, origin: "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? ""))
    }
}
