// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAuthentication
import FirestoreConsole
import FirestoreCore

/// Whether and how a server shows its console, checked against its other settings.
struct ConsoleChoice {
    /// The other settings, as far as they matter here.
    struct Surroundings {
        /// The address that the server listens on.
        var host: String
        var usesTLS: Bool
        var hasProxies: Bool
    }

    let isShown: Bool
    /// nil for a new token with every start.
    let tokenFile: String?
    let isReadOnly: Bool
    let showsValues: Bool
    let directory: String?

    init(_ options: ConsoleOptions, _ surroundings: Surroundings) throws {
        tokenFile = options.consoleToken
        isReadOnly = options.consoleReadOnly
        showsValues = options.consoleValues
        directory = options.consoleDir
        let isLocal = LoopbackAddress.names(surroundings.host) && !surroundings.hasProxies
        isShown = !options.noConsole && (isLocal || tokenFile != nil)
        if isShown, !isLocal, !surroundings.usesTLS, !surroundings.hasProxies {
            throw ValidationError(
                "the console's token would cross the network in the clear on \(surroundings.host); give --tls-cert and --tls-key, "
                    + "or --trusted-proxy, or omit --console-token")
        }
    }

    /// The token that opens the console; nil if there is none to open.
    func token(_ environment: [String: String]) throws(StartRefusal) -> ConsoleToken? {
        guard isShown else { return nil }
        guard let tokenFile else { return ConsoleToken.make() }
        let keys = try AdministratorKeys.read(tokenFile, environment["CREDENTIALS_DIRECTORY"], kind: "console token file")
        guard keys.count == 1, let key = keys.first else {
            throw StartRefusal("the console token file \(tokenFile) must hold one token, not \(keys.count)")
        }
        return ConsoleToken(String(decoding: key, as: UTF8.self))
    }
}
