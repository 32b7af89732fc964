// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAccounts
import FirestoreAuthentication
import FirestoreConsole
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import Logging

/// The settings of `hearth serve`. Options take precedence over the environment (`HEARTH_PORT`), the environment over
/// the file, the file over the defaults.
struct ServeSettings {
    enum LogFormat: String, CaseIterable { case text, json }

    var data: String?
    var host: String
    var port: Int
    var portFile: String?
    var project: String?
    var strict: Bool
    var durability: Durability
    var indexes: IndexPolicy
    var noMigrationCopy: Bool
    var tls: RPCServerConfiguration.TLS?
    /// As given.
    private let options: ServeOptions
    private let access: AccessPolicy
    var security: SecuritySettings
    let console: ConsoleChoice
    var logLevel: Logger.Level
    var logFormat: LogFormat
    var maxDatabases: Int
    var maxCalls: Int
    var maxConnections: Int
    var maxStreams: Int
    var grace: Int
    /// nil without `--auth`.
    var accounts: AccountSettings?

    init(_ commandLine: ServeOptions, environment: [String: String]) throws {
        let layers = try SettingLayers(commandLine, environment: environment)
        let options = layers.options
        if options.data != nil, options.inMemory { throw ValidationError("--data and --in-memory exclude each other") }
        if commandLine.console.noConsole, commandLine.console.consoleToken != nil {
            throw ValidationError("--no-console and --console-token exclude each other")
        }
        data = options.data
        host = options.host ?? "127.0.0.1"
        port = options.port ?? 8080
        portFile = options.portFile
        project = options.project
        strict = options.strict
        durability = try Self.durability(options.durability ?? "full")
        indexes = try Self.choice("indexes", options.indexes ?? "automatic")
        noMigrationCopy = options.noMigrationCopy
        logLevel = try Self.choice("log-level", options.logLevel ?? "info")
        logFormat = try Self.choice("log-format", options.logFormat ?? "text")
        maxDatabases = options.maxDatabases ?? ProcessLimits.databases
        maxCalls = options.maxCalls ?? 10_000
        maxConnections = options.maxConnections ?? 10_000
        maxStreams = options.maxStreams ?? 1_000
        grace = options.grace ?? 10
        switch (options.tlsCert, options.tlsKey) {
        case (let certificate?, let key?): tls = RPCServerConfiguration.TLS(certificateFile: certificate, keyFile: key)
        case (nil, nil): tls = nil
        default: throw ValidationError("TLS needs both --tls-cert and --tls-key")
        }
        access = try Self.access(hosts: options.allowHost, origins: options.allowOrigin)
        security = try SecuritySettings(
            options.security, isDevelopment: layers.given.contains("development") ? options.security.development : nil,
            .init(host: host, usesTLS: tls != nil, hasAccounts: options.accounts.auth != nil))
        console = try ConsoleChoice(
            options.console, .init(host: host, usesTLS: tls != nil, hasProxies: !options.security.trustedProxy.isEmpty))
        accounts = try AccountSettings(
            options.accounts, AccountSettings.Server(isDevelopment: security.isDevelopment, host: host, project: project))
        self.options = options
        if let accounts, !security.isDevelopment, security.firebaseProjects.contains(accounts.project) {
            throw ValidationError(
                "the accounts of --auth belong to the project \(accounts.project), which --firebase-project names, too: a project is "
                    + "verified by Google's keys or by ours, never by both; give one of them another project")
        }
        try checkRanges()
    }

    /// The settings that the words of a command line give.
    init(words: [String], environment: [String: String]) throws { try self.init(try ServeOptions.parse(words), environment: environment) }

    private static func access(hosts: [String], origins: [String]) throws -> AccessPolicy {
        var access = AccessPolicy()
        var option = "--allow-host"
        do throws(RPCStatus) {
            for host in hosts { try access.allow(host: host) }
            option = "--allow-origin"
            for origin in origins { try access.allow(origin: origin) }
        } catch {
            throw ValidationError("\(option): \(error.message)")
        }
        return access
    }

