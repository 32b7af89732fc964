// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAuthentication
import FirestoreCore
import FirestoreEngine
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import Logging

/// The settings of `hearth serve`, checked against each other. Options take precedence over the environment (`HEARTH_PORT`), the
/// environment over the file, the file over the defaults.
struct ServeSettings {
    enum LogFormat: String, CaseIterable { case text, json }

    let plan: ServerPlan
    var guests: [any ServerGuest]
    let logLevel: Logger.Level
    let logFormat: LogFormat
    private let durability: Durability
    private let indexes: IndexPolicy
    private let tls: RPCServerConfiguration.TLS?
    private let access: AccessPolicy

    /// - Parameter words: The command line.
    init(words: [String], environment: [String: String]) throws {
        try self.init(ServeCommand.parse(words), environment: environment)
    }

    init(_ command: ServeCommand, environment: [String: String]) throws(StartRefusal) {
        let values = try SettingValues(command.given, file: command.configurationFile, environment: environment)
        let data = values[ServerSettings.data]
        if data != nil, values[ServerSettings.inMemory] { throw StartRefusal("--data and --in-memory exclude each other") }
        durability = try Self.durability(values[ServerSettings.durability])
        indexes = try Self.choice(ServerSettings.indexes, values)
        logLevel = try Self.choice(ServerSettings.logLevel, values)
        logFormat = try Self.choice(ServerSettings.logFormat, values)
        switch (values[ServerSettings.tlsCert], values[ServerSettings.tlsKey]) {
        case (let certificate?, let key?): tls = RPCServerConfiguration.TLS(certificateFile: certificate, keyFile: key)
        case (nil, nil): tls = nil
        default: throw StartRefusal("TLS needs both --tls-cert and --tls-key")
        }
        access = try Self.access(hosts: values[ServerSettings.allowHost], origins: values[ServerSettings.allowOrigin])
        try Self.checkRanges(values)
        var plan = ServerPlan(
            values: values, environment: environment,
            place: data.map { "data in \($0)" } ?? "in memory, lost when the server stops", usesTLS: tls != nil)
        if let project = values[ServerSettings.project] { plan.projects.append(project) }
        var guests: [any ServerGuest] = []
        for type in ServerGuests.all {
            if let guest = try type.init(&plan) { guests.append(guest) }
        }
        self.plan = plan
        self.guests = guests
    }

    /// nil if the settings do not ask for it.
    func guest<Guest: ServerGuest>(_: Guest.Type) -> Guest? { guests.lazy.compactMap { $0 as? Guest }.first }

    // MARK: The server

    var listener: RPCServerConfiguration {
        let values = plan.values
        var configuration = RPCServerConfiguration(
            host: plan.host, port: values[ServerSettings.port], tls: tls,
            limits: RPCLimits(concurrentStreams: values[ServerSettings.maxStreams]), access: access,
            connections: values[ServerSettings.maxConnections])
        configuration.addresses = addresses
        return configuration
    }

    /// Whose address connections count for.
    private var addresses: AddressBound {
        let (proxies, isDevelopment) = (plan.trustedProxies, plan.isDevelopment)
        return AddressBound(limit: plan.values[ServerSettings.maxConnectionsPerAddress]) { text, metadata in
            guard let peer = TrustedProxies.peer(of: text) else { return .unbounded }
            if proxies.contains(peer) {
                guard let metadata else { return .proxy }
                let client = proxies.client(of: peer, metadata)
                return client == peer ? .unbounded : .address(IPAddress.network(of: client.text))
            }
            return isDevelopment && peer.isLoopback ? .unbounded : .address(IPAddress.network(of: peer.text))
        }
    }

    private var maxDatabases: Int { plan.values[ServerSettings.maxDatabases] ?? ProcessLimits.databases }

