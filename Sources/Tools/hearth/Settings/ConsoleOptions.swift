// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAuthentication
import FirestoreConsole
import FirestoreCore

/// The settings of the console.
struct ConsoleOptions: ParsableArguments {
    @Flag(help: "Do not show the console at /console/.")
    var noConsole = false

    @Option(
        help: ArgumentHelp(
            """
            A file with the console's token, made by `hearth admin-key`. Required for a console behind a proxy, and on other addresses \
            than loopback. (default: a new token at every start, on loopback)
            """, valueName: "file"),
        completion: .file())
    var consoleToken: String?

    @Flag(help: "The console shows data and changes nothing.")
    var consoleReadOnly = false

    @Flag(help: "The console shows requests with their documents and values, which may be personal.")
    var consoleValues = false

    @Option(help: ArgumentHelp("Read the console's pages from this directory, to work on them.", valueName: "dir"), completion: .directory)
    var consoleDir: String?
}

extension ConsoleOptions {
    /// Whether a server shows its console, checked against its other settings.
    ///
    /// - Parameter host: The address that the server listens on.
    func isShown(on host: String, usesTLS: Bool, hasProxies: Bool) throws -> Bool {
        let isLocal = LoopbackAddress.names(host) && !hasProxies
        let isShown = !noConsole && (isLocal || consoleToken != nil)
        if isShown, !isLocal, !usesTLS, !hasProxies {
            throw ValidationError(
                "the console's token would cross the network in the clear on \(host); give --tls-cert and --tls-key, "
                    + "or --trusted-proxy, or omit --console-token")
        }
        return isShown
    }

    /// The token that opens the console: that of the file, or a new one.
    func token(_ environment: [String: String]) throws(StartRefusal) -> ConsoleToken {
        guard let consoleToken else { return ConsoleToken.make() }
        let keys = try AdministratorKeys.read(consoleToken, environment["CREDENTIALS_DIRECTORY"], kind: "console token file")
        guard keys.count == 1, let key = keys.first else {
            throw StartRefusal("the console token file \(consoleToken) must hold one token, not \(keys.count)")
        }
        return ConsoleToken(String(decoding: key, as: UTF8.self))
    }
}
