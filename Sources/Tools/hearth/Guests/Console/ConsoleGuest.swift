// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAuthentication
import FirestoreConsole
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import Logging

/// The pages at `/console/`.
struct ConsoleGuest: ServerGuest {
    static let title: String? = "Console"
    private static let noConsole = Setting("no-console", false, "Do not show the console at /console/.")
    private static let token = Setting<String?>(
        "console-token", nil,
        """
        A file with the console's token, made by `hearth admin-key`. Required for a console behind a proxy, and on other addresses \
        than loopback. (default: a new token at every start, on loopback)
        """, value: "file", completion: .file())
    private static let readOnly = Setting("console-read-only", false, "The console shows data and changes nothing.")
    private static let values = Setting(
        "console-values", false, "The console shows requests with their documents and values, which may be personal.")
    private static let directory = Setting<String?>(
        "console-dir", nil, "Read the console's pages from this directory, to work on them.", value: "dir", completion: .directory)

    static let settings: [any AnySetting] = [noConsole, token, readOnly, values, directory]

    static let commands: [any ParsableCommand.Type] = [ConsoleCommand.self, GuideCommand.self]

    let isShown: Bool
    private let tokenFile: String?

    init?(_ plan: inout ServerPlan) throws(StartRefusal) {
        let values = plan.values
        tokenFile = values[Self.token]
        if values.isOnCommandLine(Self.noConsole), values.isOnCommandLine(Self.token) {
            throw StartRefusal("--no-console and --console-token exclude each other")
        }
        let hasProxies = !plan.trustedProxies.isEmpty
        let isLocal = LoopbackAddress.names(plan.host) && !hasProxies
        isShown = !values[Self.noConsole] && (isLocal || tokenFile != nil)
        if isShown, !isLocal, !plan.usesTLS, !hasProxies {
            throw StartRefusal(
                "the console's token would cross the network in the clear on \(plan.host); give --tls-cert and --tls-key, "
                    + "or --trusted-proxy, or omit --console-token")
        }
    }

    func complete(_ values: inout SettingValues) { values[Self.noConsole] = !isShown }

    func open(_ start: inout ServerStart) throws(StartRefusal) -> any ServerPart {
        guard isShown else { return HiddenConsole() }
        let values = start.plan.values
        var settings = ConsoleSettings(token: try token(start.plan.environment))
        settings.isReadOnly = values[Self.readOnly]
        settings.showsValues = values[Self.values]
        settings.directory = values[Self.directory]
        return ConsolePart(settings, start)
    }

    /// The token that opens the console: that of the file, or a new one.
    private func token(_ environment: [String: String]) throws(StartRefusal) -> ConsoleToken {
        guard let tokenFile else { return ConsoleToken.make() }
        let keys = try AdministratorKeys.read(tokenFile, environment["CREDENTIALS_DIRECTORY"], kind: "console token file")
        guard keys.count == 1, let key = keys.first else {
            throw StartRefusal("the console token file \(tokenFile) must hold one token, not \(keys.count)")
        }
        return ConsoleToken(String(decoding: key, as: UTF8.self))
    }
}

private struct HiddenConsole: ServerPart {
    func join(_ start: inout ServerStart) {}
}

/// The console of a server that starts or runs.
final class ConsolePart: ServerPart {
    /// Without what other guests give.
    private let settings: ConsoleSettings
    private let plan: ServerPlan
    private let log: Logger
    private let served = Mutex<ConsoleAddressFile?>(nil)

    fileprivate init(_ settings: ConsoleSettings, _ start: ServerStart) { (self.settings, plan, log) = (settings, start.plan, start.log) }

    func join(_ start: inout ServerStart) {
        var settings = settings
        settings.project = start.plan.project
        settings.files = ConsoleTransferFiles()
        settings.users = start.users
        settings.archive = start.archive
        settings.triggers = start.triggers
        settings.slowCalls = start.configuration.slowCalls
        settings.strictLists = start.strictLists
        settings.serverSettings = start.settings.json
        settings.advice = CommandAdvice.server
        settings.isProtected = start.isProtected
        start.configuration.console = Console(
            settings, authentication: start.configuration.authentication, isDevelopment: start.plan.isDevelopment)
    }

    /// Writes down where it is.
    func started(at address: RPCAddress) {
        served.withLock { $0 = ConsoleAddressFile(settings.token, at: address, plan, log) }
    }

    func stop() { served.withLock { $0?.remove() } }

    /// Once the server answers.
    var address: ConsoleAddress? { served.withLock { $0?.address } }

    var terminalLine: String? { address.map { "the console is at \($0.url)" } }
}
