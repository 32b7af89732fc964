#if Remote
import ArgumentParser

/// What the command line says; nil where it says nothing, so that the environment and the file are asked (see
/// `ServeSettings`).
struct ServeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Keep each database in a file below this directory.", valueName: "dir"))
    var data: String?

    @Flag(help: "Keep databases in memory: they are gone when the server stops. The default without --data.")
    var inMemory = false

    @Option(help: "The address to listen on; 0.0.0.0 for all. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port for gRPC and REST; 0 takes a free one. (default: 8080)")
    var port: Int?

    @Option(help: ArgumentHelp("Write the port to this file once the server is ready.", valueName: "file"))
    var portFile: String?

    @Option(help: ArgumentHelp("The project whose default database is there without being created.", valueName: "id"))
    var project: String?

    @Flag(help: "Databases that do not exist are not found, as in the service. Without it they are made when first used.")
    var strict = false

    @Option(
        help: ArgumentHelp(
            "full: acknowledged writes survive loss of power; relaxed: the end of the process. (default: full)",
            valueName: "full|relaxed"))
    var durability: String?

    @Option(
        help: ArgumentHelp(
            "How indexes are made: by need, by configuration only, or a missing one is an error. (default: automatic)",
            valueName: "automatic|manual|required"))
    var indexes: String?

    @Option(help: ArgumentHelp("The certificate chain, PEM. Together with --tls-key: connections must use TLS.", valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("The certificate's private key, PEM.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "A host name that clients may use for this server. May be repeated. (default: addresses, localhost, *.localhost)",
            valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "An origin whose web pages may use this server. May be repeated. (default: pages of this machine and of the server itself)",
            valueName: "origin"))
    var allowOrigin: [String] = []

    @Option(help: ArgumentHelp("trace, debug, info, notice, warning, error or critical. (default: info)", valueName: "level"))
    var logLevel: String?

    @Option(help: ArgumentHelp("How log lines look, on standard error. (default: text)", valueName: "text|json"))
    var logFormat: String?

    @Option(help: ArgumentHelp("The most databases that are open at a time. (default: 100)", valueName: "n"))
    var maxDatabases: Int?

    @Option(help: ArgumentHelp("The most calls that run at a time, in all connections. (default: 10000)", valueName: "n"))
    var maxCalls: Int?

    @Option(help: ArgumentHelp("The most connections. (default: 10000)", valueName: "n"))
    var maxConnections: Int?

    @Option(help: ArgumentHelp("The most calls that are open on one connection. (default: 1000)", valueName: "n"))
    var maxStreams: Int?

    @Option(help: ArgumentHelp("Seconds that calls may go on after SIGTERM. (default: 10)", valueName: "seconds"))
    var grace: Int?

    @Option(help: ArgumentHelp("A JSON file with the same names, for example {\"port\": 8080}.", valueName: "file"))
    var config: String?
}
#endif
