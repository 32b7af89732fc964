// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// `hearth events show ID`: an event with its documents.
struct EventsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print an event that was given up, with its documents, as JSON.",
        discussion: """
            EXIT CODES
              0  done
              1  there is no such event
              2  the database cannot be read, or the command was not understood

            EXAMPLES
              hearth events show --server 127.0.0.1:8080 5i2vh4xqh2mxwbk3j6w5k7qoya
            """)

    @OptionGroup(title: "Database") var place: PlaceOptions

    @Argument(help: "The id of the event.")
    var id: String

    func run() async throws {
        try await EventsPlace.run(.get, id, at: place) { answer, output in try output.write(answer.text(.indented) + "\n") }
    }
}
