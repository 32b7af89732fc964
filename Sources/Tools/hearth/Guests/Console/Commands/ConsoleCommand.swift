// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import Foundation

/// `hearth console`: opens the console of a running server.
struct ConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Open the console of a running server in the browser.",
        discussion: """
            Finds a server of this user on this machine: one with --data by its directory, others by themselves if there is one, or by \
            their port. The address contains a token that makes its holder the administrator; it is passed to the browser in a file that \
            only this user can read.

            EXIT CODES
              0  opened or printed
              2  no such server runs, or there is neither a browser nor a terminal to print the address to

            EXAMPLES
              hearth console
              hearth console --data /var/lib/hearth
              hearth console --print
            """)

    @Option(help: ArgumentHelp("The data directory of the server. (default: HEARTH_DATA)", valueName: "dir"), completion: .directory)
    var data: String?

    @Option(help: "The port of a server without a data directory, if several run.")
    var port: Int?

    @Flag(help: "Open the browser, which is the default.")
    var open = false

    @Flag(help: "Print the address, with the token.")
    var print = false

    func run() async throws {
        let environment = CommandEnvironment.current
        let address = try find(environment)
        if print { FileHandle.standardOutput.write(Data((address.url + "\n").utf8)) }
        guard open || !print else { return }
        if let browser = BrowserProgram(environment),
            try await browser.show(address, directory: try ConsoleAddress.runtimeDirectory(environment))
        {
            return
        }
        let line = address.withoutBrowser(environment, command: "console")
        guard ConsoleAddressFile.isTerminal else { throw FirestoreError(.failedPrecondition, line) }
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    private func find(_ environment: [String: String]) throws(FirestoreError) -> ConsoleAddress {
        if let data = data ?? (port == nil ? environment["HEARTH_DATA"] : nil) {
            let path = ConsoleAddress.path(inData: data)
            guard let address = ConsoleAddress(reading: path), address.isAlive else {
                throw FirestoreError(.notFound, "no server of this user shows a console for this data directory", at: data)
            }
            return address
        }
        let directory = try ConsoleAddress.runtimeDirectory(environment)
        if let port {
            guard let address = ConsoleAddress(reading: ConsoleAddress.path(inRuntime: directory, port: port)), address.isAlive else {
                throw FirestoreError(
                    .notFound, "no server of this user shows a console on port \(port); one with a data directory is found by --data")
            }
            return address
        }
        let running = ConsoleAddress.running(in: directory)
        guard let address = running.first else {
            throw FirestoreError(
                .notFound, "no server of this user without a data directory shows a console; give --data, or start `hearth serve`")
        }
        guard running.count == 1 else {
            let pages = running.map(\.page).joined(separator: ", ")
            throw FirestoreError(.failedPrecondition, "\(running.count) servers show a console: \(pages); choose one with --port")
        }
        return address
    }
}
