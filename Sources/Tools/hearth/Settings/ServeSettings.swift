// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAccounts
import FirestoreArchive
import FirestoreAuthentication
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import Logging

/// The settings of `hearth serve`, checked against each other. Options take precedence over the environment (`HEARTH_PORT`), the
/// environment over the file, the file over the defaults.
struct ServeSettings {
    enum LogFormat: String, CaseIterable { case text, json }

    /// The values in effect, as far as they are not interpreted below.
    let options: ServeCommand
    let durability: Durability
    let indexes: IndexPolicy
    let tls: RPCServerConfiguration.TLS?
    private let access: AccessPolicy
    let buckets: [MappedBucket]
    let security: SecuritySettings
    let showsConsole: Bool
    let logLevel: Logger.Level
    let logFormat: LogFormat
    /// nil without `--store`.
    let store: StoreAddress?
    /// nil without `--archive`.
    let archive: ArchivePolicy?
    /// From this duration on a call is slow; nil without `--slow`.
    let slow: Duration?
    /// nil without `--auth`.
    var accounts: AccountSettings?

    /// - Parameters:
    ///   - words: The command line.
    ///   - parsed: What it was parsed to, if it was.
    init(words: [String], parsed: ServeCommand? = nil, environment: [String: String]) throws {
        let layers = try SettingLayers(words, parsed: parsed, environment: environment)
        options = layers.options
        let host = options.host
        if options.data != nil, options.inMemory { throw ValidationError("--data and --in-memory exclude each other") }
        store = try Self.store(layers, isOnCommandLine: layers.commandLine.store != nil, environment: environment)
        if layers.commandLine.console.noConsole, layers.commandLine.console.consoleToken != nil {
            throw ValidationError("--no-console and --console-token exclude each other")
        }
        durability = try Self.durability(options.durability)
        indexes = try Self.choice("indexes", options.indexes)
        logLevel = try Self.choice("log-level", options.logLevel)
        logFormat = try Self.choice("log-format", options.logFormat)
        switch (options.tlsCert, options.tlsKey) {
        case (let certificate?, let key?): tls = RPCServerConfiguration.TLS(certificateFile: certificate, keyFile: key)
        case (nil, nil): tls = nil
        default: throw ValidationError("TLS needs both --tls-cert and --tls-key")
        }
        buckets = try MappedBucket.all(options.bucket)
        access = try Self.access(hosts: options.allowHost, origins: options.allowOrigin)
        security = try SecuritySettings(
            options.security, isDevelopment: layers.isGiven("development") ? options.security.development : nil,
            .init(host: host, usesTLS: tls != nil, hasAccounts: options.accounts.auth != nil, hasStore: store != nil))
        showsConsole = try options.console.isShown(
            on: host, usesTLS: tls != nil, hasProxies: !options.security.trustedProxy.isEmpty)
        accounts = try AccountSettings(
            options.accounts, AccountSettings.Server(isDevelopment: security.isDevelopment, host: host, project: options.project))
        slow = try options.slow.map { try DurationText.duration($0, of: "slow", in: .milliseconds(1)...(.seconds(3_600))) }
        archive = try Self.archive(options, hasStore: store != nil, layers, environment)
        try checkKeys(hasStore: store != nil)
        if let accounts, !security.isDevelopment, options.security.firebaseProject.contains(accounts.project) {
            throw ValidationError(
                "the accounts of --auth belong to the project \(accounts.project), which --firebase-project names, too: a project is "
                    + "verified by Google's keys or by ours, never by both; give one of them another project")
        }
        try checkRanges()
    }

    /// The keys that tokens are signed with are beside the accounts, except on several nodes.
    private func checkKeys(hasStore: Bool) throws {
        let (key, previous) = (options.accounts.authKey, options.accounts.authPreviousKey)
        if !hasStore, let name = key != nil ? "auth-key" : previous != nil ? "auth-previous-key" : nil {
            throw ValidationError("--\(name) has no effect without --store: one server keeps its key beside its accounts")
        }
        guard hasStore, accounts != nil else { return }
        if security.isDevelopment, key != nil || previous != nil {
            throw ValidationError("--auth-key has no effect in development mode, where tokens are not signed; leave it out")
        }
        if !security.isDevelopment, key == nil {
            throw ValidationError(
                "--auth with --store needs --auth-key, the key that all nodes sign tokens with; make one with "
                    + "`openssl genrsa -out auth.key 2048`, and copy it to every node")
        }
    }

