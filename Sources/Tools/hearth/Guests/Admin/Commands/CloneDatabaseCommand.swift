// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreServer
import FirestoreWire

/// `hearth databases clone NEW`: a new database that is what another one was.
struct CloneDatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clone",
        abstract: "Make a new database that has what another one had at a minute of the past.",
        discussion: """
            Clones the database that --database names. Needs a running server with an archive. The minute is one of the last hour, \
            or with point-in-time recovery one of the last 7 days. References into the source refer to the clone. Documents of the \
            clone do not expire until a policy is set, and it has no backup schedules. Without a server, `hearth restore` does the \
            same on a data directory.

            EXIT CODES
              0  done
              2  it was refused, or the server cannot be reached

            EXAMPLES
              hearth databases clone before --at 2026-11-26T10:03:00Z --server db:8080
              hearth databases clone before --database books --at 2026-11-26T10:03:00Z
            """)

    @Argument(help: "The id of the new database.") var id: String

    @Option(help: ArgumentHelp("A whole minute, as in 2026-11-26T10:03:00Z.", valueName: "time"))
    var at: String

    @OptionGroup(title: "Place") var place: PlaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
        guard let time = TimestampValue(dateOrTime: at) else {
            throw ValidationError("--at must be a time such as 2026-11-26T10:03:00Z, not \(at)")
        }
        let (id, output) = (id, output)
        try await AdminConnection.run(place) { admin in
            let snapshot = JSON.object([("database", .string(admin.databaseName)), ("snapshotTime", .string(time.text))])
            try AdminOutput(output).print(
                try await admin.result(
                    of: .cloneDatabase,
                    [("parent", .string(admin.project)), ("databaseId", .string(id)), ("pitrSnapshot", snapshot)]))
        }
    }
}
