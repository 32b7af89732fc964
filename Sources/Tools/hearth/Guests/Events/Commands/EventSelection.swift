// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The events that a command is about: one, or all.
struct EventSelection: ParsableArguments {
    @Flag(help: "All events that were given up.")
    var all = false

    @Argument(help: "The id of the event.")
    var id: String?

    func validate() throws {
        if all == (id != nil) { throw ValidationError("name an event by its id, or all of them with --all") }
    }
}