    private static func archive(
        _ options: ServeCommand, hasStore: Bool, _ layers: SettingLayers, _ environment: [String: String]
    ) throws -> ArchivePolicy? {
        guard options.archiving.archive != nil else {
            let settings = Setting.values(of: options.archiving) + Setting.values(of: options.archiveAccess)
            let names = settings.map(\.name).filter { layers.isGiven($0) }
            if let name = names.first { throw ValidationError("--\(name) has no effect without --archive") }
            return nil
        }
        if hasStore {
            throw ValidationError(
                "--archive is for databases in files; the archive of a PostgreSQL server is its own (pg_basebackup and its write-ahead "
                    + "log): see docs/distributed.md")
        }
        guard options.data != nil else { throw ValidationError("--archive needs --data: databases in memory are not archived") }
        do throws(FirestoreError) {
            _ = try options.archiveAccess.open(options.archiving.archive ?? "", environment)
        } catch {
            // Files of keys are read when the server starts, by its user.
            if error.code == .invalidArgument { throw ValidationError("--archive: \(error)") }
        }
        return try options.archiving.policy()
    }

    /// What only files have is refused beside a server, with what to use instead.
    private static func store(_ layers: SettingLayers, isOnCommandLine: Bool, environment: [String: String]) throws -> StoreAddress? {
        guard let url = layers.options.store else { return nil }
        if layers.options.data != nil { throw ValidationError("--data and --store exclude each other") }
        if layers.options.inMemory { throw ValidationError("--in-memory and --store exclude each other") }
        if layers.isGiven("durability") {
            throw ValidationError("--durability has no effect with --store: the PostgreSQL server decides, by synchronous_commit")
        }
        return try StoreAddress(url, isOnCommandLine: isOnCommandLine, environment: environment)
    }

    private static func access(hosts: [String], origins: [String]) throws -> AccessPolicy {
        var access = AccessPolicy()
        access.advice = CommandAdvice.server
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
        guard (0...65_535).contains(options.port) else {
            throw ValidationError("the port must lie between 0 and 65535, not \(options.port)")
        }
        let counts = [
            ("max-databases", maxDatabases), ("max-calls", options.maxCalls), ("max-connections", options.maxConnections),
            ("max-connections-per-address", options.maxConnectionsPerAddress), ("max-streams", options.maxStreams),
        ]
        for (name, value) in counts where value < 1 {
            throw ValidationError("--\(name) must be positive, not \(value)")
        }
        guard (0...3_600).contains(options.grace) else {
            throw ValidationError("--grace must lie between 0 and 3600, not \(options.grace)")
        }
        if let bytes = options.minFreeDisk, !(0...1 << 50).contains(bytes) {
            throw ValidationError("--min-free-disk must lie between 0 and \(1 << 50), not \(bytes)")
        }
        guard (1...86_400).contains(options.ttlInterval) else {
            throw ValidationError("--ttl-interval must lie between 1 and 86400, not \(options.ttlInterval)")
        }
    }

    var maxDatabases: Int { options.maxDatabases ?? ProcessLimits.databases }

    var listener: RPCServerConfiguration {
        var configuration = RPCServerConfiguration(
            host: options.host, port: options.port, tls: tls, limits: RPCLimits(concurrentStreams: options.maxStreams), access: access,
            connections: options.maxConnections)
        configuration.addresses = addresses
        return configuration
    }

    /// Whose address connections count for.
    private var addresses: AddressBound {
        let (proxies, isDevelopment) = (security.trustedProxies, security.isDevelopment)
        return AddressBound(limit: options.maxConnectionsPerAddress) { text, metadata in
            guard let peer = TrustedProxies.peer(of: text) else { return .unbounded }
            if proxies.contains(peer) {
                guard let metadata else { return .proxy }
                let client = proxies.client(of: peer, metadata)
                return client == peer ? .unbounded : .address(IPAddress.network(of: client.text))
            }
            return isDevelopment && peer.isLoopback ? .unbounded : .address(IPAddress.network(of: peer.text))
        }
    }

    /// The settings under the names that the file and the command line use, with the values in effect.
    var json: JSON {
        var shown = options
        shown.inMemory = options.data == nil && store == nil
        shown.store = store?.text
        shown.maxDatabases = maxDatabases
        shown.security.development = security.isDevelopment
        shown.console.noConsole = !showsConsole
        accounts?.complete(&shown.accounts)
        // Lists of accounts that are not given mean nothing without accounts, and in development mode.
        let unused = accounts?.isDevelopment == false ? [] : Setting.values(of: shown.accounts).filter { !$0.isGiven }.map(\.name)
        return .object(Setting.values(of: shown).filter { !unused.contains($0.name) }.map { ($0.name, $0.value) })
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