    private func checkRanges() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("the port must lie between 0 and 65535, not \(port)") }
        let counts = [
            ("max-databases", maxDatabases), ("max-calls", maxCalls), ("max-connections", maxConnections), ("max-streams", maxStreams),
        ]
        for (name, value) in counts where value < 1 {
            throw ValidationError("--\(name) must be positive, not \(value)")
        }
        guard (0...3_600).contains(grace) else { throw ValidationError("--grace must lie between 0 and 3600, not \(grace)") }
    }

    var listener: RPCServerConfiguration {
        RPCServerConfiguration(
            host: host, port: port, tls: tls, limits: RPCLimits(concurrentStreams: maxStreams), access: access, connections: maxConnections)
    }

    /// - Parameter users: The accounts that the console shows; nil if the server has none.
    func server(
        _ security: ServedSecurity, _ token: ConsoleToken? = nil, users: (any ConsoleUsers)? = nil
    ) -> ServerConfiguration {
        var databases = DatabaseOpening(
            storage: data.map { .directory($0) } ?? .memory, durability: durability, indexPolicy: indexes, createsDatabases: !strict,
            projects: projects)
        databases.keepsMigrationCopy = !noMigrationCopy
        // Rules judge the content of a database, which would be there by then.
        databases.createsForAdministratorsOnly = !self.security.isDevelopment && !self.security.rules.isEmpty
        return ServerConfiguration(
            listener: listener, databases: databases,
            maximumDatabases: maxDatabases, maximumCalls: maxCalls, grace: .seconds(grace),
            authentication: security.authentication, rules: security.ruleFiles.rules, isDevelopment: security.isDevelopment,
            console: token.map {
                Console(
                    consoleSettings($0, security, users), authentication: security.authentication, isDevelopment: security.isDevelopment)
            })
    }

    private func consoleSettings(
        _ token: ConsoleToken, _ security: ServedSecurity, _ users: (any ConsoleUsers)?
    ) -> ConsoleSettings {
        var settings = ConsoleSettings(token: token)
        settings.isReadOnly = console.isReadOnly
        settings.showsValues = console.showsValues
        settings.directory = console.directory
        settings.project = project
        settings.files = ConsoleTransferFiles()
        settings.users = users
        settings.strictLists = self.security.strictLists
        settings.serverSettings = json
        settings.isProtected = { [security] call in security.isProtected(call) }
        return settings
    }

    /// The projects that other settings name: their default databases exist from the start.
    private var projects: [String] {
        var projects = security.firebaseProjects
        if let project { projects.append(project) }
        if let accounts { projects.append(accounts.project) }
        return projects
    }

    /// The settings under the names that the file and the command line use, with the values in effect.
    var json: JSON {
        var shown = options
        shown.inMemory = data == nil
        (shown.host, shown.port, shown.grace) = (host, port, grace)
        (shown.durability, shown.indexes) = (durability == .full ? "full" : "relaxed", indexes.rawValue)
        (shown.logLevel, shown.logFormat) = (logLevel.rawValue, logFormat.rawValue)
        (shown.maxDatabases, shown.maxCalls, shown.maxConnections, shown.maxStreams) = (maxDatabases, maxCalls, maxConnections, maxStreams)
        (shown.security.development, shown.security.tokenSkew) = (security.isDevelopment, security.tokenSkew)
        shown.console.noConsole = !console.isShown
        accounts?.complete(&shown.accounts)
        return .object(Setting.members(of: shown, hasAccounts: accounts?.isDevelopment == false))
    }

    private static func durability(_ name: String) throws -> Durability {
        switch name {
        case "full": .full
        case "relaxed": .relaxed
        default:
            let advice = NearestName.advice(name, in: ["full", "relaxed"])
            throw ValidationError("--durability must be full or relaxed, not \(name)\(advice)")
        }
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ value: String
    ) throws -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: value) else {
            let names = Choice.allCases.map(\.rawValue)
            let advice = NearestName.advice(value, in: names)
            throw ValidationError("--\(name) must be one of \(names.joined(separator: ", ")), not \(value)\(advice)")
        }
        return choice
    }
}
