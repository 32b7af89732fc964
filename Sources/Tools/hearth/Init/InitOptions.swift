// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// What the new server is like: settings of `hearth serve`, under their names.
struct InitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Where the server keeps its databases. (default: data in the folder)", valueName: "dir"), completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp(
            "The security rules; made if the file does not exist. (default: firestore.rules in the folder)", valueName: "file"),
        completion: .file(extensions: ["rules"]))
    var rules: String?

    @Option(
        help: ArgumentHelp(
            "The administrator key; made if the file does not exist. (default: admin.key in the folder)", valueName: "file"),
        completion: .file())
    var adminKeyFile: String?

    @Option(help: ArgumentHelp("The project whose default database exists from the start. (default: my-project)", valueName: "id"))
    var project: String?

    @Option(
        help: ArgumentHelp(
            "The address to listen on; localhost for both loopbacks, * for all. (default: 127.0.0.1)", valueName: "address"))
    var host: String?

    @Option(help: ArgumentHelp("The port for gRPC and REST. (default: 8080)", valueName: "number"))
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "Archive every commit to a folder, or to a bucket as in s3://bucket/prefix. (default: none)", valueName: "place"))
    var archive: String?

    @Flag(help: "Limit what each user and each address may use, by a file that can be edited.")
    var quotas = false

    /// The options that are given, by the names of their settings.
    var given: [(name: String, value: String)] {
        let all = [
            ("data", data), ("rules", rules), ("admin-key-file", adminKeyFile), ("project", project), ("host", host),
            ("port", port.map { "\($0)" }), ("archive", archive), ("quotas", quotas ? "yes" : nil),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }
}