    /// The server without its guests.
    func server(_ log: Logger) -> ServerConfiguration {
        let values = plan.values
        var databases = DatabaseOpening(
            storage: plan.data.map { .directory($0) } ?? .memory, durability: durability, indexPolicy: indexes,
            createsDatabases: !values[ServerSettings.strict], projects: plan.projects)
        databases.advice = CommandAdvice.server
        databases.keepsMigrationCopy = !values[ServerSettings.noMigrationCopy]
        let leastFree = values[ServerSettings.minFreeDisk]
        if let directory = plan.data, leastFree != 0 {
            databases.diskGuard = DiskGuard(directory: directory, least: leastFree.map { Int64($0) }, log: log)
        }
        // Rules judge the content of a database, which would be there by then.
        databases.createsForAdministratorsOnly = !plan.isDevelopment && plan.hasRules
        return ServerConfiguration(
            listener: listener, databases: databases, maximumDatabases: maxDatabases, maximumCalls: values[ServerSettings.maxCalls],
            grace: plan.grace, isDevelopment: plan.isDevelopment)
    }

    /// The settings under the names that the file and the command line use, with the values in effect.
    var json: JSON {
        var values = plan.values
        values[ServerSettings.inMemory] = plan.data == nil && !plan.isShared
        values[ServerSettings.maxDatabases] = maxDatabases
        for guest in guests { guest.complete(&values) }
        return values.json
    }

    // MARK: Checks

    private static func access(hosts: [String], origins: [String]) throws(StartRefusal) -> AccessPolicy {
        var access = AccessPolicy()
        access.advice = CommandAdvice.server
        var option = ServerSettings.allowHost.name
        do throws(RPCStatus) {
            for host in hosts { try access.allow(host: host) }
            option = ServerSettings.allowOrigin.name
            for origin in origins { try access.allow(origin: origin) }
        } catch {
            throw StartRefusal("--\(option): \(error.message)")
        }
        return access
    }

    private static func checkRanges(_ values: SettingValues) throws(StartRefusal) {
        let port = values[ServerSettings.port]
        guard (0...65_535).contains(port) else { throw StartRefusal("the port must lie between 0 and 65535, not \(port)") }
        let counts = [
            ServerSettings.maxCalls, ServerSettings.maxConnections, ServerSettings.maxConnectionsPerAddress, ServerSettings.maxStreams,
        ]
        let named = counts.map { ($0.name, values[$0]) } + [(ServerSettings.maxDatabases.name, values[ServerSettings.maxDatabases] ?? 1)]
        for (name, value) in named where value < 1 { throw StartRefusal("--\(name) must be positive, not \(value)") }
        let grace = values[ServerSettings.grace]
        guard (0...3_600).contains(grace) else { throw StartRefusal("--grace must lie between 0 and 3600, not \(grace)") }
        if let bytes = values[ServerSettings.minFreeDisk], !(0...1 << 50).contains(bytes) {
            throw StartRefusal("--min-free-disk must lie between 0 and \(1 << 50), not \(bytes)")
        }
    }

    private static func durability(_ name: String) throws(StartRefusal) -> Durability {
        switch name {
        case "full": return .full
        case "relaxed": return .relaxed
        default:
            let advice = NearestName.advice(name, in: ["full", "relaxed"])
            throw StartRefusal("--durability must be full or relaxed, not \(name)\(advice)")
        }
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ setting: Setting<String>, _ values: SettingValues
    ) throws(StartRefusal) -> Choice where Choice.RawValue == String {
        let value = values[setting]
        guard let choice = Choice(rawValue: value) else {
            let names = Choice.allCases.map(\.rawValue)
            let advice = NearestName.advice(value, in: names)
            throw StartRefusal("--\(setting.name) must be one of \(names.joined(separator: ", ")), not \(value)\(advice)")
        }
        return choice
    }
}

extension StartRefusal {
    /// What a function that other commands use, too, has to say of an option.
    static func of<Result>(_ body: () throws -> Result) throws(StartRefusal) -> Result {
        do { return try body() } catch { throw StartRefusal((error as? ValidationError)?.message ?? "\(error)") }
    }
}
