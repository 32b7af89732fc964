// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAuthentication
import FirestoreCore
import Foundation

/// `hearth guide`: serves the guide as a page that can be edited, and opens it.
struct GuideCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guide",
        abstract: "Serve the guide to mapping documents with Codable, and open it in the browser.",
        discussion: """
            Starts a server on this machine, in development mode, with the guide's documents, the guide at /guide/ and the console at \
            /console/. The page shows Swift code beside the documents that it reads, which can be edited. The Swift code itself runs in a \
            process of Examples/Guide, which this command names: `make guide`, in the folder of Hearth, starts both.

            The address contains a token that makes its holder the administrator. It is passed to the browser in a file that only this \
            user can read, and printed only to a terminal or with --print. HEARTH_ variables do not apply; SIGTERM and SIGINT stop the \
            server.

            EXIT CODES
              0  stopped by a signal
              2  could not start (port or data directory in use), or the command was not understood

            EXAMPLES
              hearth guide
              hearth guide --data guide-data
              hearth guide --port 0 --print
            """)

    /// The project of the guide, here and in `Examples/Guide/Sources/GuideLive`.
    static let project = "demo-guide"

    @Option(
        help: ArgumentHelp("Keep the guide's documents below this directory. (default: in memory)", valueName: "dir"),
        completion: .directory)
    var data: String?

    @Option(help: "The port; 0 selects a free one.")
    var port = 8080

    @Option(help: ArgumentHelp("Write the port to this file once the server is ready.", valueName: "file"))
    var portFile: String?

    @Flag(help: "Print the address, with the token, instead of opening the browser.")
    var print = false

    @Flag(help: .hidden)
    var hasSwiftHalf = false

    func run() async throws {
        let environment = CommandEnvironment.current
        // A server for trying things must not take over what the environment says about another one.
        let own = environment.filter { !$0.key.hasPrefix(SettingNames.prefix) }
        let settings = try StartRefusal.asUsage { try ServeSettings(words: words, environment: own) }
        try await ServerRun(settings, as: "guide").run { parts in
            guard let address = parts.lazy.compactMap({ ($0 as? ConsolePart)?.address }).first?.at("/guide/") else { return }
            do {
                try await GuideDocuments.write(to: address.page)
            } catch {
                // The page offers to write them.
                StandardError.say("hearth guide: the documents were not written: \(error)")
            }
            show(address, environment)
            if !hasSwiftHalf { StandardError.say(Self.swiftHalf(address)) }
        }
    }

    /// How to start what decodes the documents.
    static func swiftHalf(_ address: ConsoleAddress) -> String {
        let place = address.page.split(separator: "/")[1]
        return "the Swift half decodes the documents; start it in the folder of Hearth: "
            + "dev/example guide-live && .build/debug/guide-live \(place)"
    }

    /// The command line of the server.
    var words: [String] {
        ["--development", "--project", Self.project, "--port", "\(port)", "--log-level", "warning"]
            + (data.map { ["--data", $0] } ?? ["--in-memory"]) + (portFile.map { ["--port-file", $0] } ?? [])
    }

    private func show(_ address: ConsoleAddress, _ environment: [String: String]) {
        guard !print, let browser = BrowserProgram(environment) else {
            return say(print ? "the guide is at \(address.url)" : address.withoutBrowser(environment, command: "guide"))
        }
        if ConsoleAddressFile.isTerminal { say("the guide is at \(address.url)") }
        // The server continues without a browser.
        Task {
            do {
                let isShown = try await browser.show(address, directory: try ConsoleAddress.runtimeDirectory(environment))
                if !isShown { say(address.withoutBrowser(environment, command: "guide")) }
            } catch {
                let error = error as? FirestoreError ?? FirestoreError(.internal, "\(error)")
                StandardError.say("hearth guide: \(CommandMessage.text(of: error))")
            }
        }
    }

    private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
