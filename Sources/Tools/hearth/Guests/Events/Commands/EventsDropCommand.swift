// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// `hearth events drop ID`.
struct EventsDropCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop",
        abstract: "Remove events that were given up.",
        discussion: """
            EXIT CODES
              0  done
              1  there is no such event
              2  the database cannot be changed, or the command was not understood

            EXAMPLES
              hearth events drop --server 127.0.0.1:8080 5i2vh4xqh2mxwbk3j6w5k7qoya
              hearth events drop --data app.sqlite --all
            """)

    @OptionGroup(title: "Database") var place: PlaceOptions

    @OptionGroup var selection: EventSelection

    func run() async throws {
        try await EventsPlace.run(.drop, selection.id, at: place) { answer, _ in
            let count = try JSONNode(answer).required("count").integer()
            StandardError.say(count == 1 ? "1 event removed" : "\(count) events removed")
        }
    }
}
