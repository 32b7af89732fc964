// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Configuration
import FirestoreCore
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
    var allowHosts: [String]
    var allowOrigins: [String]
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

    init(_ options: ServeOptions, environment: [String: String]) throws {
        try SettingNames.check(environment: environment)
        let variables = EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "hearth")
        var source = SettingSource(providers: [variables], fileName: nil)
        if let path = try options.config ?? source.string("config") {
            source.providers.append(try SettingFile.provider(path))
            source.fileName = path
        }
        // If one of the two is given on the command line, the other one in the file is ignored.
        data = options.data
        if data == nil, !options.inMemory {
            let inMemory = try source.bool("in-memory") ?? false
            data = inMemory ? nil : try source.string("data")
        } else if data != nil, options.inMemory {
            throw ValidationError("--data and --in-memory exclude each other")
        }
        host = try options.host ?? source.string("host") ?? "127.0.0.1"
        port = try options.port ?? source.int("port") ?? 8080
        portFile = try options.portFile ?? source.string("port-file")
        project = try options.project ?? source.string("project")
        strict = try options.strict || (source.bool("strict") ?? false)
        durability = try Self.durability(options.durability ?? source.string("durability") ?? "full")
        indexes = try Self.choice("indexes", options.indexes ?? source.string("indexes") ?? "automatic")
        noMigrationCopy = try options.noMigrationCopy || (source.bool("no-migration-copy") ?? false)
        logLevel = try Self.choice("log-level", options.logLevel ?? source.string("log-level") ?? "info")
        logFormat = try Self.choice("log-format", options.logFormat ?? source.string("log-format") ?? "text")
        maxDatabases = try options.maxDatabases ?? source.int("max-databases") ?? ProcessLimits.databases
        maxCalls = try options.maxCalls ?? source.int("max-calls") ?? 10_000
        maxConnections = try options.maxConnections ?? source.int("max-connections") ?? 10_000
        maxStreams = try options.maxStreams ?? source.int("max-streams") ?? 1_000
        grace = try options.grace ?? source.int("grace") ?? 10
        switch (try options.tlsCert ?? source.string("tls-cert"), try options.tlsKey ?? source.string("tls-key")) {
        case (let certificate?, let key?): tls = RPCServerConfiguration.TLS(certificateFile: certificate, keyFile: key)
        case (nil, nil): tls = nil
        default: throw ValidationError("TLS needs both --tls-cert and --tls-key")
        }
        allowHosts = options.allowHost.isEmpty ? try source.list("allow-host") ?? [] : options.allowHost
        allowOrigins = options.allowOrigin.isEmpty ? try source.list("allow-origin") ?? [] : options.allowOrigin
        access = try Self.access(hosts: allowHosts, origins: allowOrigins)
        let hasAccounts = try options.accounts.port(source) != nil
        security = try SecuritySettings(options.security, source, .init(host: host, usesTLS: tls != nil, hasAccounts: hasAccounts))
        console = try ConsoleChoice(
            options.console, source, .init(host: host, usesTLS: tls != nil, hasProxies: !security.trustedProxies.isEmpty))
        accounts = try AccountSettings(
            options.accounts, source, AccountSettings.Server(isDevelopment: security.isDevelopment, host: host, project: project))
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
            console: token.map { consoleSettings($0, security, users) })
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

    /// The settings under the names that the file and the command line use.
    var json: JSON {
        var members: [(name: String, value: JSON)] = []
        func add(_ name: String, _ text: String?) {
            if let text { members.append((name, .string(text))) }
        }
        add("data", data)
        members.append(("in-memory", .boolean(data == nil)))
        add("host", host)
        members.append(("port", .number(port)))
        add("port-file", portFile)
        add("project", project)
        members.append(("strict", .boolean(strict)))
        add("durability", durability == .full ? "full" : "relaxed")
        add("indexes", indexes.rawValue)
        members.append(("no-migration-copy", .boolean(noMigrationCopy)))
        add("tls-cert", tls?.certificateFile)
        add("tls-key", tls?.keyFile)
        members.append(("allow-host", .array(allowHosts.map { .string($0) })))
        members.append(("allow-origin", .array(allowOrigins.map { .string($0) })))
        add("log-level", logLevel.rawValue)
        add("log-format", logFormat.rawValue)
        let counts = [
            ("max-databases", maxDatabases), ("max-calls", maxCalls), ("max-connections", maxConnections), ("max-streams", maxStreams),
            ("grace", grace),
        ]
        for (name, count) in counts { members.append((name, .number(count))) }
        members += security.members + console.members
        members += accounts?.members ?? []
        return .object(members)
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
