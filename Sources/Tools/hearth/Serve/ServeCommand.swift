// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAuthentication
import FirestoreCore
import Foundation

/// `hearth serve`: serves databases over the public protocol, to any client of Cloud Firestore. Its options are the table of settings.
struct ServeCommand: AsyncParsableCommand, CustomReflectable {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve databases over gRPC and REST, to any Firestore client.",
        discussion: """
            Clients find the server through FIRESTORE_EMULATOR_HOST. One line on standard output says when it is ready; \
            logs go to standard error. SIGTERM and SIGINT stop it: calls in flight are allowed to finish, databases are closed.

            Every option can also be given in the environment (HEARTH_PORT=8080 for --port 8080) or in a JSON file \
            ({"port": 8080}); the command line takes precedence over the environment, the environment over the file.

            Only requests for an IP address or for localhost are answered; if the server has a host name, or is behind a reverse \
            proxy, use --allow-host. Web pages of other machines need --allow-origin.

            Without options about security the server is in development mode, for this machine only. SIGHUP makes it read rules, \
            triggers, quotas and administrator keys again; rules and triggers are also read when their file changes.

            EXIT CODES
              0  stopped by a signal
              2  could not start (port or data directory in use, certificate unreadable, errors in rules), or the command was not \
            understood

            EXAMPLES
              hearth serve --data /var/lib/hearth
              hearth serve --in-memory --port 0 --port-file port.txt
              hearth serve --development --rules firestore.rules
              hearth serve --data data --rules my.rules --admin-key-file admin.key
            """)

    /// The values of settings that the command line gives.
    let given: [String: JSON]
    let configurationFile: String?
    private let printsConfiguration: Bool

    init() { (given, configurationFile, printsConfiguration) = ([:], nil, false) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: SettingName.self)
        var given = try container.given(ServerSettings.settings)
        for guest in ServerGuests.all { given.merge(try guest.given(container)) { $1 } }
        self.given = given
        configurationFile = try container.decode(Option<String?>.self, forKey: Self.configurationKey).wrappedValue
        printsConfiguration = try container.decode(Flag<Bool>.self, forKey: Self.printKey).wrappedValue
    }

    private static let configurationKey = SettingName(ServerSettings.configuration)
    private static let printKey = SettingName("print-config")

    var customMirror: Mirror {
        let file = Option<String?>(
            name: .customLong(Self.configurationKey.stringValue),
            help: ArgumentHelp("A JSON file with these settings, for example {\"port\": 8080}.", valueName: "file"))
        let prints = Flag(
            wrappedValue: false, name: .customLong(Self.printKey.stringValue),
            help: "Print the settings that would be used, as JSON, and exit.")
        return Mirror(
            self,
            children: ServerSettings.settings.map(\.declaration) + ServerGuests.all.flatMap { $0.declarations } + [
                (label: Self.configurationKey.stringValue, value: file), (label: Self.printKey.stringValue, value: prints),
            ])
    }

    func run() async throws {
        let settings = try StartRefusal.asUsage { try ServeSettings(self, environment: CommandEnvironment.current) }
        if printsConfiguration {
            FileHandle.standardOutput.write(Data((settings.json.text(.indented) + "\n").utf8))
            return
        }
        try await ServerRun(settings, as: "serve").run { parts in
            guard isatty(STDOUT_FILENO) == 1 else { return }
            for line in parts.compactMap(\.terminalLine) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
        }
    }
}

extension StartRefusal {
    /// A mistake in settings, with the usage of the command.
    static func asUsage<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let refusal as StartRefusal { throw ValidationError(refusal.description) }
    }
}
