import ArgumentParser

/// Which database a command works on: the same options for all of them. `Place` is what comes of them.
struct PlaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A database file on this machine; one of `hearth serve --data` too.", valueName: "file"),
        completion: .file(extensions: ["sqlite"]))
    var data: String?

    @Option(help: ArgumentHelp("A server: `hearth serve`, or the official emulator.", valueName: "host:port"))
    var server: String?

    @Option(help: ArgumentHelp("Google's Cloud Firestore, the databases of this project.", valueName: "project"))
    var cloud: String?

    @Option(
        help: ArgumentHelp(
            "With --cloud: a service account's key, or what gcloud has left. (default: what Google's tools agree upon)",
            valueName: "file"), completion: .file(extensions: ["json"]))
    var credentials: String?

    @Flag(help: "With --server: an encrypted connection.")
    var tls = false

    @Option(
        help: ArgumentHelp("With --tls: the certificates to trust, PEM, instead of the system's.", valueName: "file"),
        completion: .file(extensions: ["pem", "crt"]))
    var trust: String?

    @Option(help: ArgumentHelp("The project. (default: GOOGLE_CLOUD_PROJECT; a file knows its own)", valueName: "id"))
    var project: String?

    @Option(help: ArgumentHelp("The database of the project. (default: \"(default)\"; a file knows its own)", valueName: "id"))
    var database: String?

    @Option(help: ArgumentHelp("Give a call up after this time. (default: 60; none for streams)", valueName: "seconds"))
    var timeout: Double?

    func validate() throws {
        let places = [("--data", data), ("--server", server), ("--cloud", cloud)].filter { $0.1 != nil }.map(\.0)
        if places.count > 1 { throw ValidationError("\(places.joined(separator: " and ")) exclude each other") }
        if credentials != nil, cloud == nil, data != nil || server != nil {
            throw ValidationError("--credentials belongs to --cloud")
        }
        if tls, server == nil { throw ValidationError("--tls belongs to --server") }
        if trust != nil, !tls, server?.lowercased().hasPrefix("https://") != true { throw ValidationError("--trust belongs to --tls") }
        if cloud != nil, project != nil { throw ValidationError("--cloud names the project already; leave --project out") }
        if let timeout, !(timeout > 0 && timeout <= 86_400) {
            throw ValidationError("--timeout must lie above 0 and be at most 86400 seconds")
        }
    }
}
