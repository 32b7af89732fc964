// SPDX-License-Identifier: Apache-2.0
/// The settings of `hearth serve`, with their help and their defaults: those of the server here, and those of its guests.
enum ServerSettings: SettingOwner {
    /// The setting that names the configuration file, which cannot name another one.
    static let configuration = "config"

    static let data = Setting<String?>("data", nil, "Keep each database in a file below this directory.", value: "dir")
    static let inMemory = Setting(
        "in-memory", false, "Keep databases in memory; they are lost when the server stops. The default without --data and --store.")
    static let host = Setting("host", "127.0.0.1", "The address to listen on; localhost for both loopbacks, * for all.")
    static let port = Setting("port", 8080, "The port for gRPC and REST; 0 selects a free one.")
    static let portFile = Setting<String?>("port-file", nil, "Write the port to this file once the server is ready.", value: "file")
    static let project = Setting<String?>("project", nil, "The project whose default database exists from the start.", value: "id")
    static let strict = Setting(
        "strict", false, "Requests for a database that does not exist fail, as in the service. Otherwise it is created at its first use.")
    static let durability = Setting(
        "durability", "full", "full: acknowledged writes survive a power failure; relaxed: only a crash of the process.",
        value: "full|relaxed")
    static let indexes = Setting(
        "indexes", "automatic", "Create indexes as needed, or only by configuration, or reject queries without one.",
        value: "automatic|manual|required")
    static let noMigrationCopy = Setting(
        "no-migration-copy", false, "Make no copy of a database file of an earlier format before it is upgraded.")
    static let tlsCert = Setting<String?>(
        "tls-cert", nil, "A PEM file with the certificate chain. With --tls-key: all connections must use TLS.", value: "file",
        endsDevelopment: true)
    static let tlsKey = Setting<String?>("tls-key", nil, "A PEM file with the certificate's private key.", value: "file")
    static let allowHost = Setting<[String]>(
        "allow-host", [],
        "A host name that clients may use for this server. May be repeated. (default: addresses, localhost, *.localhost)", value: "name")
    static let allowOrigin = Setting<[String]>(
        "allow-origin", [],
        "An origin whose web pages may use this server. May be repeated. (default: this machine and the server itself)", value: "origin")
    static let logLevel = Setting("log-level", "info", "trace, debug, info, notice, warning, error or critical.", value: "level")
    static let logFormat = Setting("log-format", "text", "The format of log lines on standard error.", value: "text|json")
    static let maxDatabases = Setting<Int?>(
        "max-databases", nil, "The maximum number of open databases. (default: 500, or what the limit of files allows)", value: "n")
    static let maxCalls = Setting("max-calls", 10_000, "The maximum number of concurrent calls on all connections.", value: "n")
    static let maxConnections = Setting("max-connections", 10_000, "The maximum number of connections.", value: "n")
    static let maxConnectionsPerAddress = Setting(
        "max-connections-per-address", 1_000,
        "The maximum number of connections of one address, or of its open requests through a trusted proxy.", value: "n")
    static let maxStreams = Setting("max-streams", 1_000, "The maximum number of concurrent calls per connection.", value: "n")
    static let grace = Setting("grace", 10, "How long calls in flight may continue after SIGTERM.", value: "seconds")
    static let minFreeDisk = Setting<Int?>(
        "min-free-disk", nil,
        "With less free disk, callers under rules can only delete; 0 for no bound. (default: 1 GiB, or 2 % of the disk if less)",
        value: "bytes")

    static let settings: [any AnySetting] = [
        data, inMemory, host, port, portFile, project, strict, durability, indexes, noMigrationCopy, tlsCert, tlsKey, allowHost,
        allowOrigin, logLevel, logFormat, maxDatabases, maxCalls, maxConnections, maxConnectionsPerAddress, maxStreams, grace, minFreeDisk,
    ]

    /// Those of the guests, too.
    static let all: [any AnySetting] = settings + ServerGuests.all.flatMap { $0.settings }
}
