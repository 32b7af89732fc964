// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// `hearth events list`: one line for each event.
struct EventsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the events that were given up.",
        discussion: """
            A line has the id, when it was given up, the trigger, the type, the document, the number of attempts, the status of the last \
            answer, and "retry" if it is to be delivered again; --json prints all of it.

            EXIT CODES
              0  done, also if there are none
              2  the database cannot be read, or the command was not understood

            EXAMPLES
              hearth events list --server 127.0.0.1:8080
              hearth events list --data app.sqlite --json
            """)

    @OptionGroup(title: "Database") var place: PlaceOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let json = json
        try await EventsPlace.run(.get, nil, at: place) { answer, output in
            if json { return try output.write(answer.text(.indented) + "\n") }
            for event in try JSONNode(answer).elements("events") { try output.write(Self.line(event) + "\n") }
        }
    }

    private static func line(_ event: JSONNode) throws(FirestoreError) -> String {
        func text(_ name: String) throws(FirestoreError) -> String { try event.required(name).string() }
        var words = [
            try text("id"), try text("died"), try text("trigger"), try text("type"), try text("document"),
            "\(try event.required("attempts").integer()) attempts",
        ]
        if let status = try event.optional("status") { words.append("status \(try status.integer())") } else { words.append("no answer") }
        if try event.optional("retryRequested") != nil { words.append("retry") }
        return words.joined(separator: "  ")
    }
}
