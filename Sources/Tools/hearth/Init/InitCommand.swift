// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import Foundation

/// `hearth init`: makes what a server in production needs.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make the key, the rules and the settings that a new server starts with.",
        discussion: """
            Makes three files in a folder, and prints the commands that follow: an administrator key, which only its owner can \
            read; security rules that refuse everything, to be edited; and the settings of the server as variables of the \
            environment. With --quotas it makes a file of what users may use, too. On a terminal it asks for the settings that \
            no option gives. A file that exists is never changed.

            Without a folder, root prepares /etc/hearth for the service of the package, if that folder exists; otherwise the \
            folder is ./hearth.

            EXIT CODES
              0  the files are there
              2  a file could not be made, or the command was not understood

            EXAMPLES
              hearth init
              hearth init --yes --project my-project --quotas
              hearth init server --data /srv/hearth --port 9090
            """)

    @Argument(help: "The folder for the files. (default: see above)", completion: .directory)
    var folder: String?

    @Flag(name: [.short, .long], help: "Ask nothing: use the defaults for what no option gives.")
    var yes = false

    @OptionGroup var options: InitOptions

    func run() throws {
        let place = try InitPlace.choose(folder, options, isRoot: geteuid() == 0)
        guard yes || Terminal.canAsk else {
            throw ValidationError("there is no terminal to ask on; give --yes, and options for what shall differ from the defaults")
        }
        let values = try InitValues.read(options, at: place, asks: !yes)
        try values.check(at: place)
        let report = try InitFiles(place: place, values: values).make()
        print((report + ["", "Next:"] + InitNextSteps.commands(place, values).map { "  \($0)" }).joined(separator: "\n"))
    }
}
