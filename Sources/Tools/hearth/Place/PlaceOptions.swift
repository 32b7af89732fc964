// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The options that select the database, the same for all commands. `Place` is derived from them.
struct PlaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A database file on this machine, also one of `hearth serve --data`.", valueName: "file"),
        completion: .file(extensions: ["sqlite"]))
    var data: String?

    @Option(help: ArgumentHelp("A server: `hearth serve`, or the official emulator.", valueName: "host:port"))
    var server: String?

    @Option(help: ArgumentHelp("Google's Cloud Firestore, in this project.", valueName: "project"))
    var cloud: String?

    @Option(
        help: ArgumentHelp(
            "With --cloud: a key file of a service account or of gcloud. (default: the application default credentials)",
            valueName: "file"), completion: .file(extensions: ["json"]))
    var credentials: String?

    @Flag(help: "With --server: use TLS.")
    var tls = false

    @Option(
        help: ArgumentHelp("With --tls: a PEM file with the certificates to trust instead of the system's.", valueName: "file"),
        completion: .file(extensions: ["pem", "crt"]))
    var trust: String?

    @Option(
        help: ArgumentHelp(
            "With --server: a file with an administrator key or a user's ID token. (default: HEARTH_TOKEN_FILE)", valueName: "file"),
        completion: .file())
    var tokenFile: String?

    @Option(help: ArgumentHelp("The project. (default: that of the file, or GOOGLE_CLOUD_PROJECT)", valueName: "id"))
    var project: String?

    @Option(help: ArgumentHelp("The database of the project. (default: that of the file, or \"(default)\")", valueName: "id"))
    var database: String?

    @Option(help: ArgumentHelp("The time limit of a call. (default: 60; none for streams)", valueName: "seconds"))
    var timeout: Double?

    func validate() throws {
        let places = [("--data", data), ("--server", server), ("--cloud", cloud)].filter { $0.1 != nil }.map(\.0)
        if places.count > 1 { throw ValidationError("\(places.joined(separator: " and ")) exclude each other") }
        if credentials != nil, cloud == nil, data != nil || server != nil {
            throw ValidationError("--credentials requires --cloud")
        }
        if tokenFile != nil, data != nil || cloud != nil { throw ValidationError("--token-file requires --server") }
        if tls, server == nil { throw ValidationError("--tls requires --server") }
        if trust != nil, !tls, server?.lowercased().hasPrefix("https://") != true { throw ValidationError("--trust requires --tls") }
        if cloud != nil, project != nil { throw ValidationError("--cloud names the project already; omit --project") }
        if let timeout, !(timeout > 0 && timeout <= 86_400) {
            throw ValidationError("--timeout must be greater than 0 and at most 86400 seconds")
        }
    }
}
