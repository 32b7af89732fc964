// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// `hearth events retry ID`.
struct EventsRetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Deliver events again that were given up.",
        discussion: """
            The process that delivers does it, within seconds: the server, or the next one that serves the file. An event that fails \
            again for the time of its trigger is given up again.

            EXIT CODES
              0  done
              1  there is no such event
              2  the database cannot be changed, or the command was not understood

            EXAMPLES
              hearth events retry --server 127.0.0.1:8080 5i2vh4xqh2mxwbk3j6w5k7qoya
              hearth events retry --data app.sqlite --all
            """)

    @OptionGroup(title: "Database") var place: PlaceOptions

    @OptionGroup var selection: EventSelection

    func run() async throws {
        try await EventsPlace.run(.retry, selection.id, at: place) { answer, _ in
            let count = try JSONNode(answer).required("count").integer()
            StandardError.say(count == 1 ? "1 event to be delivered again" : "\(count) events to be delivered again")
        }
    }
}
