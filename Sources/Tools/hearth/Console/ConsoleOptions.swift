// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The options of the console; `ConsoleChoice` gives them their meaning.
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
