// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `hearth events`: the events that were given up.
struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "List the events that were given up, deliver them again, remove them.",
        discussion: """
            An event is given up when its receiver has not acknowledged it for the time that its trigger says, a day by default. \
            It is kept for seven days, with the documents and the last answer. With --server: for an administrator; with --data: a \
            file that no server uses. docs/guides/events.md describes triggers.

            EXIT CODES
              0  done
              1  there is no such event
              2  it could not be done, or the command was not understood

            EXAMPLES
              hearth events list --server 127.0.0.1:8080
              hearth events show 5i2vh4xqh2mxwbk3j6w5k7qoya
              hearth events retry --all
              hearth events drop 5i2vh4xqh2mxwbk3j6w5k7qoya
            """,
        subcommands: [EventsListCommand.self, EventsShowCommand.self, EventsRetryCommand.self, EventsDropCommand.self])
}
