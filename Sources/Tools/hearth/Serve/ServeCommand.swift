// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The settings of `hearth serve`, with their help and their defaults. From this list come the command line, the variables of the
/// environment (`HEARTH_PORT_FILE`) and the members of the file (`port-file`); `ServeSettings` checks and interprets the values.
///
/// They are options of the command itself, not a group of it: with each level of groups, the parser of a debug build checks every option
/// four times as often.
struct ServeCommand: AsyncParsableCommand {
    @Option(help: ArgumentHelp("Keep each database in a file below this directory.", valueName: "dir"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "Keep databases on a PostgreSQL server that several nodes share, as in postgres://user@host/database.", valueName: "url"))
    var store: String?

    @Flag(help: "Keep databases in memory; they are lost when the server stops. The default without --data and --store.")
    var inMemory = false

    @Option(help: "The address to listen on; localhost for both loopbacks, * for all.")
    var host = "127.0.0.1"

    @Option(help: "The port for gRPC and REST; 0 selects a free one.")
    var port = 8080

    @Option(help: ArgumentHelp("Write the port to this file once the server is ready.", valueName: "file"))
    var portFile: String?

    @Option(help: ArgumentHelp("The project whose default database exists from the start.", valueName: "id"))
    var project: String?

    @Flag(help: "Requests for a database that does not exist fail, as in the service. Otherwise it is created at its first use.")
    var strict = false

    @Option(
        help: ArgumentHelp(
            "full: acknowledged writes survive a power failure; relaxed: only a crash of the process.",
            valueName: "full|relaxed"))
    var durability = "full"

    @Option(
        help: ArgumentHelp(
            "Create indexes as needed, or only by configuration, or reject queries without one.",
            valueName: "automatic|manual|required"))
    var indexes = "automatic"

    @Option(
        help: ArgumentHelp(
            "A JSON file with triggers: changes of documents are sent to URLs. It is read again when it changes.", valueName: "file"))
    var events: String?

    @Option(
        help: ArgumentHelp(
            "The folder that gs://NAME is for exports and imports of the admin API. May be repeated.", valueName: "name=dir"))
    var bucket: [String] = []

    @Flag(help: "Make no copy of a database file of an earlier format before it is upgraded.")
    var noMigrationCopy = false

    @Option(help: ArgumentHelp("A PEM file with the certificate chain. With --tls-key: all connections must use TLS.", valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("A PEM file with the certificate's private key.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "A host name that clients may use for this server. May be repeated. (default: addresses, localhost, *.localhost)",
            valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "An origin whose web pages may use this server. May be repeated. (default: this machine and the server itself)",
            valueName: "origin"))
    var allowOrigin: [String] = []

    @Option(help: ArgumentHelp("trace, debug, info, notice, warning, error or critical.", valueName: "level"))
    var logLevel = "info"

    @Option(help: ArgumentHelp("The format of log lines on standard error.", valueName: "text|json"))
    var logFormat = "text"

    @Option(help: ArgumentHelp("The maximum number of open databases. (default: 500, or what the limit of files allows)", valueName: "n"))
    var maxDatabases: Int?

    @Option(help: ArgumentHelp("The maximum number of concurrent calls on all connections.", valueName: "n"))
    var maxCalls = 10_000

    @Option(help: ArgumentHelp("The maximum number of connections.", valueName: "n"))
    var maxConnections = 10_000

    @Option(
        help: ArgumentHelp(
            "The maximum number of connections of one address, or of its open requests through a trusted proxy.",
            valueName: "n"))
    var maxConnectionsPerAddress = 1_000

    @Option(help: ArgumentHelp("The maximum number of concurrent calls per connection.", valueName: "n"))
    var maxStreams = 1_000

    @Option(help: ArgumentHelp("How long calls in flight may continue after SIGTERM.", valueName: "seconds"))
    var grace = 10

    @Option(
        help: ArgumentHelp(
            "A JSON file of what users, addresses and databases may use. SIGHUP makes the server read it again.", valueName: "file"))
    var quotas: String?

    @Option(
        help: ArgumentHelp(
            "Log calls that take as long as this, such as 200ms, and count all calls by what they ask for.", valueName: "duration"))
    var slow: String?

    @Option(
        help: ArgumentHelp(
            "The longest time between two looks for expired documents: how much too late one may be deleted.", valueName: "seconds"))
    var ttlInterval = 60

    @Option(
        help: ArgumentHelp(
            "With less free disk, callers under rules can only delete; 0 for no bound. (default: 1 GiB, or 2 % of the disk if less)",
            valueName: "bytes"))
    var minFreeDisk: Int?

    @OptionGroup(title: "Archive") var archiving: ArchiveOptions
    @OptionGroup(title: "Archive") var archiveAccess: ArchiveAccessOptions

    @OptionGroup(title: "Accounts") var accounts: AccountOptions

    @Option(help: ArgumentHelp("A JSON file with these settings, for example {\"port\": 8080}.", valueName: "file"))
    var config: String?

    @OptionGroup(title: "Security") var security: SecurityOptions

    @OptionGroup(title: "Console") var console: ConsoleOptions

    @Flag(help: "Print the settings that would be used, as JSON, and exit.")
    var printConfig = false
}
